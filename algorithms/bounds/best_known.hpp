#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bounds/succession.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/machines/fraction.hpp"

namespace lockstep::bounds {

/// The product, or the greatest number if it is more.
inline Wide multiplied(Wide one, Wide other) { return one != 0 && other > ~Wide{0} / one ? ~Wide{0} : one * other; }

inline Wide divided_up(Wide amount, Wide at_once) { return amount / at_once + (amount % at_once != 0 ? 1 : 0); }

/// How many processors take part.
inline Wide members_of(const Problem& problem) {
  return problem.members.empty() ? problem.machine.processors : problem.members.size();
}

/// The number and the noun, in the plural unless it is 1.
inline std::string counted(Wide number, std::string_view noun) {
  return to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

/// "1 word leaves", "2 words leave".
inline std::string words_that(Wide number, const std::string& verb) {
  return counted(number, "word") + " " + verb + (number == 1 ? "s" : "");
}

/// Whether every message pays its start-up and all its words on every link.
inline bool is_paid_on_every_link(const CostModel& cost) {
  return cost.switching == Switching::store_and_forward && cost.startup == StartupPer::hop;
}

/// The largest of the bounds found so far, with its argument.
class BestKnown {
 public:
  /// argument() is the text, asked for only if the value is larger than any before.
  template <class Argument>
  void steps(Wide value, const Argument& argument) {
    raise(known_.steps, known_.steps_argument, value, argument);
  }
  template <class Argument>
  void longest_sum(Wide value, const Argument& argument) {
    raise(known_.longest_sum, known_.longest_sum_argument, value, argument);
  }
  void succession(Succession one) { successions_.push_back(std::move(one)); }
  const LowerBound& known() const { return known_; }
  /// With the least time that follows from the successions.
  LowerBound timed(const CostModel& cost) const {
    LowerBound known = known_;
    if (known.steps && is_paid_on_every_link(cost)) {
      known.time = least_time(successions_, cost, *known.steps, known.longest_sum.value_or(0));
    }
    return known;
  }

 private:
  template <class Argument>
  static void raise(std::optional<std::uint64_t>& known, std::string& text, Wide value, const Argument& argument) {
    if (known && *known >= value) return;
    known = saturated(value);
    text = argument();
  }

  LowerBound known_;
  std::vector<Succession> successions_;
};

}  // namespace lockstep::bounds
