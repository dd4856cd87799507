#pragma once

#include <optional>
#include <string>

#include "lockstep/core/model.hpp"

namespace lockstep::cli::run {

/// How a run of `--against` differs from the command's.
struct Against {
  std::string text;  ///< as it was given
  std::string algorithm;
  std::optional<PortModel> ports;
  std::optional<std::string> machine;
};

/// The most runs on one page.
inline constexpr std::size_t most_against = 5;

/// ALGORITHM[@PORTS][@MACHINE]. Throws InputError.
Against parse_against(const std::string& text);

}  // namespace lockstep::cli::run
