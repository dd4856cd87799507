#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lockstep/algorithms/packets.hpp"

namespace lockstep::packets {

/// For packets that follow each other by a schedule, each in its own steps: the number of steps in which at least one
/// of the first `first` of n packets moves; all steps if `first` is n.
using PacketFlow = std::function<std::uint64_t(std::uint64_t n, std::uint64_t first)>;

/// The cost of the packets, the longer ones first.
StepCounts count_steps(const PacketFlow& flow, const Split& packets, const CostModel& cost);

/// The number of packets of a flow.
struct FlowPackets : PacketsParameter {
  /// `meaning_here` is its meaning for the method.
  constexpr explicit FlowPackets(std::string_view meaning_here) : PacketsParameter(meaning_here, fallback_quotients) {}

  /// As PacketsParameter, for the numbers into which fallback_quotients divides the words.
  void resolve(Settings& settings, const PacketFlow& flow, const CostModel& cost) const;
};

/// One packet starts per step, and each crosses one of `hops` hops per step.
PacketFlow flow_over_hops(std::uint64_t hops);

/// Packets that go down several trees in turn: packet i down tree i mod (trees), where it moves in the steps
/// floor(i / trees) `period` + offset, for all offsets of the tree.
PacketFlow flow_down_trees(std::uint64_t period, const std::vector<std::vector<std::uint64_t>>& offsets);

}  // namespace lockstep::packets
