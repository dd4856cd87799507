#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::run {

/// Seconds that a run takes on `threads` threads, from its preparation to its verification, roughly: most of the runs
/// that were measured took a third to three times that. It follows from what the method predicts and from the bytes
/// that the run touches. Empty if the method predicts no messages.
std::optional<double> estimated_seconds(const MachineSpec& machine, const Prediction& prediction, std::uint64_t bytes,
                                        unsigned threads);

}  // namespace lockstep::cli::run
