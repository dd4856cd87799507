#pragma once

#include <string>
#include <vector>

namespace lockstep::cli::machine {

/// Machines of the family with at most 64 processors, each about twice the size of the one before, and those of 3 and
/// 6; the family's example if none can be made so. Empty for families read from files and unknown ones.
std::vector<std::string> small_machines(const std::string& family);

}  // namespace lockstep::cli::machine
