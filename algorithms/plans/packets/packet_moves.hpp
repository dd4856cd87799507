#pragma once

#include <functional>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"
#include "packet_cut.hpp"

// Blocks that move through a cube in packets, each of which is its own message (johnsson-ho.md, Conventions,
// packetised; johnsson-ho.md, Two dimensions). A processor with all ports forwards packets in exactly the cycle of
// their path; two that need one link in one cycle break the machine's rules and end the run.
namespace lockstep::packets {

/// The dimension that a packet crosses a given number of cycles after its start.
struct PacketHop {
  Port dimension = 0;
  Cycle cycle = 0;
};

/// From a known origin. The cycles ascend: consecutively while the packet moves on at once, with gaps where it waits
/// for its turn.
using PacketPath = std::vector<PacketHop>;

/// The path over these dimensions, one every cycle.
PacketPath without_waits(const std::vector<Port>& dimensions);

/// The start cycles of packets, from the cycle in which the moves begin: `burst` packets in consecutive cycles, and
/// again as many in every period.
///
///     burst 2, period 4, packets 0..5    cycle  0 1 2 3 4 5 6 7 8 9
///                                        start  0 1 . . 2 3 . . 4 5
struct Injection {
  std::uint64_t burst = 1;
  Cycle period = 1;

  Cycle start(std::uint64_t packet) const { return packet / burst * period + packet % burst; }
};

/// Packets of an origin on one path: the words of its block from `first_word` on. Without hops they stay.
struct PacketStream {
  PacketPath path;
  PacketCut packets;
  std::uint64_t first_word = 0;
  Injection injection{};
};

/// The schedule, which every processor knows. Both functions may be called by several threads. The streams of an origin
/// cover its block and all lead to the same processor, to which no other origin's lead.
struct PacketSchedule {
  std::function<std::uint32_t(Rank origin)> streams;                      ///< their number
  std::function<PacketStream(Rank origin, std::uint32_t number)> stream;  ///< must be fast: called on every hop
};

/// Messages that each processor receives, by rank. Takes time in proportion to all hops of all streams.
/// Throws std::logic_error if the cycles of a path do not ascend.
std::vector<std::uint64_t> count_arrivals(const PacketSchedule& schedule, Rank processors);

/// Sub-program: cuts the processor's block into the schedule's packets, numbered in each stream, and sends them,
/// forwards those of others, and stores those for itself in the places of packets that have left; it ends when it has
/// received `arrivals` messages, and sleeps while it has nothing to send. All processors must begin in the same cycle;
/// they end in different ones. On the asynchronous clock a packet waits only for its own arrival and its link, and
/// those that start here only for the link. `held` has its labels set before and receives those of the block that
/// arrived. Throws std::logic_error if a packet is not expected in that cycle on that port, or has no place since the
/// packet there has not left, and what Processor::send throws. All arguments must outlive the sub-program.
Process move_packets(Processor<LabelledBlock>& self, const PacketSchedule& schedule, std::uint64_t arrivals,
                     LabelledBlock& held);

/// Runs move_packets on every processor for a method; `held` by rank.
Report move_packets(const RunRequest& request, const PacketSchedule& schedule, PerRank<LabelledBlock>& held);

/// Bytes of a machine of packets: with the processors' blocks, and a packet of `packet_words` words on every directed
/// link or waiting for one.
std::uint64_t bytes_of_packets(const MachineSpec& machine, const Model& model, std::uint64_t words,
                               std::uint64_t packet_words, std::uint64_t streams);

}  // namespace lockstep::packets
