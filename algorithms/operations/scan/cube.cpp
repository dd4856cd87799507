#include "lockstep/algorithms/operation/broadcast.hpp"
#include "scan.hpp"

namespace lockstep {
namespace {

Prediction predict_cube(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t v = machine.ports;
  const std::uint64_t messages = v * machine.processors;
  const std::uint64_t w = *settings.words;
  return {.steps = Count{v, true, "v"},
          .messages = Count{messages, true, "v N"},
          .words = exact_count(Wide{messages} * w, "v N w"),
          .longest_sum = Count{v * w, true, "v w"},
          .message_words = w};
}

std::uint64_t bytes_cube(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide messages = Wide{machine.ports} * machine.processors;
  return scan::bytes_with_totals(machine, model, settings, machine.processors, messages);
}

Outcome run_cube(const RunRequest& request) {
  return scan::run(request, request.topology.processors(), {}, [](auto& self, const auto& values, auto& held) {
    return scan::scan_cube(self, values, self.rank(), self.ports(), held);
  });
}

}  // namespace

extern const Method scan_cube_method = scan::with_output({
    .name = "scan/cube",
    .families = {"hypercube"},
    .source = "Mukherjee, chapter 4 (mukherjee.md, Prefix, cube)",
    .summary = "dimension by dimension neighbours exchange the totals of their subcubes; operands stay in order",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .predict = predict_cube,
    .bytes = bytes_cube,
    .run = run_cube,
});

}  // namespace lockstep
