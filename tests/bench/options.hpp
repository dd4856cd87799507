#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "plan.hpp"

namespace lockstep::bench {

/// The options of the benchmarks. Other arguments are passed to Google Benchmark.
struct Options {
  Form form = Form::all;
  std::optional<std::string> record;  ///< the directory to write to
  std::optional<std::string> check;   ///< the table to compare with
  std::vector<std::string> others;
};

/// Throws std::invalid_argument if they contradict one another, or would leave gaps in a record. `home` is the
/// directory of the results.
Options read_options(const std::vector<std::string>& arguments, const std::string& home);

/// Describes the options.
std::string options_help();

}  // namespace lockstep::bench
