#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace lockstep::cli::host {

/// How measurements of one thing spread. Quartiles are interpolated between the two nearest measurements (type 7 of
/// Hyndman & Fan 1996, the default of R and NumPy).
struct Spread {
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  /// Two measurements between which the true median is with a probability of 95 % at least, whatever the distribution;
  /// none of fewer than six (binomial; Conover 1999, 3.2).
  std::optional<std::pair<double, double>> interval{};
};

/// At least one measurement, in any order.
Spread spread_of(std::vector<double> measurements);

}  // namespace lockstep::cli::host
