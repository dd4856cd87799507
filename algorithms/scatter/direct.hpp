#pragma once

#include "scatter.hpp"

// What scatter/direct and gather/direct share: over a medium every block goes between the root and its processor
// without anybody between.
namespace lockstep::scatter::direct {

/// Takes the piece at that index out of what is held and leaves an empty one.
Piece take(Holdings& held, std::size_t index);
void keep(Holdings& held, Piece piece);

Prediction predict_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings);
Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings);

/// What one processor does.
using Program = Process (*)(Processor<Bundle>& self, Rank root, Holdings& held);

/// Runs the program on every processor and verifies what they hold. A shared memory has so many slots.
Outcome run_direct(const RunRequest& request, Reading reading, Program program, std::size_t memory_slots = 0);

}  // namespace lockstep::scatter::direct
