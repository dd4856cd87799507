#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// What scatter/sbnt and gather/sbnt share, which are one schedule read forwards and backwards.
namespace lockstep::scatter::sbnt {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_schedule(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::sbnt
