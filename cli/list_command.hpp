#pragma once

#include <optional>
#include <string>

namespace lockstep::cli {

/// What `lockstep list` was asked for.
struct ListArguments {
  bool machines = true;
  bool algorithms = true;
  bool presets = true;
  std::optional<std::string> json;  ///< a file or "-"
};

/// `lockstep list`: the machine families, the catalogue of methods and the cost presets, as tables or as JSON.
/// Throws OutputError.
int list_command(const ListArguments& arguments);

}  // namespace lockstep::cli
