#pragma once

#include <vector>

#include "lockstep/algorithms/operation/scatter.hpp"
#include "method/group.hpp"

// What scatter/sbt and gather/sbt share, which are one schedule read forwards and backwards.
namespace lockstep::scatter::sbt {

/// Those of all scatters, and --group.
inline std::vector<Parameter> parameters() {
  return {words_parameter, root_parameter, method::group_parameter, input_parameter, output_parameter};
}

void resolve(const MachineSpec& machine, const Model& model, Settings& settings);
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_schedule(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::sbt
