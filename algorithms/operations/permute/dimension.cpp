#include "lockstep/algorithms/run_request.hpp"
#include "method/dimension_list.hpp"
#include "permute.hpp"

namespace lockstep {
namespace permute {
namespace {

constexpr Parameter permutation_parameter{"permutation",
                                          "delta(0),delta(1),.., e.g. 2,0,1: bit i of where a processor's block goes "
                                          "is bit delta(i) of its own address",
                                          "random, by --seed"};

DimensionPermutation delta_of(const MachineSpec& machine, const Settings& settings) {
  return method::parse_dimensions("--permutation", *settings.permutation, static_cast<Port>(machine.ports));
}

void resolve_dimension(const MachineSpec& machine, const Model&, Settings& settings) {
  words_parameter.resolve(settings);
  const auto n = static_cast<Port>(machine.ports);
  if (!settings.permutation) settings.permutation = to_string(random_permutation(n, settings.seed));
  delta_of(machine, settings);
}

template <std::vector<SwapRound> (*rounds)(const DimensionPermutation&)>
Prediction predict_dimension(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_swaps(machine, settings, count_swaps(rounds(delta_of(machine, settings))), "s");
}

LowerBound lower_bound_dimension(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return distance_bound(machine, model, settings, delta_of(machine, settings));
}

template <std::vector<SwapRound> (*rounds)(const DimensionPermutation&)>
Outcome run_dimension(const RunRequest& request) {
  const DimensionPermutation delta = delta_of(request.machine, request.settings);
  return run_swaps(request, rounds(delta), [&](Rank x) { return destination(delta, x); });
}

}  // namespace
}  // namespace permute

extern const Method permute_dimension_halving_method = permute::with_defaults({
    .name = "permute/dimension-halving",
    .mapping = "of dimensions",
    .source = "Johnsson & Ho, section 7 (johnsson-ho.md, Permutations)",
    .summary =
        "a permutation of the address bits: those in the wrong half change places pairwise, and so on in both halves",
    .parameters = {permute::words_parameter, permute::permutation_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = permute::resolve_dimension,
    .predict = permute::predict_dimension<permute::halving_rounds>,
    .proven = permute::lower_bound_dimension,
    .bytes = permute::bytes_of_swaps,
    .run = permute::run_dimension<permute::halving_rounds>,
});

extern const Method permute_dimension_two_round_method = permute::with_defaults({
    .name = "permute/dimension-two-round",
    .mapping = "of dimensions",
    .source = "after Johnsson & Ho, section 7 (johnsson-ho.md, Permutations)",
    .summary = "a permutation of the address bits in two rounds, each of which reflects its cycles: bits change places",
    .parameters = {permute::words_parameter, permute::permutation_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = permute::resolve_dimension,
    .predict = permute::predict_dimension<permute::two_rounds>,
    .proven = permute::lower_bound_dimension,
    .bytes = permute::bytes_of_swaps,
    .run = permute::run_dimension<permute::two_rounds>,
});

}  // namespace lockstep
