#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli::run {

/// Which methods of the catalogue are wanted: those that meet all that is given.
struct MethodChoice {
  std::string name;  ///< of an operation, or of a method with its operation or without, or an alias; empty: any
  std::optional<std::string> operation;
  std::optional<std::string> machine;  ///< on which they run
};

/// The chosen methods in the order of the catalogue. Throws InputError, with the nearest name, for an unknown one and
/// MachineSpecError for a machine that is none.
std::vector<const Method*> methods_of(const MethodChoice& choice);

/// Whether it is for machines of any links, as graphs from files are. Where several methods are as good, one that is
/// for its machine is named first.
bool is_for_any_machine(const Method& method);

/// Whether the method runs on the machine; it may refuse some of its families.
bool runs_on(const Method& method, const MachineSpec& machine);

}  // namespace lockstep::cli::run
