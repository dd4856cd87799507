#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "plan.hpp"

namespace lockstep::bench {

/// What the benchmarks are asked for. What is not ours goes on to Google Benchmark.
struct Options {
  Form form = Form::all;
  std::optional<std::string> record;  ///< the directory to write to
  std::optional<std::string> check;   ///< the table to compare with
  std::vector<std::string> others;
};

/// Throws std::invalid_argument if they contradict one another, or would leave gaps in a record. `home` is where the
/// results are kept.
Options read_options(const std::vector<std::string>& arguments, const std::string& home);

/// How they are used.
std::string options_help();

}  // namespace lockstep::bench
