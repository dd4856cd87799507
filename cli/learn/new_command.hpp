#pragma once

#include <optional>
#include <string>

namespace lockstep::cli::learn {

struct ProjectOperation;

/// The arguments of `lockstep new`.
struct NewArguments {
  std::string name;
  const ProjectOperation* operation = nullptr;  ///< null if none was named
  std::string machine = "hypercube";            ///< a family or "graph:FILE"
};

/// The operation of that name. Throws InputError with all names and the nearest one.
const ProjectOperation& project_operation(const std::string& name);
/// The family of machines of that name, if own programs can run there, or graph:FILE. Throws likewise.
std::string project_machine(const std::string& name);

/// `lockstep new`: writes a directory with a small CMake project for the user's own program. Throws InputError and
/// OutputError, and leaves nothing behind then.
int new_command(const NewArguments& arguments);

}  // namespace lockstep::cli::learn
