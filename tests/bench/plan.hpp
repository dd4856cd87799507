#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace lockstep::bench {

struct Benchmark {
  std::string name;  ///< benchmark_name()
  std::function<Timing()> run;
  unsigned runs = 1;   ///< at a time: short ones are repeated at once
  bool large = false;  ///< takes seconds and gigabytes
};

enum class Form {
  all,     ///< everything that is recorded
  ratios,  ///< only what the ratios are made of
  quick,   ///< of these, what is not large
  tiny     ///< every kernel and method once at a tiny size, to see that it works
};

std::vector<Benchmark> benchmarks(Form form);

}  // namespace lockstep::bench
