#include "in_steps.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "scan.hpp"

namespace lockstep {
namespace scan {
namespace {

// At distances 1, 2, 4, .. every rank sends the values of as many ranks up to itself. Hillis & Steele 1986
// (collectives.md, Scan).
ScanSteps doubling_steps(const MachineSpec& machine) {
  ScanSteps steps;
  for (std::uint64_t distance = 1; distance < machine.processors; distance *= 2) steps.push_back({distance});
  return steps;
}

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_in_steps(machine, settings, Prefix::inclusive, doubling_steps(machine), "ceil(log2 p)",
                          "p q - (2^q - 1), q = ceil(log2 p)");
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_in_steps(machine, model, settings, Prefix::inclusive, doubling_steps(machine));
}

Outcome run_doubling(const RunRequest& request) {
  return run_in_steps(request, Prefix::inclusive, doubling_steps(request.machine));
}

}  // namespace
}  // namespace scan

extern const Method scan_doubling_method = scan::with_defaults_in_steps({
    .name = "scan/doubling",
    .operation = "scan",
    .known_as = "prefix",
    .source = "Hillis & Steele 1986 (collectives.md, Scan)",
    .summary =
        "at doubling distances every rank sends on what it has of the ranks up to itself; operands stay in order",
    .parameters = {operands::words_parameter, operands::operator_parameter, operands::type_parameter,
                   operands::input_parameter, scan::output_parameter},
    .port_models = {PortModel::one},
    .predict = scan::predict,
    .bytes = scan::bytes,
    .run = scan::run_doubling,
});

}  // namespace lockstep
