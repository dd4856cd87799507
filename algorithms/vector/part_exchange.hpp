#pragma once

#include <functional>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/core/processor.hpp"

// Collectives on vectors that all ranks have, cut into parts (collectives.md, Allreduce; Reduce-scatter).
namespace lockstep::vector {

/// A vector cut into parts as even as can be: part i has the words from floor(m i/parts) to floor(m (i+1)/parts).
class Parts {
 public:
  /// `parts` is at least 1.
  Parts(std::uint64_t words, Rank parts) : words_(words), parts_(parts) {}

  Rank count() const { return parts_; }
  std::uint64_t words() const { return words_; }
  /// Words before the part, which may be count().
  std::uint64_t first(Rank part) const { return static_cast<std::uint64_t>(Wide{words_} * part / parts_); }
  std::uint64_t size(Rank part) const { return first(part + 1) - first(part); }

 private:
  std::uint64_t words_;
  Rank parts_;
};

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

/// The steps of a schedule, by rank.
struct PartSchedule {
  Cycle steps = 0;
  std::function<PartStep(Rank rank, Cycle step)> at{};
};

/// One schedule after the other.
PartSchedule operator+(PartSchedule first, PartSchedule second);

/// On a switch or complete graph: does every step in a cycle of its own, with the operator of the values, which has to
/// commute. The arguments must outlive the sub-program. Throws std::logic_error if something else comes than is due.
Process exchange_parts(Processor<LabelledBlock>& self, const operands::NumberValues& values,
                       const PartSchedule& schedule, const Parts& parts, Block& own);

}  // namespace lockstep::vector
