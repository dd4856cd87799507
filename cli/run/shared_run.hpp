#pragma once

#include <atomic>
#include <span>
#include <string>

#include "trial.hpp"

namespace lockstep::cli::run {

/// Planned trials with equal keys differ in nothing but costs of which only modelled times depend, so that one run
/// gives the results of all. Empty for a trial that is to have a run of its own: its wall-clock is measured several
/// times, its method reads the costs, or is none of the catalogue's own, or the core keeps no clocks of several costs
/// for it (on a medium, on k ports, for a guest, with observed messages, or unless they are stored and forwarded).
std::string shared_run_key(const Trial& trial);

/// Runs planned trials with equal keys, each with the result of run_trial(); those that share a run have its wall-clock
/// times. Where it fails, or cannot be shared after all, each has a run of its own. Throws what run_trial() throws.
void run_trials(std::span<Trial* const> trials, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::run
