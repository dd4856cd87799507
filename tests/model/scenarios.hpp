#pragma once

#include <vector>

#include "model.hpp"

// The cases checked: the core's own code in small machines, each with its required outcome.
namespace lockstep::model {

std::vector<Case> gate_cases();
std::vector<Case> link_cases();
std::vector<Case> mark_tree_cases();
std::vector<Case> medium_cases();
std::vector<Case> phase_name_cases();

std::vector<Case> all_cases();
/// The case of this name.
Case case_of(std::string_view name);

// Scenarios that break the protocol.

/// The barrier does not wait for the last part.
Case hasty_barrier();
/// A receiver treats a message sent in the same cycle as arrived.
Case early_reader();
/// A place that is emptied counts as free in the same cycle.
Case early_place();
/// A reader of a memory takes a value written in the same cycle.
Case early_memory_reader();
/// The same for an inbox.
Case early_inbox_reader();

}  // namespace lockstep::model
