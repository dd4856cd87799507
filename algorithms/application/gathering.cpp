#include "gathering.hpp"

#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "method/switches.hpp"
#include "operations/allgather/adea.hpp"
#include "operations/allgather/daisy_chain.hpp"
#include "operations/allgather/tea.hpp"

namespace lockstep::application {
namespace {

using allgather::Collection;
using allgather::HeldParts;

class AdeaGathering : public Gathering<LabelledBlock> {
 public:
  AdeaGathering(const RunRequest& request, std::uint64_t words)
      : form_(allgather::exchange_form_for(request.model)), held_(request, words) {}

  std::span<Word> own(Rank rank) override { return held_.own(rank); }
  Process gather(Processor<LabelledBlock>& self, Cycle) override { return allgather::adea(self, form_, held_); }
  std::span<const Word> block(Rank rank, Rank source) const override { return held_.block(rank, source); }

 private:
  allgather::ExchangeForm form_;
  HeldParts held_;
};

/// For methods that collect bundles.
class CollectionGathering : public Gathering<Bundle> {
 public:
  CollectionGathering(const RunRequest& request, std::uint64_t words) : own_(request), collections_(request) {
    for (std::vector<Word>& own : own_) own.resize(words);
  }

  std::span<Word> own(Rank rank) override { return own_[rank]; }
  Process gather(Processor<Bundle>& self, Cycle start) override {
    const Rank rank = self.rank();
    collections_[rank] = Collection(self.processors());
    collections_[rank].add(Bundle(Piece{rank, rank, 0, own(rank)}));
    return collect(self, collections_[rank], start);
  }
  std::span<const Word> block(Rank rank, Rank source) const override { return collections_[rank].block(source); }

 protected:
  virtual Process collect(Processor<Bundle>& self, Collection& collection, Cycle start) = 0;

 private:
  PerRank<std::vector<Word>> own_;
  PerRank<Collection> collections_;
};

class DaisyChainGathering : public CollectionGathering {
 public:
  DaisyChainGathering(const RunRequest& request, std::uint64_t words)
      : CollectionGathering(request, words), machine_(request.machine), ring_(ring_on(request.machine)) {}

 protected:
  Process collect(Processor<Bundle>& self, Collection& collection, Cycle start) override {
    return allgather::daisy_chain::collect(self, ring_(machine_, self.rank()), collection, start);
  }

 private:
  using Ring = allgather::RingNeighbours(const MachineSpec& machine, Rank rank);

  static Ring* ring_on(const MachineSpec& machine) {
    if (machine.family == "hypercube") return allgather::daisy_chain::gray_ring;
    if (machine.family == "torus") return allgather::skew_ring;
    return allgather::daisy_chain::whole_ring;
  }

  const MachineSpec& machine_;
  Ring* ring_;
};

class TeaGathering : public CollectionGathering {
 public:
  TeaGathering(const RunRequest& request, std::uint64_t words, allgather::tea::TokenSelection selection)
      : CollectionGathering(request, words),
        passes_(allgather::tea::passes(allgather::tea::form_for(request.model), request.topology.ports())),
        selection_(std::move(selection)) {}

 protected:
  Process collect(Processor<Bundle>& self, Collection& collection, Cycle start) override {
    return allgather::tea::exchange(self, passes_, selection_, collection, start);
  }

 private:
  std::vector<allgather::tea::Pass> passes_;
  allgather::tea::TokenSelection selection_;
};

AnyGathering empty_gathering(const RunRequest& request, const Method& method, std::uint64_t words) {
  const std::string_view name = own_name(method);
  const Port n = request.topology.ports();
  if (name == "adea") return std::make_unique<AdeaGathering>(request, words);
  if (name == "daisy-chain") return std::make_unique<DaisyChainGathering>(request, words);
  if (name == "tea1") return std::make_unique<TeaGathering>(request, words, allgather::tea::every_dimension(n));
  if (name == "tea2") return std::make_unique<TeaGathering>(request, words, allgather::tea::one_dimension(n));
  throw std::logic_error(std::string(method.name) + " is no allgather for applications");
}

}  // namespace

AnyGathering make_gathering(const RunRequest& request, const Method& method, std::uint64_t words) {
  AnyGathering any = empty_gathering(request, method, words);
  for_all_ranks(request, [&](Rank rank) {
    std::visit([&](auto& gathering) { generate_block(request.settings.seed, rank, rank, gathering->own(rank)); }, any);
  });
  return any;
}

Method on_cubes(Method entry, Duplex strictest) {
  entry.families = {"hypercube"};
  entry.port_models = {PortModel::one, PortModel::one_strict, PortModel::all};
  entry.strictest_duplex = strictest;
  return entry;
}

Method on_rings(Method entry) {
  entry.families = {"ring", "torus"};
  entry.port_models = {PortModel::one, PortModel::all, PortModel::ring};
  entry.strictest_duplex = Duplex::half_node;
  return entry;
}

Method on_switches(Method entry) {
  entry.families = method::all_switches();
  entry.port_models = {PortModel::one};
  entry.strictest_duplex = Duplex::half_node;
  return entry;
}

}  // namespace lockstep::application
