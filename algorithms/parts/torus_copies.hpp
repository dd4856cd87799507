#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/grid.hpp"
#include "method/step_lengths.hpp"
#include "part_exchange.hpp"

// Rings of one dimension of a torus after the other scatter parts of vectors, and gather them the same way back
// (collectives.md, Allreduce over links; Allgather).
namespace lockstep::parts {

/// One dimension after the other, from one of them on. Every part is that of one rank, and those that agree with it in
/// all dimensions before a turn's have it while the turn lasts: what travels together are the parts of ranks that agree
/// in the turn's dimension too.
///
///     3 x 4, scattered: rings of 3 with 4 parts in a message, then of 4 with 1; gathered: of 4 with 1, of 3 with 4
class TorusCopy {
 public:
  /// Of the dimensions with links, for the parts from `first_part` on.
  TorusCopy(std::vector<GridAxis> linked, std::size_t first_dimension, bool forwards, Rank first_part);

  const std::vector<GridAxis>& order() const { return order_; }
  /// Parts that travel together while that dimension's turn is.
  Rank parts_together(std::size_t turn) const { return pieces_[turn]; }
  /// Whose part it is: who has it when it has been scattered and before it is gathered.
  Rank owner(Rank part) const;

  /// What the rank does when it is that dimension's turn, in step `t`, which may be past the last.
  PartStep at(Rank rank, std::size_t turn, Cycle t, bool gathers) const;

 private:
  Rank place(Rank rank, std::size_t turn) const;
  Rank at_place(Rank rank, std::size_t turn, Rank place) const;

  std::vector<GridAxis> order_;
  std::vector<Rank> pieces_;  // by turn: places of the dimensions after it
  bool forwards_;
  Rank first_part_;
};

/// Where all dimensions have to be busy there are several of these, each for parts of its own, which begin with another
/// dimension or go the other way round. A turn lasts until the longest ring whose turn it is has done.
class TorusCopies {
 public:
  /// With one port a single copy; with all ports one for each dimension with links and, where both directions of a link
  /// may be busy and no two ways round a ring are one link, one more for the other way round; no more than `most`, at
  /// least 1.
  TorusCopies(const MachineSpec& machine, const Model& model, Wide most = std::numeric_limits<Rank>::max());

  std::size_t count() const { return copies_.size(); }
  /// Messages of a copy for each rank, there or back: the sum of all sides less 1 each.
  Wide messages_of_a_rank() const;

  /// The steps of each way, with a lane for each copy. Copy c has the parts c p, .., c p + p - 1. The copies must
  /// outlive the schedule.
  PartSchedule scatter() const { return all_turns(false); }
  PartSchedule gather() const { return all_turns(true); }
  /// Whose part it is.
  Rank owner(Rank part) const { return copies_[part / processors_].owner(part); }

  /// Adds the steps of one way, there or back, where longest(copy, parts) are the words of the longest of a copy's
  /// messages of so many parts.
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
