#include "2d_pipelined.hpp"
#include "schedule/packet_moves.hpp"

// The single path transpose in packets. Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions).
namespace lockstep {
namespace transpose {
namespace {

constexpr std::uint32_t paths = 1;

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

extern const Method transpose_2d_spt_pipelined_method{
    .name = "transpose/2d-spt-pipelined",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, pipelined single path transpose (SPT)",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions)",
    .summary =
        "packets follow each other over one path from (r,c) to (c,r), which uses links in one direction only "
        "(n even)",
    .parameters = {matrix_parameter, permute::packet_words_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = transpose::resolve,
    .predict = transpose::predict,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .bytes = transpose::bytes,
    .run = transpose::run,
};

}  // namespace lockstep
