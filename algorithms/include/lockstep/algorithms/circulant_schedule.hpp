#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/topology.hpp"

// Broadcast schedules in the fewest steps for any number of ranks. J. L. Traeff, arXiv 2312.11236 and 2407.18004
// (collectives.md, Broadcast).
namespace lockstep {

/// The blocks that every rank receives and sends in q = ceil(log2 p) rounds that repeat, where rank 0 has all blocks.
/// In round k rank r sends to rank r + s_k and receives from r - s_k, modulo p, with the skips s_q = p, s_k = s_(k+1)/2
/// rounded up, s_0 = 1. Blocks are numbered relative to these q rounds: -1, .., -q are those of the q rounds before,
/// and in the next q rounds every number denotes the block q further on. Immutable.
class CirculantSchedule {
 public:
  /// Throws std::invalid_argument if there is no rank.
  explicit CirculantSchedule(Rank ranks);

  /// p.
  Rank ranks() const { return skips_.back(); }
  /// q = ceil(log2 p), after which the rounds repeat.
  std::uint32_t rounds() const { return static_cast<std::uint32_t>(skips_.size()) - 1; }
  /// s_0, .., s_q.
  std::span<const Rank> skips() const { return skips_; }
  /// The one block new in these rounds that the rank receives: the smallest skip in the decomposition of the rank into
  /// skips, largest first. That of rank 0 is q.
  std::uint32_t baseblock(Rank rank) const;
  /// The block that the rank, below p, receives in every round; with b its baseblock all of -1, .., -q but b - q, and
  /// b. Rank 0 receives nothing: its numbers are -1, .., -q. O(q^2) time.
  std::vector<std::int32_t> received(Rank rank) const;
  /// The block that it sends in every round: one that it has received in an earlier round, or b - q; rank 0 sends block
  /// k in round k. O(q^3) time.
  std::vector<std::int32_t> sent(Rank rank) const;

 private:
  std::vector<Rank> skips_;
};

/// The broadcast of n packets from rank 0, in n - 1 + q steps and (p - 1) n messages: no rank receives a packet twice.
/// Immutable; keeps p q bytes.
class CirculantBroadcast {
 public:
  /// The messages of a rank in a step.
  struct CirculantMove {
    Rank to = no_rank;           ///< the receiver; no_rank if it sends nothing
    std::uint64_t sent = 0;      ///< the packet, from 0
    Rank from = no_rank;         ///< the sender; no_rank if it receives nothing
    std::uint64_t received = 0;  ///< the packet, from 0
  };
  /// The former name of CirculantMove.
  using Move [[deprecated("use CirculantMove")]] = CirculantMove;

  /// Throws std::invalid_argument if there is no rank or no packet.
  CirculantBroadcast(Rank ranks, std::uint64_t packets);

  /// n - 1 + q, or 0 if there is one rank.
  std::uint64_t steps() const;
  /// The messages of the rank, below p, in that step, from 0.
  CirculantMove at(Rank rank, std::uint64_t step) const;

  /// Bytes that the schedule for `ranks` ranks keeps.
  static std::uint64_t bytes(std::uint64_t ranks);

 private:
  /// The number of the packet that the rank receives in that round, from 0, the rounds before the first step included;
  /// it may be below 0 or beyond the last packet.
  std::int64_t due(Rank rank, std::uint64_t round) const;
  /// The packet that the rank receives in that round, unless it has all packets.
  std::optional<std::uint64_t> received(Rank rank, std::uint64_t round) const;

  CirculantSchedule schedule_;
  std::uint64_t packets_;
  std::uint64_t skipped_;            // rounds before the first step, so that the last of q rounds is the last step
  std::vector<std::int8_t> blocks_;  // received blocks, those of a rank side by side
};

}  // namespace lockstep
