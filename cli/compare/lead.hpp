#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules.hpp"

namespace lockstep::cli::compare {

/// A method's figure for a task, under some rules, at one value of the variation.
struct Contender {
  std::string name;
  std::string task;
  long double figure;
  bool is_predicted;  ///< exactly; else measured by a run
  RunRules rules{};
};

/// The contenders at one value, in the same order at all values.
struct RacePoint {
  std::string value;
  std::vector<Contender> contenders;
};

/// A range in which one of them leads: no other of its task and rules is less at any examined value.
struct Lead {
  std::string task;
  std::string name;
  std::string from;
  std::string to;
  bool is_exact;  ///< no value is known to lie between `from` and the `to` of the lead before; true for the first
  RunRules rules{};

  /// Whether the two are leads of one race.
  bool is_beside(const Lead& other) const { return task == other.task && rules == other.rules; }
};

/// The values that lie between two of the variation.
enum class ValuesBetween { whole_numbers, numbers, unknown };

/// All leads along the points, for every task and every set of rules in turn. A tie does not change the leader. Between
/// two points with different predicted leaders, bisection finds the changes, for numbers to nine digits (next to 0 only
/// to 1e-9 of the largest); `predicted_at` returns the predictions at a value, which may be none.
std::vector<Lead> leads(const std::vector<RacePoint>& points, ValuesBetween between,
                        const std::function<std::vector<Contender>(const std::string&)>& predicted_at);

}  // namespace lockstep::cli::compare
