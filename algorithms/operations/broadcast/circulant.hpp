#pragma once

#include "lockstep/algorithms/circulant_schedule.hpp"
#include "parts/part_exchange.hpp"
#include "plans/packets/packet_flow.hpp"

// What broadcast/circulant and reduce/circulant share.
namespace lockstep::broadcast {

/// The broadcast from rank 0 as steps in which parts move; `broadcast` must outlive it.
parts::PartSchedule circulant_schedule(const CirculantBroadcast& broadcast);

/// How its packets follow each other on that machine. On very large ones it takes at least as many steps for the first
/// of several packets as they do.
packets::PacketFlow circulant_flow(const MachineSpec& machine);
/// Whether it says just in how many steps longer packets move.
bool is_circulant_flow_exact(const MachineSpec& machine, const Settings& settings);

}  // namespace lockstep::broadcast
