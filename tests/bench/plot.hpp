#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lockstep::bench {

/// A line of the plot.
struct Curve {
  std::string label;
  std::string colour;                               ///< as SVG has it
  std::vector<std::pair<unsigned, double>> points;  ///< n and nanoseconds a message, n ascending
};

/// An SVG picture of the time a message takes over n, the time on a logarithmic axis. Curves without points are left
/// out; there must be one with points.
std::string plot(const std::string& title, const std::vector<Curve>& curves);

}  // namespace lockstep::bench
