#include <numeric>

#include "lockstep/algorithms/run_request.hpp"
#include "permute.hpp"

namespace lockstep {
namespace permute {
namespace {

/// --shift, less whole turns of the address.
Port turns(const MachineSpec& machine, const Settings& settings) {
  return machine.ports == 0 ? 0 : static_cast<Port>(*settings.shift % machine.ports);
}

// k shuffles turn an address left by k places: position i receives the bit at i-k. Johnsson & Ho, section 7
// (johnsson-ho.md, Permutations).
DimensionPermutation shuffled_dimensions(const MachineSpec& machine, const Settings& settings) {
  const auto n = static_cast<Port>(machine.ports);
  const Port k = turns(machine, settings);
  DimensionPermutation delta;
  for (Port i = 0; i < n; ++i) delta.push_back((i + n - k) % n);
  return delta;
}

constexpr NumberParameter shift_parameter{
    {"shift", "shuffles (k); whole turns of the address count nothing", "1"}, &Settings::shift, {.least = 0}};

void resolve_shuffle(const MachineSpec&, const Model&, Settings& settings) {
  words_parameter.resolve(settings);
  shift_parameter.resolve(settings);
}

Prediction predict_shuffle(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  return predict_swaps(machine, settings, n - std::gcd(n, turns(machine, settings)), "(n - gcd(n,k))");
}

LowerBound lower_bound_shuffle(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return distance_bound(machine, model, settings, shuffled_dimensions(machine, settings));
}

Outcome run_shuffle(const RunRequest& request) {
  const auto n = static_cast<Port>(request.machine.ports);
  const Port k = turns(request.machine, request.settings);
  const Rank mask = (Rank{1} << n) - 1;
  return run_swaps(request, rounds_along_cycles(shuffled_dimensions(request.machine, request.settings)),
                   [=](Rank x) { return (x << k | x >> (n - k)) & mask; });
}

}  // namespace
}  // namespace permute

extern const Method permute_shuffle_method = permute::with_defaults({
    .name = "permute/shuffle",
    .mapping = "shuffle",
    .source = "Johnsson & Ho, section 7 (johnsson-ho.md, Permutations)",
    .summary = "k shuffles at once: every address turns left by k places, bit after bit along the cycles",
    .parameters = {permute::words_parameter, permute::shift_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = permute::resolve_shuffle,
    .predict = permute::predict_shuffle,
    .proven = permute::lower_bound_shuffle,
    .bytes = permute::bytes_of_swaps,
    .run = permute::run_shuffle,
});

}  // namespace lockstep
