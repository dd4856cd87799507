#include "lockstep/algorithms/operation/allgather.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/grid.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::allgather {
namespace {

std::string what_is_wrong(Rank rank, Rank source, std::span<const Word> block, std::span<const Word> expected) {
  return "rank " + std::to_string(rank) + " holds " + std::to_string(block.size()) + " words of the " +
         std::to_string(expected.size()) + " from rank " + std::to_string(source) + ", the first " +
         std::to_string(right_words(block, expected)) + " right";
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(
      std::move(own),
      {.operation = "allgather", .known_as = "total exchange", .parameters = {words_parameter}, .resolve = resolve});
}

void resolve(const MachineSpec&, const Model&, Settings& settings) { words_parameter.resolve(settings); }

void generate(const RunRequest& request, Rank rank, std::span<Word> block) {
  generate_block(request.settings.seed, rank, rank, block);
}

// A right block has the digest of the generated one, which need not be computed anew; and where many ranks share the
// memory of a block it is read once.
void verify(const RunRequest& request, const HeldBlock& held, const std::function<bool(Rank)>& takes_part,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Rank k = request.topology.processors();
  const std::uint64_t size = *request.settings.words;
  std::vector<Word> all(k * size);
  std::vector<std::uint64_t> digests(k);
  std::vector<std::atomic<const Word*>> right_at(k);  // the last memory where the source's block was found right
  const auto block_of = [&](Rank source) { return std::span(all).subspan(source * size, size); };
  for (Rank source = 0; source < k; ++source) {
    generate(request, source, block_of(source));
    digests[source] = digest_of(block_of(source));
  }
  const auto judge = [&](Rank rank) {
    Verdict verdict;
    WordDigest digest;
    for (Rank source = 0; source < k; ++source) {
      const std::span<const Word> block = held(rank, source);
      if (!takes_part(rank) || !takes_part(source)) {
        if (!block.empty() && verdict.wrong.empty()) verdict.wrong = what_is_wrong(rank, source, block, {});
        continue;
      }
      const bool shared = block.size() == size && block.data() == right_at[source].load(std::memory_order_relaxed);
      const bool right = shared || std::ranges::equal(block, block_of(source));
      if (right && !shared) right_at[source].store(block.data(), std::memory_order_relaxed);
      digest.add(right ? digests[source] : digest_of(block));
      if (!right && verdict.wrong.empty()) verdict.wrong = what_is_wrong(rank, source, block, block_of(source));
    }
    verdict.digest = digest.value();
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

void verify(const RunRequest& request, const HeldBlock& held, Outcome& outcome) {
  verify(
      request, held, [](Rank) { return true; }, outcome);
}

namespace {

/// The most processors that can receive in a step with one port: where a processor only sends or only receives, there
/// must be a sender for as many receivers as it can send to at once.
Wide one_port_receipts(const MachineSpec& machine, const Model& model, std::uint64_t links) {
  const Wide k = machine.processors;
  const Wide sent_at_once = spreads_at_once(model) ? links : 1;
  return model.duplex == Duplex::half_node ? k * sent_at_once / (sent_at_once + 1) : k;
}

}  // namespace

// Where each direction of a link may be busy all the time, a processor can receive on every link, or on one, in every
// step. Else with all ports only half of the directed links can be busy.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t diameter,
                       std::uint64_t links) {
  const std::uint64_t k = machine.processors;
  if (k == 1) return {.steps = 0, .longest_sum = 0};
  Wide receipts = one_port_receipts(machine, model, links);
  if (model.ports == PortModel::all) receipts = Wide{k} * links / (model.duplex == Duplex::full ? 1 : 2);
  const Wide received = Wide{k} * (k - 1) * *settings.words;
  return {.steps = diameter, .longest_sum = saturated(std::max<Wide>(diameter, (received + receipts - 1) / receipts))};
}

LowerBound lower_bound_on_hypercube(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, machine.ports, machine.ports);
}

// A corner of a mesh has the fewest links over which to receive. What all receive together has to go over all links, of
// which only one direction is busy in half duplex.
LowerBound lower_bound_on_grid(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return {.steps = 0, .longest_sum = 0};
  const Grid grid(machine);
  const Wide k = machine.processors;
  const Wide received = (k - 1) * *settings.words;
  const Wide receipts = one_port_receipts(machine, model, machine.ports);
  Wide words = (k * received + receipts - 1) / receipts;
  if (model.ports == PortModel::all) {
    Wide links = 0;
    for (const GridAxis& axis : grid.axes()) {
      const bool is_closed = axis.is_ring() && axis.side() > 2;
      links += k / axis.side() * (is_closed ? axis.side() : axis.side() - 1);
    }
    const Wide fewest = grid.degree_min();
    words = (received + fewest - 1) / fewest;
    if (model.duplex != Duplex::full) words = std::max(words, (k * received + links - 1) / links);
  }
  const std::uint64_t diameter = grid.eccentricity(0);  // rank 0 is in a corner, or like all others
  return {.steps = diameter, .longest_sum = std::max(diameter, saturated(words))};
}

LowerBound lower_bound_on_switch(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, doublings(machine.processors), 1);
}

std::uint64_t verify_bytes(const MachineSpec& machine, const Settings& settings) {
  return machine.processors * (*settings.words + 1) * sizeof(Word);
}

}  // namespace lockstep::allgather
