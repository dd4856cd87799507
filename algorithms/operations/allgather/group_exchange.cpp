#include "group_exchange.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "adea.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "method/step_lengths.hpp"
#include "plans/tree/group_tree.hpp"

namespace lockstep::allgather {
namespace {

Rank mask(Port bits) { return (Rank{1} << bits) - 1; }

/// The senders and their blocks by dimension. Before dimension d, the highest being the first, x holds the blocks of
/// the members that equal x in the bits up to d; the members that equal x's neighbour there in the bits from d on need
/// them on the other side of the link.
class GroupExchange {
 public:
  GroupExchange(const method::Group& group, Port dimensions) : holds_(dimensions), needs_(dimensions) {
    for (Port d = 0; d < dimensions; ++d) {
      holds_[d].resize(std::size_t{1} << (d + 1));
      needs_[d].resize(std::size_t{1} << (dimensions - d));
      for (const Rank member : group.members()) {
        ++holds_[d][member & mask(d + 1)];
        needs_[d][member >> d] = true;
      }
    }
    for (const Rank member : group.members()) differ_ |= member ^ group.members().front();
  }

  /// Whether members differ in the dimension, so that blocks cross it, both ways.
  bool crosses(Port d) const { return has_bit(differ_, d); }
  /// Blocks that the rank sends over the dimension; 0 if it does not.
  Rank sent(Rank rank, Port d) const { return needs_[d][rank >> d ^ 1U] ? holds_[d][rank & mask(d + 1)] : 0; }

  /// The messages over the dimension from the ranks with that bit in it.
  struct Traffic {
    Wide messages = 0;
    Wide blocks = 0;
    Rank longest = 0;  ///< blocks of a message
  };
  Traffic traffic(Port d, bool bit) const {
    Wide ways = 0;
    for (std::size_t above = bit ? 0 : 1; above < needs_[d].size(); above += 2) ways += needs_[d][above] ? 1 : 0;
    Traffic traffic;
    for (std::size_t below = bit ? holds_[d].size() / 2 : 0, end = below + holds_[d].size() / 2; below < end; ++below) {
      traffic.messages += holds_[d][below] > 0 ? ways : 0;
      traffic.blocks += holds_[d][below] * ways;
      traffic.longest = std::max(traffic.longest, holds_[d][below]);
    }
    return traffic;
  }

 private:
  std::vector<std::vector<Rank>> holds_;  // by dimension: members, by their bits up to it
  std::vector<std::vector<bool>> needs_;  // by dimension: whether there are members with those bits from it on
  Rank differ_ = 0;
};

/// Sends the neighbour all blocks here, in the order of the sources, and receives the neighbour's; those received must
/// not be sent back.
Process exchange(Processor<Bundle>& self, Port dimension, Cycle turn, const GroupExchange& plan,
                 std::vector<Rank>& sources, Collection& held) {
  const Rank neighbour = self.rank() ^ Rank { 1 } << dimension;
  if (plan.sent(self.rank(), dimension) > 0) {
    Bundle all;
    for (const Rank source : sources) all.add(held.piece(source));
    co_await self.until(turn);
    self.send(dimension, std::move(all));
  }
  if (plan.sent(neighbour, dimension) > 0) {
    Bundle given = co_await self.message(dimension);
    for (const Piece& piece : given) {
      if (((piece.origin ^ neighbour) & mask(dimension + 1)) != 0) {
        throw std::logic_error("rank " + std::to_string(neighbour) + " cannot have the block of rank " +
                               std::to_string(piece.origin) + " yet");
      }
      sources.push_back(piece.origin);
    }
    std::ranges::sort(sources);
    held.add(std::move(given));
    self.hold(held.words());
  }
}

// Dimension after dimension, the highest first, each in a cycle of its own; in half form in two, in the first of which
// the ranks whose bit is 1 send.
Process exchange_in_group(Processor<Bundle>& self, const GroupExchange& plan, ExchangeForm form, bool is_member,
                          Collection& held) {
  std::vector<Rank> sources;
  if (is_member) sources.push_back(self.rank());
  self.hold(held.words());
  Cycle turn = 0;
  for (Port d = self.ports(); d-- > 0;) {
    if (!plan.crosses(d)) continue;
    const bool second = form == ExchangeForm::half && !has_bit(self.rank(), d);
    co_await exchange(self, d, turn + (second ? 1 : 0), plan, sources, held);
    turn += form == ExchangeForm::half ? 2 : 1;
  }
  if (!is_member) held = Collection(self.processors());
}

}  // namespace

Prediction predict_for_group(const MachineSpec& machine, const Model& model, const Settings& settings,
                             const method::Group& group) {
  const auto n = static_cast<Port>(machine.ports);
  const GroupExchange plan(group, n);
  const bool full = exchange_form_for(model) == ExchangeForm::full;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  Wide blocks = 0;
  for (Port d = 0; d < n; ++d) {
    if (!plan.crosses(d)) continue;
    const std::array both{plan.traffic(d, false), plan.traffic(d, true)};
    for (const auto& way : both) {
      messages += way.messages;
      blocks += way.blocks;
      if (!full) lengths.add(1, way.longest * m);
    }
    if (full) lengths.add(1, std::max(both[0].longest, both[1].longest) * m);
  }
  return {.steps = exact_count(lengths.steps(), full ? "dimensions in which members differ; its d if it is a d-cube"
                                                     : "twice the dimensions in which members differ"),
          .messages = exact_count(messages, "who holds some member's block and leads to another, in every dimension"),
          .words = exact_count(blocks * m, "their blocks, times m"),
          .longest_sum = exact_count(lengths.sum(), "the most blocks that one of them has, in every step, times m"),
          .longest_startups = lengths.startups()};
}

std::uint64_t bytes_for_group(const MachineSpec& machine, const Model& model, const Settings& settings,
                              const method::Group& group) {
  const GroupExchange plan(group, static_cast<Port>(machine.ports));
  Wide messages = 0;
  Wide blocks = group.members().size();
  for (Port d = 0; d < machine.ports; ++d) {
    for (const bool bit : {false, true}) {
      if (!plan.crosses(d)) continue;
      messages += plan.traffic(d, bit).messages;
      blocks += plan.traffic(d, bit).blocks;
    }
  }
  const Wide k = machine.processors;
  // Lists of sources grow by doubling their room, and a message is built beside the collection.
  const Wide of_blocks = blocks * (2 * Bundle::bytes(1, *settings.words) + 2 * sizeof(Rank));
  return saturated(machine_bytes<Bundle>(machine, model) + k * (sizeof(Collection) + k * sizeof(const Word*)) +
                   of_blocks + messages * 2 * sizeof(Bundle) + 8 * k + verify_bytes(machine, settings));
}

Outcome run_for_group(const RunRequest& request, const method::Group& group) {
  const Rank k = request.topology.processors();
  const GroupExchange plan(group, request.topology.ports());
  const ExchangeForm form = exchange_form_for(request.model);
  PerRank<Collection> collections(request);
  for_all_ranks(request, [&](Rank rank) {
    collections[rank] = Collection(k);
    if (group.has(rank)) collections[rank].add(own_block(request, rank));
  });
  Outcome outcome;
  outcome.report = run_program<Bundle>(request, [&](Processor<Bundle>& self) {
    return exchange_in_group(self, plan, form, group.has(self.rank()), collections[self.rank()]);
  });
  const auto held = [&](Rank rank, Rank source) { return collections[rank].block(source); };
  verify(
      request, held, [&](Rank rank) { return group.has(rank); }, outcome);
  return outcome;
}

}  // namespace lockstep::allgather
