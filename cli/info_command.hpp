#pragma once

#include <optional>
#include <string>

namespace lockstep::cli {

/// What `lockstep info` was asked for.
struct InfoArguments {
  std::string machine;
  std::optional<std::string> json;  ///< a file or "-"
};

/// `lockstep info`: what is known of a machine, what a run on it would need, and which methods it has.
/// Throws InputError, MachineSpecError and OutputError.
int info_command(const InfoArguments& arguments);

}  // namespace lockstep::cli
