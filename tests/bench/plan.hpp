#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace lockstep::bench {

struct Benchmark {
  std::string name;  ///< benchmark_name()
  std::function<Timing()> run;
  unsigned runs = 1;   ///< runs at a time: short ones are repeated together
  bool large = false;  ///< takes seconds and gigabytes
};

enum class Form {
  all,     ///< everything that is recorded
  ratios,  ///< only the benchmarks of the ratios
  quick,   ///< those of them that are not large
  tiny     ///< every kernel and method once at a tiny size, to check that it works
};

std::vector<Benchmark> benchmarks(Form form);

}  // namespace lockstep::bench
