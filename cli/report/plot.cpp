#include "plot.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::cli::report {
namespace {

/// Whether it is 0, which a logarithmic axis leaves out, or a power of two.
bool is_zero_or_power_of_two(double value) {
  int exponent = 0;
  return value == 0 || std::frexp(value, &exponent) == 0.5;
}

}  // namespace

PlotAxis axis_for(std::string label, const std::vector<double>& values) {
  constexpr double many = 8;
  double least = 0;
  double most = 0;
  bool has_zero = false;
  for (const double value : values) {
    if (value <= 0) has_zero = true;
    if (value > 0) least = least == 0 ? value : std::min(least, value);
    most = std::max(most, value);
  }
  const bool is_log = least > 0 && most >= many * least;
  if (is_log && has_zero) label += ", 0 is left out";
  return {.label = std::move(label),
          .is_log = is_log,
          .by_two = is_log && std::ranges::all_of(values, is_zero_or_power_of_two)};
}

}  // namespace lockstep::cli::report
