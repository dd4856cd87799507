#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "run/run_options.hpp"

namespace lockstep::cli {

/// Reads these flags of `run`; no value has a space.
inline run::RunArguments run_arguments(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> flags;
  for (std::string word; words >> word;) flags.push_back(word);
  run::RunArguments arguments;
  flags::parse(flags, [&arguments](CLI::App& app) { run::add_run_options(app, arguments); });
  return arguments;
}

}  // namespace lockstep::cli
