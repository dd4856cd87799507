#include "block_sort.hpp"

namespace lockstep {
namespace sort {
namespace {

// All building blocks are ascending; two that meet are sorted anew, by the full bitonic sort of a virtual (k+1)-cube
// whose bit k is 0 on the side that gets the low keys (RH 10, resort). Bit k is one where just one of bits j and i+1 of
// bb is. The first k stages sort either side, and meet data that is sorted already.
BlockSort block_sort(const ReducedHypercube& rh) {
  const auto compares = [&](Port i, Port j) {
    const CompareSplit between = between_blocks(rh, i, j);
    Network network = bitonic_sort(rh.k(), Rank{1} << between.dimension ^ between.descending);
    network.push_back(between);
    append_merge(network, rh.k(), 0);
    return network;
  };
  return {.in_block = bitonic_sort(rh.k(), 0), .meetings = meetings(rh, compares)};
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const ReducedHypercube rh(machine);
  const std::uint64_t d = rh.block_dimensions();
  const std::uint64_t c = rh.layer_dimensions();
  const std::uint64_t k = rh.k();
  return predict_block_sort(machine, model, settings,
                            {.value = d * (d + 1) / 2 * (1 + c * (k + 1) - c * (c - 1) / 2),
                             .exact = c == 0,
                             .formula = "D(D+1)/2 (1 + c(k+1) - c(c-1)/2)"});
}

Outcome run(const RunRequest& request) {
  const ReducedHypercube rh(request.machine);
  return run_block_sort(request, block_sort(rh));
}

}  // namespace
}  // namespace sort

extern const Method sort_resort_method{
    .name = "sort/resort",
    .operation = "sort",
    .known_as = "sorting",
    .families = {"rh"},
    .source = "Mukherjee, chapter 5 (RH 10, resort)",
    .summary = "building blocks that meet are sorted anew, by a bitonic sort of both",
    .parameters = {sort::words_parameter, sort::type_parameter, sort::move_parameter, sort::input_parameter,
                   sort::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = sort::resolve_block_sort,
    .predict = sort::predict,
    .lower_bound = sort::bound_block_sort,
    .bytes = sort::bytes_block_sort,
    .run = sort::run,
};

}  // namespace lockstep
