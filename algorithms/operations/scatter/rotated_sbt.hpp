#pragma once

#include "on_trees.hpp"

// What the scatters and gathers on rotated spanning binomial trees share, of which each gather is a scatter read
// backwards (johnsson-ho.md, Scatter).
namespace lockstep::scatter::rotated_sbt {

inline constexpr TreesParameter trees_parameter{
    "K trees, each rotated by n/K more than the last: K divides n, or is 2 (n/2 rounded down)", "n"};

void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

Prediction predict_halving(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_of_halving(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_halving(const RunRequest& request, Reading reading);

Prediction predict_breadth(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_of_breadth(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_breadth(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::rotated_sbt
