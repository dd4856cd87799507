#pragma once

#include <vector>

#include "lockstep/core/processor.hpp"
#include "parts/part_exchange.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep::parts {

/// Executes every step in a cycle of its own, among ranks that have links or a switch between them. `message` makes the
/// message of a step, and `take` takes one that was received; both get a PartStep and the number of the step. The rank
/// holds that many words at first. The schedule must outlive the sub-program, and what the functions refer to.
template <class Payload, class MakeMessage, class Take>
Process carry_out(Processor<Payload>& self, const PartSchedule& schedule, std::uint64_t held, MakeMessage message,
                  Take take) {
  self.hold(held);
  std::vector<PartStep> lanes(schedule.lanes);
  const StepRange active = schedule.active_steps(self.rank());
  for (Cycle step = active.first; step < active.end; ++step) {
    for (Cycle lane = 0; lane < schedule.lanes; ++lane) {
      lanes[lane] = schedule.at(self.rank(), step * schedule.lanes + lane);
      if (lanes[lane].to == no_rank) continue;
      Payload sent = message(lanes[lane], step);
      co_await self.until(step);
      self.send(turns::port_to(self, lanes[lane].to), std::move(sent));
    }
    for (const PartStep& lane : lanes) {
      if (lane.from != no_rank) take(lane, step, co_await self.message(turns::port_to(self, lane.from)));
    }
  }
}

}  // namespace lockstep::parts
