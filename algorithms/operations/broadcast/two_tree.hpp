#pragma once

#include "parts/part_exchange.hpp"
#include "plans/packets/packet_flow.hpp"
#include "plans/tree/two_tree.hpp"

// What broadcast/two-tree and allreduce/two-tree share.
namespace lockstep::broadcast {

/// The broadcast of so many packets from rank 0 as steps in which parts move, packet i down tree i mod 2; `two`, of p
/// ranks, must outlive it.
parts::PartSchedule two_tree_schedule(const tree::TwoTree& two, Rank p, std::uint64_t packets);

/// How its packets follow each other on that machine. On very large ones it takes at least as many steps for the first
/// of several packets as they do.
packets::PacketFlow two_tree_flow(const MachineSpec& machine);
/// Whether it says just in how many steps packets move.
bool is_two_tree_flow_exact(const MachineSpec& machine);

}  // namespace lockstep::broadcast
