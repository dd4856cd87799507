#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli::run {

/// Selects the catalogue's methods that match every given field.
struct MethodChoice {
  std::string name;  ///< an operation, a method with or without its operation, or an alias; empty: any
  std::optional<std::string> operation;
  std::optional<std::string> machine;  ///< on which they run
};

/// The selected methods in the order of the catalogue. Throws InputError, with the nearest name, for an unknown name,
/// and MachineSpecError for an invalid machine.
std::vector<const Method*> methods_of(const MethodChoice& choice);

/// Those of the methods that one of the names or patterns selects, in their order; all of them if there is none. A name
/// is a method's, with or without its operation, or an alias; a pattern has * for any letters and ? for one, and fits
/// names only. Capitals count as small letters. The methods are of one operation. Throws InputError, with the nearest
/// name, for one that selects nothing.
std::vector<const Method*> selected_methods(const std::vector<const Method*>& methods,
                                            const std::vector<std::string>& patterns);

/// Reads "ring,scatter-*" into names and patterns. Throws InputError, beginning with the flag, if one is empty.
std::vector<std::string> method_patterns(const std::string& flag, const std::string& text);

/// Whether it is for machines with arbitrary links, as graphs from files have. Of equally good methods, those for the
/// machine's own links come first.
bool is_for_any_machine(const Method& method);

/// Whether the method runs on the machine; it may refuse some machines of its families.
bool runs_on(const Method& method, const MachineSpec& machine);

}  // namespace lockstep::cli::run
