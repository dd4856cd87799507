#pragma once

#include "lockstep/algorithms/method.hpp"
#include "method/group.hpp"

// The dimension exchange of allgather/adea between the members of a group (saad-schultz-1985.md, Subgroups).
namespace lockstep::allgather {

/// The counts of --group.
Prediction predict_for_group(const MachineSpec& machine, const Model& model, const Settings& settings,
                             const method::Group& group);
/// Bytes of the machine, of what is collected and of the oracle.
std::uint64_t bytes_for_group(const MachineSpec& machine, const Model& model, const Settings& settings,
                              const method::Group& group);
/// Runs it: in the end every member holds the blocks of all members, and no other processor anything.
Outcome run_for_group(const RunRequest& request, const method::Group& group);

}  // namespace lockstep::allgather
