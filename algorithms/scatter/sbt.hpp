#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// What scatter/sbt and gather/sbt share, which are one schedule read forwards and backwards.
namespace lockstep::scatter::sbt {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_schedule(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::sbt
