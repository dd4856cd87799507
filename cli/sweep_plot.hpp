#pragma once

#include <vector>

#include "lead.hpp"
#include "plot.hpp"
#include "sweep.hpp"

namespace lockstep::cli {

/// Whether it is the machine alone that is varied: then its text is the value.
bool is_over_machines(const SweepArguments& arguments);

/// Of the one thing that is varied.
Scale scale_of(const SweepArguments& arguments);

/// A number, or the elements of a matrix; empty if it is neither.
std::optional<double> number_of(const std::string& value);

/// All methods at one value of the one thing that is varied, nothing run yet. Throws what plan_trials() throws.
std::vector<Trial> trials_at(const SweepArguments& arguments, const std::string& value);

/// "1,024 words", "beta 2.5", "hypercube:7".
std::string place_text(const SweepArguments& arguments, const std::string& value);

/// "allgather on hypercube:8, beta 100, tau 1".
std::string subject_text(const SweepArguments& arguments, const std::vector<SweepTrial>& trials);

/// Whether what is varied has two sides, so that its picture is a map: two --vary, or one on several machines.
bool is_grid(const SweepArguments& arguments);

/// Throws InputError if what is varied cannot be drawn: three things, or values without an order.
void refuse_undrawable(const SweepArguments& arguments);

/// Who leads where along the one thing that is varied; nobody in a grid.
std::vector<Lead> leads_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                           const Quantity& criterion);

/// "sbt-pipelined is ahead of sbt from 37 words on": a line for every change of the lead.
std::string changes_text(const SweepArguments& arguments, const std::vector<Lead>& leads);

/// Curves over the one thing that is varied, one a method, and marks where the lead changes.
Plot plot_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const Quantity& criterion,
             const std::vector<Lead>& leads);

/// Who is best at every point of a grid, among those of the task that most methods do.
WinnerMap map_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const Quantity& criterion);

}  // namespace lockstep::cli
