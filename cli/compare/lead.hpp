#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli::compare {

/// A method's figure for a task at one value of the variation.
struct Contender {
  std::string name;
  std::string task;
  long double figure;
  bool is_predicted;  ///< exactly; else measured by a run
};

/// The contenders at one value, in the same order at all values.
struct RacePoint {
  std::string value;
  std::vector<Contender> contenders;
};

/// A range in which one of them leads: no other of its task is less at any examined value.
struct Lead {
  std::string task;
  std::string name;
  std::string from;
  std::string to;
  bool is_exact;  ///< no value is known to lie between `from` and the `to` of the lead before; true for the first
};

/// The values that lie between two of the variation.
enum class ValuesBetween { whole_numbers, numbers, unknown };

/// All leads along the points, for every task in turn. A tie does not change the leader. Between two points with
/// different predicted leaders, bisection finds the changes, for numbers to nine digits (next to 0 only to 1e-9 of the
/// largest); `predicted_at` returns the predictions at a value, which may be none.
std::vector<Lead> leads(const std::vector<RacePoint>& points, ValuesBetween between,
                        const std::function<std::vector<Contender>(const std::string&)>& predicted_at);

}  // namespace lockstep::cli::compare
