#pragma once

#include <optional>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/packets.hpp"

// The exchange of alltoall/exchange with the dimensions at work side by side (johnsson-ho.md, Pipelined exchange). A
// block is identified by its relative address c, source xor destination, and crosses the one bits of c from the highest
// down, as in the exchange. c and its complement together cross every dimension once. So do the words of the N/2 pairs
// of such blocks, one pair after the other, and any part of them: a packet is a run of these words, and has the same
// number for every dimension.
//
//      n = 3, b = 1, pairs 0 to 3       {111}  {001, 110}  {010, 101}  {011, 100}
//      2 packets                       |         0        |            1         |
namespace lockstep::alltoall {

/// The packet that crosses each dimension in each cycle, the same at all processors. Immutable.
class PacketPlan {
 public:
  /// For blocks of that many words on the n-cube, in that many packets.
  PacketPlan(Port n, std::uint64_t block_words, std::uint64_t packets);
  virtual ~PacketPlan() = default;

  Port dimensions() const { return n_; }
  /// Words of each packet.
  const Split& packets() const { return packets_; }
  /// The place of that word of the block for relative address c among the words of all pairs, which packets cut.
  std::uint64_t place(Rank c, std::uint64_t word) const;
  /// The packet with that word.
  std::uint64_t packet_with(Rank c, std::uint64_t word) const;

  virtual std::uint64_t cycles() const = 0;
  /// The packet whose words cross that dimension in the cycle, if any.
  virtual std::optional<std::uint64_t> packet(std::uint64_t cycle, Port dimension) const = 0;

 private:
  Port n_;
  std::uint64_t block_words_;
  Split packets_;
};

/// Default and range of --words: a processor sends no more over a link than any host holds.
void resolve_exchanged_words(const MachineSpec& machine, Settings& settings);

/// Bytes of a run.
std::uint64_t bytes_of_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t packets);

/// Carries the plan out and verifies the blocks of all processors.
Outcome run_packets(const RunRequest& request, const PacketPlan& plan);

}  // namespace lockstep::alltoall
