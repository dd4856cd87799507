#pragma once

#include <optional>
#include <string>

#include "lockstep/core/model.hpp"

namespace lockstep::cli::run {

/// In what a run of `--against` differs from that of the command.
struct Against {
  std::string text;  ///< as it was given
  std::string algorithm;
  std::optional<PortModel> ports;
  std::optional<std::string> machine;
};

/// Most runs that one page has.
inline constexpr std::size_t most_against = 5;

/// ALGORITHM[@PORTS][@MACHINE]. Throws InputError.
Against parse_against(const std::string& text);

}  // namespace lockstep::cli::run
