#pragma once

#include <functional>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"
#include "packet_cut.hpp"

// Blocks that move through a cube in packets, each of which is its own message (johnsson-ho.md, Conventions,
// packetised; johnsson-ho.md, Two dimensions). A processor with all ports passes packets on in the very cycle that
// their path says; two that want one link in one cycle break the machine's rules and end the run.
namespace lockstep::packets {

/// A packet crosses the dimension so many cycles after its start.
struct Hop {
  Port dimension = 0;
  Cycle cycle = 0;
};

/// From an origin that is known. The cycles ascend, one after another while the packet moves on at once, with gaps
/// where it waits for its turn.
using Path = std::vector<Hop>;

/// The path over these dimensions, one every cycle.
Path without_waits(const std::vector<Port>& dimensions);

/// When packets start, from the cycle in which the moves begin: `burst` of them in cycles one after another, and again
/// as many in every period.
///
///     burst 2, period 4, packets 0..5    cycle  0 1 2 3 4 5 6 7 8 9
///                                        start  0 1 . . 2 3 . . 4 5
struct Injection {
  std::uint64_t burst = 1;
  Cycle period = 1;

  Cycle start(std::uint64_t packet) const { return packet / burst * period + packet % burst; }
};

/// Packets of an origin that go one path: the words of its block from `first_word` on. Without hops they stay.
struct Stream {
  Path path;
  PacketCut packets;
  std::uint64_t first_word = 0;
  Injection injection{};
};

/// What every processor knows of all. Both functions may be called by several threads. The streams of an origin cover
/// its block and all lead to the same processor, to which no other origin's lead.
struct PacketSchedule {
  std::function<std::uint32_t(Rank origin)> streams;                ///< their number
  std::function<Stream(Rank origin, std::uint32_t number)> stream;  ///< quick, as it is asked on every hop
};

/// Messages that come to each processor, by rank. Takes time in proportion to all hops of all streams.
/// Throws std::logic_error if the cycles of a path do not ascend.
std::vector<std::uint64_t> count_arrivals(const PacketSchedule& schedule, Rank processors);

/// Sub-program: cuts the block that the processor holds into the schedule's packets, numbered in each stream, and sends
/// them, passes on those of others, and puts those for itself in the place of what has left; it ends when so many
/// messages have come, and sleeps while it has nothing to send. All processors have to begin in the same cycle; they
/// end in different ones. In the asynchronous clock a packet waits for nothing but its own arrival and its link, and
/// those that start here for the link only. `held` has its labels set before and takes those of the block that came.
/// Throws std::logic_error if a packet comes that is not due in that cycle on that port, or that has no place since
/// what was there has not left, and what Processor::send throws. All arguments must outlive the sub-program.
Process move_packets(Processor<LabelledBlock>& self, const PacketSchedule& schedule, std::uint64_t arrivals,
                     LabelledBlock& held);

/// Runs move_packets on every processor for a method; `held` by rank.
Report move_packets(const RunRequest& request, const PacketSchedule& schedule, PerRank<LabelledBlock>& held);

/// Bytes of a machine of packets: with the processors' blocks, and a packet of so many words on every directed link or
/// waiting for one.
std::uint64_t bytes_of_packets(const MachineSpec& machine, const Model& model, std::uint64_t words,
                               std::uint64_t packet_words, std::uint64_t streams);

}  // namespace lockstep::packets
