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

/// A vector cut into parts as evenly as possible: part i has the words from floor(m i/parts) to floor(m (i+1)/parts).
class Parts {
 public:
  /// `parts` is at least 1.
  Parts(std::uint64_t words, Rank parts) : each_(words / parts), rest_(words % parts), parts_(parts) {}
  /// Cut as by Split: the parts with one word more come first.
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
  std::uint64_t each_;  // of the shorter parts
  std::uint64_t rest_;  // number of parts with one word more
  Rank parts_;
  bool longer_first_ = false;
};

/// The words of these parts, one after the other.
Block gathered(const Block& own, const Parts& parts, const std::vector<Rank>& wanted);
/// Writes them back to their places.
void scatter(const Block& message, const Parts& parts, const std::vector<Rank>& places, Block& own);

/// The messages of a rank in one step.
struct PartStep {
  Rank to = no_rank;             ///< the receiver of parts; no_rank if there is none
  std::vector<Rank> sent{};      ///< the parts sent, in the order of the message
  Rank from = no_rank;           ///< the sender of parts; no_rank if there is none
  std::vector<Rank> received{};  ///< the parts received, in the sender's order
  bool combines = false;         ///< received parts are combined with the rank's own; if false, they replace them
};

/// The parts `first`, .., `first` + `count` - 1, modulo `all`.
std::vector<Rank> run_of_parts(Rank first, Rank count, Rank all);

/// From the first step on, and before the end.
struct StepRange {
  Cycle first;
  Cycle end;
};

/// The steps of a schedule, by rank. With several lanes a rank does that many in a step, each over another port.
struct PartSchedule {
  Cycle steps = 0;
  std::function<PartStep(Rank rank, Cycle step)> at{};  ///< with lanes: step * lanes + lane
  Cycle lanes = 1;
  /// Between which the rank has messages, where that is not nearly the whole schedule: the others are not asked for.
  std::function<StepRange(Rank rank)> active{};

  StepRange active_steps(Rank rank) const { return active ? active(rank) : StepRange{0, steps}; }
};

/// One schedule after the other.
PartSchedule operator+(PartSchedule first, PartSchedule second);
/// The schedule from the last step to the first: receivers send, and senders combine what they receive with what they
/// have.
PartSchedule reversed(PartSchedule schedule);
/// The schedule with permuted ranks: `place` gives the schedule's rank of a rank, `rank` the reverse.
PartSchedule moved(PartSchedule schedule, std::function<Rank(Rank)> place, std::function<Rank(Rank)> rank);

/// Carries out the schedule with the operator of the values, which must commute. The arguments must outlive the
/// sub-program. Throws std::logic_error at an unexpected message. Where operands may be absorbed, received parts are
/// added to `received`, step by step and lane by lane.
Process exchange_parts(Processor<LabelledBlock>& self, const operands::NumberValues& values,
                       const PartSchedule& schedule, const Parts& parts, Block& own, std::vector<Block>& received);

/// Judges what ranks have received, if the result is right but received parts may still be wrong, by repeating the
/// schedule from their values, one rank after the other.
void judge_on_the_way(const RunRequest& request, const operands::NumberValues& values, const PartSchedule& schedule,
                      const Parts& parts, const PerRank<std::vector<Block>>& received, Outcome& outcome);

}  // namespace lockstep::parts
