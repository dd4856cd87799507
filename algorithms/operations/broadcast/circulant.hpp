#pragma once

#include "lockstep/algorithms/circulant_schedule.hpp"
#include "parts/part_exchange.hpp"
#include "plans/packets/packet_flow.hpp"

// What broadcast/circulant and reduce/circulant share.
namespace lockstep::broadcast {

/// The broadcast from rank 0 as steps in which parts move; `broadcast` must outlive it.
parts::PartSchedule circulant_schedule(const CirculantBroadcast& broadcast);

/// The flow of its packets on that machine. On very large machines it counts at least as many steps for the first of
/// several packets as they take.
packets::PacketFlow circulant_flow(const MachineSpec& machine);
/// Whether the flow gives the exact number of steps of longer packets.
bool is_circulant_flow_exact(const MachineSpec& machine, const Settings& settings);

}  // namespace lockstep::broadcast
