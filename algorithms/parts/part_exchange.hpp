#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"

// Collectives on vectors that all ranks have, cut into parts (collectives.md, Allreduce; Reduce-scatter).
namespace lockstep::parts {

/// A vector cut into parts as even as can be: part i has the words from floor(m i/parts) to floor(m (i+1)/parts).
class Parts {
 public:
  /// `parts` is at least 1.
  Parts(std::uint64_t words, Rank parts) : each_(words / parts), rest_(words % parts), parts_(parts) {}
  /// Cut as a Split is: the parts that have a word more come first.
  explicit Parts(const Split& packets)
      : each_(packets.shortest()),
        rest_(packets.longer()),
        parts_(static_cast<Rank>(packets.pieces())),
        longer_first_(true) {}

  Rank count() const { return parts_; }
  /// Words before the part, which may be count().
  std::uint64_t first(Rank part) const {
    return each_ * part + (longer_first_ ? std::min<std::uint64_t>(part, rest_) : rest_ * part / parts_);
  }
  std::uint64_t size(Rank part) const { return first(part + 1) - first(part); }

 private:
  std::uint64_t each_;  // of every part at least
  std::uint64_t rest_;  // words that some parts have more, less than there are parts
  Rank parts_;
  bool longer_first_ = false;
};

/// The words of these parts, one after the other.
Block gathered(const Block& own, const Parts& parts, const std::vector<Rank>& wanted);
/// Writes them back into their places.
void scatter(const Block& message, const Parts& parts, const std::vector<Rank>& places, Block& own);

/// What a rank does in one step.
struct PartStep {
  Rank to = no_rank;             ///< who is given parts; no_rank if nobody
  std::vector<Rank> sent{};      ///< which, in the order in which they travel
  Rank from = no_rank;           ///< who gives parts; no_rank if nobody
  std::vector<Rank> received{};  ///< which, in the same order as there
  bool combines = false;         ///< whether what comes is combined with what is here, or else takes its place
};

/// The parts `first`, .., `first` + `count` - 1, modulo `all`.
std::vector<Rank> run_of_parts(Rank first, Rank count, Rank all);

/// The steps of a schedule, by rank. With several lanes a rank does as many things in a step, each over another port.
struct PartSchedule {
  Cycle steps = 0;
  std::function<PartStep(Rank rank, Cycle step)> at{};  ///< with lanes: step * lanes + lane
  Cycle lanes = 1;
};

/// One schedule after the other, of as many lanes.
PartSchedule operator+(PartSchedule first, PartSchedule second);
/// The schedule from the last step to the first: who received sends, and who sent combines what it receives with what
/// it has.
PartSchedule reversed(PartSchedule schedule);
/// The schedule where other ranks play the parts: `place` tells of a rank which one's it does, `rank` the reverse.
PartSchedule moved(PartSchedule schedule, std::function<Rank(Rank)> place, std::function<Rank(Rank)> rank);

/// Does every step in a cycle of its own, among ranks that have links or a switch between them, with the operator of
/// the values, which has to commute. The arguments must outlive the sub-program. Throws std::logic_error if something
/// else comes than is due.
/// Where operands may be absorbed, what comes is added to `received`, step by step and lane by lane.
Process exchange_parts(Processor<LabelledBlock>& self, const operands::NumberValues& values,
                       const PartSchedule& schedule, const Parts& parts, Block& own, std::vector<Block>& received);

/// Judges what ranks have received, if the result is right and that may be wrong all the same, by doing the schedule
/// again from their values, one rank after the other.
void judge_on_the_way(const RunRequest& request, const operands::NumberValues& values, const PartSchedule& schedule,
                      const Parts& parts, const PerRank<std::vector<Block>>& received, Outcome& outcome);

}  // namespace lockstep::parts
