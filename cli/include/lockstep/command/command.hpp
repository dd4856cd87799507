#pragma once

#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

/// What a program brings to the command: the command knows it beside all that it has of its own.
struct Additions {
  std::vector<Method> methods{};          ///< see add_method()
  std::vector<MachineFamily> families{};  ///< see add_machine_family()
  std::vector<std::string> sizes{};       ///< machines or ranges of them, on which `judge` judges if no --machine does
};

/// The whole `lockstep` command: reads the arguments, does what they say and returns the exit code. Never throws.
int command(int argc, const char* const* argv, const Additions& additions = {});

}  // namespace lockstep
