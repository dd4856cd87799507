#pragma once

#include <optional>
#include <string>

namespace lockstep::cli::learn {

struct ProjectOperation;

/// What `lockstep new` was asked for.
struct NewArguments {
  std::string name;
  const ProjectOperation* operation = nullptr;  ///< null if none was named
  std::string family = "hypercube";
};

/// The operation of that name. Throws InputError: the names, and the nearest one.
const ProjectOperation& project_operation(const std::string& name);
/// The family of machines of that name, if own programs run there. Throws the same.
std::string project_family(const std::string& name);

/// `lockstep new`: writes a directory with a small CMake project for a program of one's own. Throws InputError and
/// OutputError, and leaves nothing behind then.
int new_command(const NewArguments& arguments);

}  // namespace lockstep::cli::learn
