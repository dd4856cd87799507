#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/grid.hpp"
#include "method/step_lengths.hpp"
#include "part_exchange.hpp"

// The rings of one torus dimension after the other scatter parts of vectors, and gather them on the same way back
// (collectives.md, Allreduce over links; Allgather).
namespace lockstep::parts {

/// One dimension after the other, from a given one on. Every part is that of one rank; during a turn it is held by the
/// ranks that agree with that rank in all dimensions of earlier turns. Parts travel together whose ranks agree in the
/// turn's dimension too.
///
///     3 x 4, scattered: rings of 3 with 4 parts in a message, then of 4 with 1; gathered: of 4 with 1, of 3 with 4
class TorusCopy {
 public:
  /// A copy for the dimensions with links, with the parts from `first_part` on.
  TorusCopy(std::vector<GridAxis> linked, std::size_t first_dimension, bool forwards, Rank first_part);

  const std::vector<GridAxis>& order() const { return order_; }
  /// Parts that travel together during that dimension's turn.
  Rank parts_together(std::size_t turn) const { return together_[turn]; }
  /// The rank of the part: its holder after the scatter and before the gather.
  Rank owner(Rank part) const;

  /// The rank's messages in that dimension's turn, in step `t`, which may be past the last.
  PartStep at(Rank rank, std::size_t turn, Cycle t, bool gathers) const;

 private:
  Rank place(Rank rank, std::size_t turn) const;
  Rank at_place(Rank rank, std::size_t turn, Rank place) const;

  std::vector<GridAxis> order_;
  std::vector<Rank> together_;  // by turn: places of the dimensions after it
  bool forwards_;
  Rank first_part_;
};

/// To keep all dimensions busy there are several copies, each for parts of its own, which begin with different
/// dimensions or directions. A turn lasts until the longest ring of the turn has finished.
class TorusCopies {
 public:
  /// With one port a single copy; with all ports one for each dimension with links and, where both directions of a link
  /// may be busy and the two ways round a ring are different links, one more for the other way round; no more than
  /// `most`, at least 1.
  TorusCopies(const MachineSpec& machine, const Model& model, Wide most = std::numeric_limits<Rank>::max());

  std::size_t count() const { return copies_.size(); }
  /// Messages of a copy for each rank, there or back: the sum of all sides less 1 each.
  Wide messages_of_a_rank() const;

  /// The steps of each way, with a lane for each copy. Copy c has the parts c p, .., c p + p - 1. The copies must
  /// outlive the schedule.
  PartSchedule scatter() const { return all_turns(false); }
  PartSchedule gather() const { return all_turns(true); }
  /// The rank of the part.
  Rank owner(Rank part) const { return copies_[part / processors_].owner(part); }

  /// Adds the steps of one way, there or back, where longest(copy, parts) gives the words of a copy's longest message
  /// of that many parts.
  void add_steps(const std::function<Wide(std::size_t copy, Rank parts)>& longest, method::StepLengths& lengths) const;
  /// The most parts that travel together.
  Rank most_together() const;

 private:
  PartSchedule all_turns(bool gathers) const;
  std::vector<Cycle> steps_of_turns() const;

  Rank processors_;
  std::vector<TorusCopy> copies_;
};

}  // namespace lockstep::parts
