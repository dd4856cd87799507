#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// Lines of label and text about another program's schedule: its warnings and, for a collective operation, the method
/// of the catalogue with the least predicted time for the same task, rules and costs. Empty for other runs.
std::vector<std::pair<std::string, std::string>> schedule_lines(const run::RunRecord& record);
/// The same as "schedule" of a report; null for other runs.
nlohmann::ordered_json json_schedule(const run::RunRecord& record);

}  // namespace lockstep::cli::report
