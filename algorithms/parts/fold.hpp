#pragma once

#include <bit>

#include "lockstep/core/topology.hpp"
#include "part_exchange.hpp"

namespace lockstep::parts {

/// The part of p ranks, p not a power of two, in a schedule for 2^Q: the first 2r, r = p - 2^Q, form pairs, and one
/// rank takes part for both (Thakur, Rabenseifner, Gropp 2005). Neighbours are paired, so that the order of ranks is
/// kept.
class Fold {
 public:
  explicit Fold(Rank p) : participants_(std::bit_floor(p)), rest_(p - participants_) {}

  /// 2^Q.
  Rank participants() const { return participants_; }
  /// r.
  Rank rest() const { return rest_; }
  bool is_paired(Rank rank) const { return rank < 2 * rest_; }
  /// Whether the rank takes part: every odd rank of a pair, and all others.
  bool takes_part(Rank rank) const { return !is_paired(rank) || rank % 2 == 1; }
  /// The place of a rank that takes part, among those ranks.
  Rank place(Rank rank) const { return is_paired(rank) ? rank / 2 : rank - rest_; }
  /// The rank at that place.
  Rank at(Rank place) const { return place < rest_ ? 2 * place + 1 : place + rest_; }

 private:
  Rank participants_;
  Rank rest_;
};

/// In one step, none if p is a power of two: the ranks that do not take part send all that they have to those that take
/// part for them, which combine it with their own. Vectors have a part for every participant.
PartSchedule folded_in(const Fold& fold);
/// The step back: those that took part send the result.
PartSchedule folded_out(const Fold& fold);
/// The schedule of the 2^Q participants, by their places, as one of the ranks that take part.
PartSchedule of_participants(const Fold& fold, PartSchedule schedule);

}  // namespace lockstep::parts
