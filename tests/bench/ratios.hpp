#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measurements.hpp"

namespace lockstep::bench {

/// One side of a ratio.
struct Measured {
  Quantity quantity;
  std::string benchmark;
};

/// The ratio of two quantities measured in one run, by which hosts can be compared; more is better.
struct Ratio {
  std::string name;  ///< "E n=16: Boost.Fiber / Lockstep"; no commas
  Measured above;
  Measured below;
  std::string why = {};  ///< the reasons for the value; ratios with the same text are explained together
};

/// All ratios that are recorded and checked.
const std::vector<Ratio>& ratios();

/// Its value; empty if one side was not measured.
std::optional<double> value_of(const Ratio& ratio, const Measurements& measurements);

}  // namespace lockstep::bench
