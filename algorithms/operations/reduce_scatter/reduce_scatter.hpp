#pragma once

#include "lockstep/algorithms/method.hpp"

// What the reduce-scatters share (collectives.md, Reduce-scatter).
namespace lockstep::reduce_scatter {

/// The counts where every rank sends a single part in each of p - 1 steps, whatever connects the ranks.
Prediction predict_single_parts(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::reduce_scatter
