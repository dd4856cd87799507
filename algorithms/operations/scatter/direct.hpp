#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// What scatter/direct and gather/direct share: over a medium every block goes between the root and its processor
// without anybody between.
namespace lockstep::scatter::direct {

/// Hands the piece at that index out. It stays where it is until the program drops it.
Bundle hand_out(Held& held, std::size_t index);
/// Keeps what has come. Throws std::logic_error unless it is the block of that origin for that destination.
void keep(Held& held, Bundle received, Rank origin, Rank destination);

Prediction predict_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings);
Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings);

/// What one processor does.
using Program = Process (*)(Processor<Bundle>& self, Rank root, Held& held);

/// Runs the program on every processor and verifies what they hold. A shared memory has so many slots.
Outcome run_direct(const RunRequest& request, Reading reading, Program program, std::size_t memory_slots = 0);

}  // namespace lockstep::scatter::direct
