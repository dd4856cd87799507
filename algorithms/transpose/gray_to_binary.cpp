#include "gray.hpp"
#include "lockstep/algorithms/run_program.hpp"

// From Gray code to binary code. Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes).
namespace lockstep {

extern const Method transpose_gray_to_binary_method{
    .name = "transpose/gray-to-binary",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, change of encoding",
    .families = {"hypercube"},
    .source = transpose::gray_source,
    .summary = "rows and columns in Gray code before, in binary code afterwards (n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_two_dimensional(machine, settings, 1); },
    .predict = transpose::predict_conversion,
    .lower_bound =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return transpose::lower_bound_of_gray(transpose::gray_to_binary, machine, model, settings);
        },
    .bytes = transpose::bytes_of_conversion,
    .run = [](const RunRequest& request) { return transpose::run_conversion(request, transpose::gray_to_binary); },
};

}  // namespace lockstep
