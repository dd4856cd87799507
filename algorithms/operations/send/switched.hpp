#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/algorithms/packets.hpp"
#include "send.hpp"

// Packets that know their paths (mukherjee.md, Switching): cut through, over circuits, or with start-ups once a path.
namespace lockstep::send {

/// Whether the cost of packets depends on their place on the path.
inline bool is_switched(const CostModel& cost) {
  return cost.switching != Switching::store_and_forward || cost.startup == StartupPer::path;
}

/// Fills in one packet per path, if none are given, where a packet keeps the links behind it: more would only wait for
/// each other.
inline void one_packet_if_through(const CostModel& cost, Settings& settings) {
  if (cost.switching != Switching::store_and_forward && !settings.packets) settings.packets = 1;
}

/// The steps of packets over paths side by side, and the synchronous time.
struct SwitchedCounts {
  std::uint64_t steps = 0;
  std::uint64_t longest_sum = 0;
  double time = 0;
};

/// Of pipelines that all start in step 0. Costs time in proportion to the steps times the paths.
SwitchedCounts count_switched(std::span<const Pipeline> pipelines, const CostModel& cost);

/// The synchronous time of pipelines, however their packets are switched; quick, unless packets keep links.
double pipeline_time(std::span<const Pipeline> pipelines, const CostModel& cost);

/// Bytes of the schedule and the packets, besides what send::bytes counts of all packets.
Wide bytes_switched(const MachineSpec& machine, const Routes& routes);

/// As send::predict and send::run, for such packets.
Prediction predict_switched(const CostModel& cost, std::span<const Pipeline> pipelines, Prediction counts);
Outcome run_switched(const RunRequest& request, const Routes& routes);

}  // namespace lockstep::send
