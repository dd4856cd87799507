#pragma once

#include <string>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "parts/part_exchange.hpp"
#include "plans/packets/packet_flow.hpp"

// Broadcasts whose schedules list the packets or parts, senders and receivers of every step (collectives.md,
// Broadcast).
namespace lockstep::broadcast {

/// Turns a schedule from rank 0 into one from the root: ranks count from the root on, cyclically.
parts::PartSchedule from_root(parts::PartSchedule schedule, Rank root, Rank ranks);

/// Runs the schedule from rank 0, with the item in these parts, and compares all items with the root's. The schedule
/// brings every part to all others.
Outcome run_schedule(const RunRequest& request, const parts::PartSchedule& schedule, const parts::Parts& parts);

/// Bytes of such a run: every processor has an item of its own.
std::uint64_t bytes_in_parts(const MachineSpec& machine, const Model& model, const Settings& settings);

inline constexpr packets::FlowPackets scheduled_packets{"packets of the item, each a word or more"};

/// Completes the entry of a broadcast in such packets: with switch and complete graph, and its parameters.
Method scheduled_with_defaults(Method own);

/// As resolve(), with --packets.
void resolve_packets(const MachineSpec& machine, const Model& model, Settings& settings,
                     const packets::PacketFlow& flow);

/// The counts of such packets, each of which reaches all others once; `steps` is the formula of all steps.
Prediction predict_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                           const packets::PacketFlow& flow, std::string steps, bool is_exact = true);

}  // namespace lockstep::broadcast
