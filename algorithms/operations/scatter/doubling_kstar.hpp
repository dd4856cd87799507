#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// What scatter/doubling-kstar and gather/doubling-kstar share: the tree in which holders find each other on a bus of
// kstar transactions (LimitedDoubling), each being the way to all that it finds. saad-schultz-1988.md, Bus.
namespace lockstep::scatter::bus_tree {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_down(const RunRequest& request);  ///< the scatter
Outcome run_up(const RunRequest& request);    ///< the gather

}  // namespace lockstep::scatter::bus_tree
