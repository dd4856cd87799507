#pragma once

#include <string>
#include <vector>

#include "report/quantity.hpp"
#include "sweep.hpp"

// Titles and labels of plots, which stand alone: they say what is drawn, of what, and in which unit.
namespace lockstep::cli::compare {

/// What a plot shows: "modelled time", "wall-clock time", "moved words".
std::string shown_by(const report::Quantity& criterion);

/// The same with its unit: "modelled time (seconds)".
std::string y_label(const SweepArguments& arguments, const report::Quantity& criterion);

/// "broadcast on hypercube:8", "broadcast on hypercube:2 to hypercube:10".
std::string operation_text(const SweepArguments& arguments);

/// The lines of a title below the first, each with a line end before it: parameters, rules if all trials have the same,
/// and costs, or, for wall-clock, threads, host and number of runs.
std::string below_title(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                        const report::Quantity& criterion);

/// Of a table: "allgather on hypercube:8, beta 100, tau 1".
std::string subject_text(const SweepArguments& arguments, const std::vector<SweepTrial>& trials);

}  // namespace lockstep::cli::compare
