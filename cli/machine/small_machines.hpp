#pragma once

#include <string>
#include <vector>

namespace lockstep::cli::machine {

/// Machines of the family with at most 64 processors, each of about twice as many as the one before, and those of 3
/// and 6; where none can be made like that, the family's example. Empty for what is read from files, and if there is no
/// such family.
std::vector<std::string> small_machines(const std::string& family);

}  // namespace lockstep::cli::machine
