#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// What scatter/bfs-tree and gather/bfs-tree share, which are one schedule read forwards and backwards.
namespace lockstep::scatter::bfs_tree {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);
LowerBound lower_bound_of_gather(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_schedule(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::bfs_tree
