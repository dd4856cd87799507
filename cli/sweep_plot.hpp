#pragma once

#include <vector>

#include "crossover.hpp"
#include "plot.hpp"
#include "sweep.hpp"

namespace lockstep::cli {

/// Whether what is varied has two sides, so that its picture is a map: two --vary, or one on several machines.
bool is_grid(const SweepArguments& arguments);

/// Throws InputError if what is varied cannot be drawn: three things, or values without an order.
void refuse_undrawable(const SweepArguments& arguments);

/// Who takes the lead where along the one thing that is varied; none of a grid.
std::vector<Crossover> crossovers_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                                     const Quantity& criterion);

/// "sbt-pipelined is ahead of sbt from 37 words on".
std::string sentence_of(const SweepArguments& arguments, const Crossover& crossover);

/// Curves over the one thing that is varied, one a method.
Plot plot_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const Quantity& criterion,
             const std::vector<Crossover>& crossovers);

/// Who is best at every point of a grid, among those of the task that most methods do.
WinnerMap map_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const Quantity& criterion);

}  // namespace lockstep::cli
