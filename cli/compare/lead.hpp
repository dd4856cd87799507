#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli::compare {

/// One of those that do the same, at one value of what is varied.
struct Contender {
  std::string name;
  std::string task;
  long double figure;
  bool is_predicted;  ///< exactly; else it has been run
};

/// What is known at one value. The contenders are in the same order everywhere.
struct RacePoint {
  std::string value;
  std::vector<Contender> contenders;
};

/// One of them leads: no other of its task is less at any value that was looked at.
struct Lead {
  std::string task;
  std::string name;
  std::string from;
  std::string to;
  bool
      is_exact;  ///< it is known that no value lies between `from` and the `to` of the lead before; so too of the first
};

/// Which values lie between two of what is varied.
enum class Between { whole_numbers, numbers, unknown };

/// All leads along the points, of every task in turn. Who is as good as the leader does not take the lead. Between two
/// points with different leaders that are both predicted the changes are found by bisection, those of numbers to nine
/// digits (those next to 0 only to a part of 1e-9 of the largest); `predicted_at` gives what is predicted at a value
/// (nothing, if nothing is).
std::vector<Lead> leads(const std::vector<RacePoint>& points, Between between,
                        const std::function<std::vector<Contender>(const std::string&)>& predicted_at);

}  // namespace lockstep::cli::compare
