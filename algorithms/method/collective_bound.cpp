#include "collective_bound.hpp"

#include <algorithm>

#include "lockstep/core/spread.hpp"

namespace lockstep::method {
namespace {

/// Words that must enter some rank, or leave one, of p.
Wide words_at_busiest(std::string_view operation, Wide p, Wide words) {
  if (operation == "broadcast" || operation == "reduce") return p > 1 ? words : 0;
  if (operation == "allreduce") return (2 * (p - 1) * words + p - 1) / p;
  if (operation == "reduce-scatter") return ((p - 1) * words + p - 1) / p;
  return (p - 1) * words;  // of an allgather, gather, scatter or alltoall
}

}  // namespace

LowerBound collective_bound(std::string_view operation, const MachineSpec& machine, const Model& model,
                            std::uint64_t words) {
  const Wide links = std::max<std::uint64_t>(machine.ports, 1);
  const Wide sent_at_once = spreads_at_once(model) ? links : 1;
  const Wide received_at_once = sends_on_several_ports(model.ports) ? links : 1;
  std::uint64_t steps = 0;
  for (Wide known = 1; known < machine.processors; known *= sent_at_once + 1) ++steps;
  const Wide most = words_at_busiest(operation, machine.processors, words);
  return {.steps = steps, .longest_sum = std::max(steps, saturated((most + received_at_once - 1) / received_at_once))};
}

}  // namespace lockstep::method
