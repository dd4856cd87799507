#include "entry_parts.hpp"

#include <bit>
#include <utility>

#include "lockstep/core/printable.hpp"

namespace lockstep::method {

Prediction nothing_moves() {
  const Count none{0, true, "0"};
  return {.steps = none, .messages = none, .words = none, .longest_sum = none, .longest_startups = 0};
}

void require_power_of_two(const MachineSpec& machine) {
  if (std::has_single_bit(machine.processors)) return;
  throw InputError(printable(machine.text) + " has " + std::to_string(machine.processors) +
                   " processors; a power of two is needed");
}

Method on_hypercubes(Method method) {
  method.families = {"hypercube"};
  method.port_models = {PortModel::one, PortModel::one_strict, PortModel::all};
  return method;
}

MethodPair with_reverse(Method forwards, Method backwards) {
  backwards = filled_in(std::move(backwards), forwards);
  backwards.defaults = forwards.defaults;
  backwards.strictest_duplex = forwards.strictest_duplex;
  backwards.knows_paths = forwards.knows_paths;
  return {std::move(forwards), std::move(backwards)};
}

}  // namespace lockstep::method
