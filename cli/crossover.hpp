#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

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

/// Where another takes the lead.
struct Crossover {
  std::string task;
  std::string ahead;
  std::string behind;
  std::string from;   ///< the first value at which `ahead` is less
  std::string after;  ///< the last one that was looked at before
  bool is_exact;      ///< there is no value between them
};

/// How the values of what is varied follow each other.
enum class Scale { whole_numbers, numbers, names };

/// All changes of the lead along the points, of every task. Who is as good as the leader does not take the lead.
/// Between two points with different leaders that are both predicted they are found by bisection; `predicted_at` gives
/// what is predicted at a value (nothing, if nothing is). Numbers are found to nine digits.
std::vector<Crossover> crossovers(const std::vector<RacePoint>& points, Scale scale,
                                  const std::function<std::vector<Contender>(const std::string&)>& predicted_at);

}  // namespace lockstep::cli
