#include "2d_pipelined.hpp"
#include "schedule/packet_moves.hpp"

// The dual paths transpose: halves of every block on two paths. Johnsson & Ho, section 6.1.2 (johnsson-ho.md, Two
// dimensions).
namespace lockstep {
namespace transpose {
namespace {

constexpr std::uint32_t paths = 2;

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  pipelined::resolve(paths, machine, model, settings);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return pipelined::predict(paths, machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return pipelined::bytes(paths, machine, model, settings);
}

Outcome run(const RunRequest& request) { return pipelined::run(paths, request); }

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_dpt_method{
    .name = "transpose/2d-dpt",
    .aliases = {"DPT"},
    .operation = "transpose",
    .known_as = "two-dimensional transposition, dual paths transpose (DPT)",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 6.1.2 (johnsson-ho.md, Two dimensions)",
    .summary =
        "halves of every block go in packets over two paths from (r,c) to (c,r), which use links in both "
        "directions (n even, K >= 2)",
    .parameters = {matrix_parameter, permute::packet_words_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = transpose::resolve,
    .predict = transpose::predict,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .bytes = transpose::bytes,
    .run = transpose::run,
};

}  // namespace lockstep
