#pragma once

#include "parts/part_exchange.hpp"
#include "plans/packets/packet_flow.hpp"
#include "plans/tree/two_tree.hpp"

// What broadcast/two-tree and allreduce/two-tree share.
namespace lockstep::broadcast {

/// The broadcast of that many packets from rank 0 as steps in which parts move, packet i down tree i mod 2; `two`, of p
/// ranks, must outlive it.
parts::PartSchedule two_tree_schedule(const tree::TwoTree& two, Rank p, std::uint64_t packets);

/// The flow of its packets on that machine. On very large machines it counts at least as many steps for the first of
/// several packets as they take.
packets::PacketFlow two_tree_flow(const MachineSpec& machine);
/// Whether the flow gives the exact number of steps.
bool is_two_tree_flow_exact(const MachineSpec& machine);

}  // namespace lockstep::broadcast
