#include "some_to_all.hpp"

#include <algorithm>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::some_to_all {

Sizes sizes_of(const MachineSpec& machine, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t l = settings.sources.value_or(n / 2);
  const std::uint64_t pairs = std::uint64_t{machine.processors} << l;
  return {.n = n,
          .l = l,
          .k = n - l,
          .pairs = pairs,
          .block = settings.words.value_or(0) / pairs,
          .processors = machine.processors,
          .few = std::uint64_t{1} << l};
}

void resolve_sources(const MachineSpec& machine, Settings& settings) {
  const std::uint64_t n = machine.ports;
  sources_parameter.resolve(settings, {.least = 0, .most = n, .otherwise = n / 2});
}

void resolve_total_words(const MachineSpec& machine, Settings& settings, std::uint64_t least_block) {
  const std::uint64_t pairs = sizes_of(machine, settings).pairs;
  const std::string among = std::to_string(pairs) + " pairs of a source and a destination that " +
                            printable(machine.text) + " has with --sources " + std::to_string(*settings.sources);
  if (pairs > most_words / least_block) {
    throw InputError("the " + among + " need more words than " + std::to_string(most_words));
  }
  const std::uint64_t least = pairs * least_block;
  if (settings.words && *settings.words < least) {
    throw InputError("--words " + std::to_string(*settings.words) + " is too few for the " + among + ": " +
                     std::to_string(least) + " would fit, " + counted(least_block, "word") + " for each");
  }
  words_parameter.resolve(settings, {.least = least, .otherwise = least});
  const std::uint64_t fitting = *settings.words / pairs * pairs;
  if (fitting == *settings.words) return;
  throw InputError("--words " + std::to_string(*settings.words) + " cannot be divided evenly among the " + among +
                   ": " + std::to_string(fitting) + " or " + std::to_string(fitting + pairs) + " would fit");
}

std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t parts) {
  const Sizes sizes = sizes_of(machine, settings);
  return saturated(machine_bytes<Bundle>(machine, model) + sizes.processors * Wide{sizeof(Bundle)} +
                   pieces * Bundle::bytes_in_place((sizes.block + parts - 1) / parts) +
                   sizes.pairs * Wide{parts} * Bundle::bytes_elsewhere((sizes.block + parts - 1) / parts));
}

namespace {

/// n steps; each of the few has, or lacks, a block of every other processor, which have to pass its one port or its n;
/// and the n PQ/2 words that move share the links.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  if (sizes.n == 0) return {.steps = 0, .longest_sum = 0};
  const std::uint64_t ports = model.ports == PortModel::all ? sizes.n : 1;
  const Wide of_one = Wide{sizes.processors - 1} * sizes.block;
  const Wide of_all = Wide{sizes.n} * sizes.pairs * sizes.block / 2;
  const Wide at_once = alltoall::messages_a_cycle(facts(machine), model);
  const Wide shared = std::max((of_one + ports - 1) / ports, (of_all + at_once - 1) / at_once);
  return {.steps = sizes.n, .longest_sum = saturated(std::max<Wide>(shared, sizes.n))};
}

}  // namespace

Method with_defaults(Method own, Direction direction) {
  const bool from_some = direction == Direction::some_to_all;
  return filled_in(std::move(own), {.operation = from_some ? "some-to-all" : "all-to-some",
                                    .known_as = from_some ? "some-to-all personalized" : "all-to-some personalized",
                                    .families = {"hypercube"},
                                    .proven = lower_bound});
}

Outcome run(const RunRequest& request, Direction direction, const MoveBlocks& move) {
  const Sizes sizes = sizes_of(request.machine, request.settings);
  const auto origins = static_cast<Rank>(direction == Direction::some_to_all ? sizes.few : sizes.processors);
  const auto destinations = static_cast<Rank>(direction == Direction::some_to_all ? sizes.processors : sizes.few);
  PerRank<Bundle> held(request);
  for_all_ranks(request, [&](Rank origin) {
    if (origin >= origins) return;
    held[origin].reserve(destinations, destinations * sizes.block);
    for (Rank destination = 0; destination < destinations; ++destination) {
      Word* const room = held[origin].add(origin, destination, 0, sizes.block);
      generate_block(request.settings.seed, origin, destination, {room, sizes.block});
    }
  });
  Outcome outcome;
  outcome.report = run_program<Bundle>(request, [&](Processor<Bundle>& self) { return move(self, held[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  const PieceOracle oracle([&](Rank origin, Rank destination) {
    return generated_block(request.settings.seed, origin, destination, sizes.block);
  });
  const auto judge = [&](Rank rank) {
    std::vector<BlockLabels> should_hold;
    for (Rank origin = 0; rank < destinations && origin < origins; ++origin) should_hold.push_back({origin, rank});
    return oracle.judge(rank, held[rank].pieces(), should_hold);
  };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace lockstep::some_to_all
