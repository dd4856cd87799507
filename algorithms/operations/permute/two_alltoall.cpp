#include <algorithm>

#include "dimension_permutation.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "operations/alltoall/exchange.hpp"
#include "permute.hpp"
#include "rank_permutation.hpp"

namespace lockstep {
namespace permute {
namespace {

std::vector<Rank> destinations(const MachineSpec& machine, const Settings& settings) {
  const auto processors = static_cast<Rank>(machine.processors);
  if (settings.permutation) return read_rank_permutation(*settings.permutation, processors);
  return random_permutation(processors, settings.seed);
}

constexpr NumberParameter divided_words{{"words", "words of every processor (K), a multiple of their number", "2^n"},
                                        &Settings::words};

void resolve_two_alltoall(const MachineSpec& machine, const Model&, Settings& settings) {
  const std::uint64_t processors = machine.processors;
  divided_words.resolve(settings, {.least = processors, .otherwise = processors});
  if (const std::uint64_t rest = *settings.words % processors; rest != 0) {
    throw InputError("--words " + std::to_string(*settings.words) + " is no multiple of the " +
                     std::to_string(processors) + " processors; " + std::to_string(*settings.words - rest) + " and " +
                     std::to_string(*settings.words - rest + processors) + " are");
  }
  if (settings.permutation) destinations(machine, settings);
}

Prediction predict_two_alltoall(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool full = model.duplex == Duplex::full;
  const Wide steps = Wide{full ? 2U : 4U} * machine.ports;
  const Wide messages = Wide{2} * machine.ports * machine.processors;
  const Wide half = *settings.words / 2;
  return {.steps = exact_count(steps, full ? "2 n" : "4 n"),
          .messages = exact_count(messages, "2 n 2^n"),
          .words = exact_count(messages * half, "n 2^n K"),
          .longest_sum = exact_count(steps * half, full ? "n K" : "2 n K"),
          .message_words = *settings.words / 2};
}

LowerBound lower_bound_two_alltoall(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::vector<Rank> to = destinations(machine, settings);
  Port largest = 0;
  Wide link_sum = 0;
  for (Rank rank = 0; rank < to.size(); ++rank) {
    const Port distance = one_bits(rank ^ to[rank]);
    largest = std::max(largest, distance);
    link_sum += distance;
  }
  return distance_bound(machine, model, settings, largest, link_sum);
}

/// The settings of an all-to-all exchange in which every processor has a group of words for each.
Settings of_groups(const Settings& settings, std::uint64_t processors) {
  Settings groups = settings;
  groups.words = *settings.words / processors;
  return groups;
}

// Half of what a processor holds is on its way in an exchange, and as much may be coming.
std::uint64_t bytes_two_alltoall(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  return saturated(alltoall::bytes_for(machine, model, of_groups(settings, machine.processors), 2 * k * k) +
                   k * (allocated_bytes(*settings.words / machine.processors) + 2 * sizeof(Rank)));
}

/// The block of each rank, in groups for the processors in order.
PerRank<Bundle> initial_groups(const RunRequest& request, const std::vector<Rank>& to) {
  const Rank processors = request.topology.processors();
  const std::uint64_t size = *request.settings.words / processors;
  PerRank<Bundle> held(request);
  for_all_ranks(request, [&](Rank rank) {
    const Block block = generated_block(request.settings.seed, rank, to[rank], *request.settings.words);
    held[rank].reserve(processors, block.size());
    for (Rank group = 0; group < processors; ++group) {
      held[rank].add(Piece{rank, group, 0, block.words()}.part(group * size, size));
    }
  });
  return held;
}

// Group j of every block goes to processor j, and from there to the block's destination: two all-to-all exchanges,
// which take equally long for every permutation. Johnsson & Ho, section 7 (johnsson-ho.md, Permutations).
Process two_alltoall(Processor<Bundle>& self, const std::vector<Rank>& to, Bundle& held) {
  self.phase("apart");
  co_await alltoall::exchange(self, held);
  for (std::uint64_t index = 0; index < held.size(); ++index) held.label(index, self.rank(), to[held[index].origin]);
  self.phase("together");
  co_await alltoall::exchange(self, held);
}

// A rank can only have received groups of the block that was for it, as no others were sent there.
Outcome run_two_alltoall(const RunRequest& request) {
  const std::vector<Rank> to = destinations(request.machine, request.settings);
  PerRank<Bundle> held = initial_groups(request, to);
  Outcome outcome;
  outcome.report =
      run_program<Bundle>(request, [&](Processor<Bundle>& self) { return two_alltoall(self, to, held[self.rank()]); });
  for (Rank origin = 0; origin < to.size(); ++origin) {
    if (!is_here(request.division, to[origin])) continue;
    Bundle& groups = held[to[origin]];
    for (std::uint64_t index = 0; index < groups.size(); ++index) {
      groups.label(index, origin, groups[index].destination);
    }
  }
  verify(
      request, [&](Rank rank) { return to[rank]; }, [&](Rank rank) { return held[rank].pieces(); }, outcome);
  return outcome;
}

}  // namespace
}  // namespace permute

extern const Method permute_two_alltoall_method = permute::with_defaults({
    .name = "permute/two-alltoall",
    .mapping = "of ranks",
    .source = "Johnsson & Ho, section 7 (johnsson-ho.md, Permutations)",
    .summary = "any permutation of the processors: all blocks are dealt out to all, and gathered from all",
    .parameters = {permute::divided_words,
                   Parameter{"permutation",
                             "file of 2^n ranks, parted by white space: the destinations of processors 0, 1, ..",
                             "random, by --seed"}},
    .strictest_duplex = Duplex::half_node,
    .resolve = permute::resolve_two_alltoall,
    .predict = permute::predict_two_alltoall,
    .proven = permute::lower_bound_two_alltoall,
    .bytes = permute::bytes_two_alltoall,
    .run = permute::run_two_alltoall,
});

}  // namespace lockstep
