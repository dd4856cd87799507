#include "block_sort.hpp"

namespace lockstep {
namespace sort {
namespace {

// The bitonic sort of the whole cube on virtual processors: building blocks that meet compare over port k only, and
// merge inside at the end of an iteration (RH 10, classic).
BlockSort block_sort(const ReducedHypercube& rh) {
  const auto compares = [&](Port i, Port j) {
    Network network{between_blocks(rh, i, j)};
    if (j == 0) append_merge(network, rh.k(), iteration_bit(rh, i));
    return network;
  };
  return {.in_block = bitonic_sort(rh.k(), Rank{1} << rh.k()), .meetings = meetings(rh, compares)};
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const ReducedHypercube rh(machine);
  const std::uint64_t d = rh.block_dimensions();
  const std::uint64_t c = rh.layer_dimensions();
  return predict_block_sort(machine, model, settings,
                            {.value = d * (d + 1) / 2 + d * c, .exact = true, .formula = "D(D+1)/2 + D c"});
}

Outcome run(const RunRequest& request) {
  const ReducedHypercube rh(request.machine);
  return run_block_sort(request, block_sort(rh));
}

}  // namespace
}  // namespace sort

extern const Method sort_classic_method{
    .name = "sort/classic",
    .operation = "sort",
    .known_as = "sorting",
    .families = {"rh"},
    .source = "after Mukherjee, chapter 5 (RH 10, classic)",
    .summary = "bitonic sort of the cube with as many nodes, on virtual processors",
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
