#pragma once

#include <cstdint>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Addresses of the shuffle-exchange network of 2^n processors: an exchange flips the last bit of a rank, a shuffle
/// rotates its n bits to the left, an unshuffle to the right.
///
///      n = 3
///                  2 --- 3
///                 /|     |\          ---  port 0, exchange
///         0 --- 1  |     |  6 --- 7       port 1, shuffle, along 1, 2, 4, 1 and 3, 6, 5, 3
///                 \|     |/               port 2, the other way
///                  4 --- 5
///
/// A port that would lead to its own processor (0 and 2^n - 1 shuffle to themselves) or where a lower port already
/// leads (0101 has one link to 1010, not two) has no link.
class ShuffleExchange {
 public:
  static constexpr Port exchange_port = 0;   ///< flips the lowest bit
  static constexpr Port shuffle_port = 1;    ///< to the shuffled address
  static constexpr Port unshuffle_port = 2;  ///< to the unshuffled address
  static constexpr Port ports = 3;           ///< of every processor, those without a link included

  /// Throws std::invalid_argument unless 1 <= n <= 31.
  explicit ShuffleExchange(unsigned n);

  /// n, the bits of an address.
  unsigned address_bits() const { return n_; }
  /// 2^n.
  std::uint64_t processors() const { return std::uint64_t{1} << n_; }

  /// The n bits of x rotated by one place; the highest becomes the lowest.
  Rank shuffled(Rank x) const { return (x << 1 & mask()) | x >> (n_ - 1); }
  /// The inverse: the lowest bit becomes the highest.
  Rank unshuffled(Rank x) const { return x >> 1 | (x & 1) << (n_ - 1); }

  /// Where the port leads, an empty end if it has no link.
  End neighbour(Rank x, Port port) const;

 private:
  Rank mask() const { return static_cast<Rank>(processors() - 1); }
  /// Where the move of that port takes x, link or not.
  Rank moved(Rank x, Port port) const;
  /// The lowest port of x that leads to y. There must be one.
  Port port_to(Rank x, Rank y) const;

  unsigned n_;
};

}  // namespace lockstep
