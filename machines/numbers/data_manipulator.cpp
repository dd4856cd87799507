#include "lockstep/machines/data_manipulator.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "lockstep/machines/omega.hpp"
#include "numbers/two_clauses.hpp"

namespace lockstep {

namespace {

// After stage t there are m = n-1-t stages left, which move a message by any distance below 2^m up or down, and by no
// other. So it is at a line of its source's residue modulo 2^m less than 2^m away from its destination: at the line a
// below it, a the distance from source to destination modulo 2^m, or at the line 2^m - a above it; at the destination
// itself if a = 0. The variable of a message and stage is true if it is above.

/// Whether the messages pass the first `stages` stages of the network so that no two share a line after any of them.
class StageWays {
 public:
  StageWays(Rank lines, std::span<const Crossing> crossings, unsigned stages)
      : lines_(lines), left_(static_cast<unsigned>(std::countr_zero(lines))), crossings_(crossings) {
    for (unsigned stage = 0; stage < stages; ++stage) add_stage();
  }

  bool exist() const { return clauses_.can_hold(); }

 private:
  using Literal = TwoClauses::Literal;

  void add_stage() {
    --left_;
    const Rank span = Rank{1} << left_;
    std::vector<std::vector<Literal>> at(lines_);
    std::vector<std::size_t> variables;
    for (std::size_t message = 0; message < crossings_.size(); ++message) {
      const auto [from, to] = crossings_[message];
      const std::size_t variable = clauses_.add();
      const Literal above{variable, true};
      variables.push_back(variable);
      const Rank below = (to - from) & (span - 1);
      at[(to - below) & (lines_ - 1)].push_back(!above);
      if (below == 0) {
        clauses_.require(!above);
      } else {
        at[(to - below + span) & (lines_ - 1)].push_back(above);
      }
      if (!behind_.empty()) join(behind_[message], variable, ((to - from) & span) != 0);
    }
    behind_ = std::move(variables);
    for (const std::vector<Literal>& literals : at) clauses_.at_most_one(literals);
  }

  /// A message with less than half of the way to go stays on its side of its destination or passes it; with more to go,
  /// it does not pass. It has more to go from below if `most_from_below`, else from above.
  void join(std::size_t before, std::size_t behind, bool most_from_below) {
    const Literal far{before, !most_from_below};
    clauses_.imply(far, {behind, !most_from_below});
  }

  Rank lines_;
  unsigned left_;  // stages after those that have been added
  std::span<const Crossing> crossings_;
  TwoClauses clauses_;
  std::vector<std::size_t> behind_;  // the latest stage: the variables of the messages
};

bool pass(Rank lines, std::span<const Crossing> crossings, unsigned stages) {
  return StageWays(lines, crossings, stages).exist();
}

}  // namespace

std::optional<Blocking> data_manipulator_blocking(Rank lines, std::span<const Crossing> crossings) {
  // An element of an Omega network corresponds to two cells that are 2^(n-1-t) apart, so messages that pass it pass
  // here.
  if (!omega_blocking(lines, crossings)) return std::nullopt;
  const auto all_stages = static_cast<unsigned>(std::countr_zero(lines));
  if (pass(lines, crossings, all_stages)) return std::nullopt;

  unsigned stages = 1;
  while (pass(lines, crossings, stages)) ++stages;
  // Leaving out messages makes room, so the fewest first messages that do not pass are found by bisection, and likewise
  // how many of these can be left out.
  const auto fewest = [](std::size_t low, std::size_t high, const auto& is_enough) {
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (is_enough(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  const std::size_t count =
      fewest(2, crossings.size(), [&](std::size_t first) { return !pass(lines, crossings.first(first), stages); });
  const std::size_t run =
      fewest(2, count, [&](std::size_t last) { return !pass(lines, crossings.first(count).last(last), stages); });
  return Blocking{stages - 1, crossings[count - run], crossings[count - 1]};
}

}  // namespace lockstep
