#pragma once

#include "parts/part_exchange.hpp"
#include "plans/packets/packet_flow.hpp"

// Schedules of broadcasts from rank 0 of p, which reductions do backwards (collectives.md, Broadcast).
namespace lockstep::broadcast {

/// Packet j goes from rank r to r + 1 in step r + j.
parts::PartSchedule chain(Rank p, std::uint64_t packets);

/// For p a power of two, with the item as one part: at the levels q-1, q-2, .., 0 all holders send it to their
/// partners, which at level i are (1 - (-2)^(i+1))/3 away, for odd ranks the other way round.
parts::PartSchedule bine(Rank p);

/// A k-nomial tree of that radix, at least 2: beginning with w, the largest power of the radix below p, every holder
/// sends the item to those w, 2 w, .., (radix - 1) w after it.
struct KNomial {
  Rank p;
  std::uint64_t radix;
  bool at_once;  ///< to all of these in one step, a lane each; or else to the nearest first, one a step

  /// ceil(log_radix p).
  std::uint64_t rounds() const;
  std::uint64_t steps() const;
  /// The whole item is one part.
  parts::PartSchedule schedule() const;
};

}  // namespace lockstep::broadcast
