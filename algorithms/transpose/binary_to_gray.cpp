#include "gray.hpp"
#include "lockstep/algorithms/run_program.hpp"

// From binary code to Gray code. Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes).
namespace lockstep {

extern const Method transpose_binary_to_gray_method{
    .name = "transpose/binary-to-gray",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, change of encoding",
    .families = {"hypercube"},
    .source = transpose::gray_source,
    .summary = "rows and columns in binary code before, in Gray code afterwards (n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_two_dimensional(machine, settings, 1); },
    .predict = transpose::predict_conversion,
    .lower_bound =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return transpose::lower_bound_of_gray(transpose::binary_to_gray, machine, model, settings);
        },
    .bytes = transpose::bytes_of_conversion,
    .run = [](const RunRequest& request) { return transpose::run_conversion(request, transpose::binary_to_gray); },
};

}  // namespace lockstep
