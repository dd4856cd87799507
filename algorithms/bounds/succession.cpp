#include "bounds/succession.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::bounds {

std::optional<ModelledTime> least_time(const std::vector<Succession>& successions, const CostModel& cost,
                                       std::uint64_t steps, std::uint64_t longest_sum) {
  if (cost.beta <= 0 || cost.tau <= 0) return std::nullopt;
  const auto fewest = static_cast<double>(steps);
  const auto least_words = static_cast<double>(longest_sum);
  std::optional<ModelledTime> least;
  for (const auto& [words, delay, extra, argument] : successions) {
    if (delay <= 0) continue;
    const auto more = static_cast<double>(extra);
    const auto time = [&](double of_steps) {
      const double all = std::max(of_steps, fewest) + more;
      return (all - more) * cost.beta + std::max(least_words, words * all / (all - delay)) * cost.tau;
    };
    // This function of the number of steps is convex. It falls no longer where one more step costs what it saves, or
    // where the longest messages sum up to no more than they have to.
    double best = std::sqrt(words * delay * cost.tau / cost.beta) + delay - more;
    if (least_words > words) best = std::min(best, least_words * delay / (least_words - words) - more);
    const double bound = std::min(time(std::floor(best)), time(std::ceil(best)));
    if (!least || least->value < bound) least = ModelledTime{.value = bound, .formula = argument};
  }
  return least;
}

}  // namespace lockstep::bounds
