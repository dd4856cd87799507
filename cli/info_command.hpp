#pragma once

#include <optional>
#include <string>

namespace lockstep::cli {

/// What `lockstep info` was asked for.
struct InfoArguments {
  std::string machine;
  bool status = false;               ///< the status of every processor instead of all that is known
  std::optional<std::string> embed;  ///< a guest, of whose embedding is told instead of the machine
  // A file or "-" each.
  std::optional<std::string> json;
  std::optional<std::string> node_link;
  std::optional<std::string> graphml;
  std::optional<std::string> dot;
};

/// `lockstep info`: what is known of a machine, what a run on it would need, and which methods it has; the machine as a
/// graph, or how another machine is embedded in it. Throws InputError, MachineSpecError and OutputError.
int info_command(const InfoArguments& arguments);

}  // namespace lockstep::cli
