#pragma once

#include <string_view>
#include <vector>

// The families of switches, by what their networks can pass (saad-schultz-1988.md, Omega network, Inverse Omega
// network, Data manipulator).
namespace lockstep::method {

/// Those that pass every cyclic shift and every exchange over one bit, and parts of them.
inline std::vector<std::string_view> all_switches() {
  return {"switch", "omega", "inverse-omega", "indirect-cube", "data-manipulator"};
}

/// These, and the complete graph.
inline std::vector<std::string_view> switches_and_complete() {
  std::vector<std::string_view> families = all_switches();
  families.push_back("complete");
  return families;
}

/// Those that pass whatever an Omega network passes, including the paths down a binary tree.
inline std::vector<std::string_view> switches_for_trees() { return {"switch", "omega", "data-manipulator"}; }

}  // namespace lockstep::method
