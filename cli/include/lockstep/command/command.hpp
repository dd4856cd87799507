#pragma once

#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

/// A program's additions to the command's own methods and machines.
struct Additions {
  std::vector<Method> methods{};          ///< see add_method()
  std::vector<MachineFamily> families{};  ///< see add_machine_family()
  std::vector<std::string> sizes{};       ///< machines or ranges for `judge` without --machine
};

/// The whole `lockstep` command: reads the arguments, runs the subcommand and returns the exit code. Never throws.
int command(int argc, const char* const* argv, const Additions& additions = {});

}  // namespace lockstep
