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
  std::uint64_t at_once = 1;  ///< receivers that a holder serves in a step, a lane each, the nearest first

  /// ceil(log_radix p).
  std::uint64_t rounds() const;
  std::uint64_t steps() const { return rounds() == 0 ? 0 : first_steps() + (rounds() - 1) * steps_of_round(); }
  /// The whole item is one part.
  parts::PartSchedule schedule() const;

 private:
  /// w of the first round, which may have fewer receivers.
  std::uint64_t largest() const;
  std::uint64_t lanes() const;
  parts::StepRange active(Rank rank) const;
  std::uint64_t first_receivers() const { return (p - 1) / largest(); }
  std::uint64_t first_steps() const { return (first_receivers() + lanes() - 1) / lanes(); }
  std::uint64_t steps_of_round() const { return (radix - 2) / lanes() + 1; }
};

}  // namespace lockstep::broadcast
