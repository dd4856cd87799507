#pragma once

#include <span>

#include "lockstep/core/process.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep {

/// Whether the model lets a processor send one payload on all its ports in one cycle.
inline bool spreads_at_once(const Model& model) {
  const bool may_multicast = model.ports == PortModel::one || is_k_ports(model.ports);
  return sends_on_several_ports(model.ports) || (may_multicast && model.multicast);
}

/// Sub-program: sends the item on all of these ports, in their order, over as many cycles as the model requires: all in
/// this cycle if it allows that, else one port per cycle. Ends in the cycle of the last send. The ports are different
/// and, like the item, must outlive the sub-program. Throws as Processor::send does.
///
///     co_await spread(self, children, item);
template <Payload T, std::size_t Capacity>
Process spread(Processor<T, Capacity>& self, std::span<const Port> ports, const T& item) {
  if (spreads_at_once(self.model())) {
    self.send(ports, item);
    co_return;
  }
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0) co_await self.cycle();
    self.send(ports[index], item);
  }
}

}  // namespace lockstep
