#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// What scatter/tree and gather/tree share, which are one schedule read forwards and backwards (mukherjee.md, Scatter
// and gather).
namespace lockstep::scatter::tree {

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_schedule(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::tree
