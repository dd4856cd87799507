#pragma once

#include "lockstep/algorithms/method.hpp"

// What entries of the catalogue have in common.
namespace lockstep::method {

/// The prediction for a machine of one processor: nothing moves.
Prediction nothing_moves();

/// What is known of how few steps and words could do: nothing.
LowerBound no_bound(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Throws InputError if the number of processors is no power of two.
void require_power_of_two(const MachineSpec& machine);

}  // namespace lockstep::method
