#pragma once

#include <array>

#include "lockstep/algorithms/method.hpp"

// What entries of the catalogue have in common.
namespace lockstep::method {

/// The prediction for a machine of one processor: nothing moves.
Prediction nothing_moves();

/// Throws InputError if the number of processors is no power of two.
void require_power_of_two(const MachineSpec& machine);

/// The entry of a schedule in which two partners, whose ranks differ in one bit, exchange in every step: for
/// hypercubes, where all partners are neighbours, in every port model.
Method on_hypercubes(Method method);

/// Two entries of one description.
using MethodPair = std::array<Method, 2>;

/// The entries of a schedule and of its reversal in time; the latter states only the differences.
MethodPair with_reverse(Method forwards, Method backwards);

}  // namespace lockstep::method
