#include "spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lockstep::cli::host {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// The most measurements at either end that may be left out: with one more, as few would be below the median of all
/// with a probability of more than 2.5 %. Half of that of a fair coin, summed from the logarithms of its terms.
std::size_t left_out(std::size_t measurements) {
  const auto n = static_cast<double>(measurements);
  const auto term = [n](double k) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
  };
  std::size_t count = 0;
  for (double below = term(0); below <= 0.025 && count < measurements / 2; below += term(static_cast<double>(count))) {
    ++count;
  }
  return count;
}

}  // namespace

Spread spread_of(std::vector<double> measurements) {
  std::ranges::sort(measurements);
  Spread spread{.least = measurements.front(),
                .lower_quartile = quantile(measurements, 0.25),
                .median = quantile(measurements, 0.5),
                .upper_quartile = quantile(measurements, 0.75)};
  if (const std::size_t out = left_out(measurements.size()); out > 0) {
    spread.interval = {measurements[out - 1], measurements[measurements.size() - out]};
  }
  return spread;
}

}  // namespace lockstep::cli::host
