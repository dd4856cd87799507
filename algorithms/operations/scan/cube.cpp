#include "lockstep/algorithms/operation/broadcast.hpp"
#include "operands/predicted_operations.hpp"
#include "scan.hpp"

namespace lockstep {
namespace {

template <scan::Prefix prefix>
Prediction predict_cube(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t v = machine.ports;
  const std::uint64_t messages = v * machine.processors;
  const std::uint64_t w = *settings.words;
  Prediction prediction{.steps = Count{v, true, "v"},
                        .messages = Count{messages, true, "v N"},
                        .words = exact_count(Wide{messages} * w, "v N w"),
                        .longest_sum = Count{v * w, true, "v w"},
                        .message_words = w};
  // The upper half of a step's pairs combine a prefix and a total, the lower half a total. A rank that has no prefix
  // yet only takes one over: all of the upper half in the first step.
  const bool is_exclusive = prefix == scan::Prefix::exclusive;
  const Wide taken_over = is_exclusive ? machine.processors - 1 : 0;
  operands::predict_operations(settings, (Wide{messages} / 2 * 3 - taken_over) * w,
                               is_exclusive ? "(3/2 v N - (N - 1)) w" : "3/2 v N w",
                               (Wide{v} * 2 - (is_exclusive && v > 0 ? 1 : 0)) * w, prediction);
  return prediction;
}

std::uint64_t bytes_cube(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide messages = Wide{machine.ports} * machine.processors;
  return scan::bytes_with_totals(machine, model, settings, machine.processors, messages);
}

template <scan::Prefix prefix>
Outcome run_cube(const RunRequest& request) {
  return scan::run(request, prefix, request.topology.processors(), {}, [](auto& self, const auto& values, auto& held) {
    return scan::scan_cube(self, values, self.rank(), self.ports(), held);
  });
}

Method on_cube(Method own, scan::Prefix prefix) {
  return scan::with_output(
      filled_in(std::move(own), {.families = {"hypercube"},
                                 .source = "Mukherjee, chapter 4 (mukherjee.md, Prefix, cube)",
                                 .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},

                                 .bytes = bytes_cube}),
      prefix);
}

}  // namespace

extern const Method scan_cube_method = on_cube(
    {
        .name = "scan/cube",
        .summary = "dimension by dimension neighbours exchange the totals of their subcubes; operands stay in order",
        .predict = predict_cube<scan::Prefix::inclusive>,
        .run = run_cube<scan::Prefix::inclusive>,
    },
    scan::Prefix::inclusive);

extern const Method exscan_cube_method = on_cube(
    {
        .name = "exscan/cube",
        .summary = "scan/cube without a rank's own value; operands stay in order",
        .predict = predict_cube<scan::Prefix::exclusive>,
        .run = run_cube<scan::Prefix::exclusive>,
    },
    scan::Prefix::exclusive);

}  // namespace lockstep
