#pragma once

#include <string>

namespace lockstep::cli::host {

/// Where measurements are made.
struct HostFacts {
  std::string processor;  ///< its model, as Linux names it; empty if it does not say
  unsigned cores;         ///< hardware threads
  double load;            ///< runnable threads on average over the minute before; negative if it is not known
};

/// As they are at the first call.
const HostFacts& host_facts();

/// That compiled the command: "g++ 12.2.0".
std::string compiler();

}  // namespace lockstep::cli::host
