#include "on_shortest_paths.hpp"

namespace lockstep::alltoall {

Prediction predict_on_shortest_paths(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::optional<Wide> sum = sum_of_distances(machine);
  if (!sum) return {};
  const Wide b = *settings.words;
  return {.steps = at_most_count(*sum, "S, the sum of all distances"),
          .messages = exact_count(*sum, "S, the sum of all distances"),
          .words = exact_count(b * *sum, "b S"),
          .longest_sum = at_most_count(b * *sum, "b S"),
          .message_words = *settings.words};
}

Wide most_moves(const MachineSpec& machine) {
  const Wide n = machine.processors;
  return sum_of_distances(machine).value_or(n * n * n);
}

Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Settings& settings, Wide moves) {
  return written::bytes_to_follow(machine, model, Task{}, *settings.words, moves);
}

Outcome follow_steps(const RunRequest& request, MoveSteps steps) {
  return written::follow(request, {request.topology.processors(), std::move(steps)});
}

}  // namespace lockstep::alltoall
