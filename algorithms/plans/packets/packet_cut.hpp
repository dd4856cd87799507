#pragma once

#include <algorithm>
#include <cstdint>

#include "lockstep/algorithms/packets.hpp"

namespace lockstep::packets {

/// Words cut into packets, the longer ones first (johnsson-ho.md, Conventions).
class PacketCut {
 public:
  /// No packets.
  PacketCut() = default;
  /// Packets as even as possible, as in Split; at least 1.
  static PacketCut even(std::uint64_t words, std::uint64_t packets) {
    const Split split(words, packets);
    return PacketCut(packets, split.longer(), split.longest(), split.shortest());
  }
  /// Full packets, and a short last one if words are left. `packet_words` is at least 1.
  static PacketCut full(std::uint64_t words, std::uint64_t packet_words) {
    const std::uint64_t rest = words % packet_words;
    const std::uint64_t full_packets = words / packet_words;
    return PacketCut(full_packets + (rest > 0 ? 1 : 0), full_packets, packet_words, rest);
  }

  std::uint64_t packets() const { return packets_; }
  std::uint64_t size(std::uint64_t packet) const { return packet < longer_ ? long_words_ : short_words_; }
  /// Words before the packet; `packet` may be packets(), which gives all.
  std::uint64_t first(std::uint64_t packet) const {
    const std::uint64_t longer = std::min(packet, longer_);
    return longer * long_words_ + (packet - longer) * short_words_;
  }
  std::uint64_t words() const { return first(packets_); }

  friend bool operator==(const PacketCut&, const PacketCut&) = default;

 private:
  PacketCut(std::uint64_t packets, std::uint64_t longer, std::uint64_t long_words, std::uint64_t short_words)
      : packets_(packets), longer_(longer), long_words_(long_words), short_words_(short_words) {}

  std::uint64_t packets_ = 0;
  std::uint64_t longer_ = 0;
  std::uint64_t long_words_ = 0;
  std::uint64_t short_words_ = 0;
};

/// Counts of full packets and a short last one that follow each other over `hops` hops: ceil(K/B) + hops - 1 steps, and
/// every message but that of the last step as long as a full packet.
StepCounts full_packet_counts(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words,
                              const CostModel& cost);

/// The synchronous time of such packets, with start-ups as in the costs.
double full_packet_time(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words, const CostModel& cost);
/// The asynchronous time of packets with start-ups once a path that wait only for each other.
double full_packet_arrival(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words, const CostModel& cost);

/// The size B of full packets that takes the least time by the synchronous clock, start-ups of --max-packet included,
/// and gives the fewest packets if there are several (johnsson-ho.md, Two dimensions); all words if there are fewer
/// than two hops.
std::uint64_t default_packet_words(std::uint64_t hops, std::uint64_t words, const CostModel& cost);

/// Fills in --packet-words by default_packet_words, and checks that it is in [1, words]. Throws InputError.
void resolve_packet_words(Settings& settings, std::uint64_t hops, std::uint64_t words, const CostModel& cost);

/// The parameter --packet-words.
inline constexpr NumberParameter packet_words_parameter{
    {"packet-words", "words of a full packet; the last one of a path may be shorter", fallback_packets},
    &Settings::packet_words};

}  // namespace lockstep::packets
