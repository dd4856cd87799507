#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "host/terminal.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::machine {

// `lockstep info --status`. Both throw InputError for media, and where the statuses are not known.

/// One line per processor with its label and status, or one for all if they are alike; then minimum, maximum and
/// average.
std::string status_table(const MachineSpec& machine, const host::Style& style);

/// The same as the field `machine.status`.
nlohmann::ordered_json json_status(const MachineSpec& machine);

}  // namespace lockstep::cli::machine
