#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// What is said of a schedule of another program beside its counts: lines of label and text with its warnings and, if
/// it is of a collective operation, the method of the catalogue that takes the least predicted time for the same under
/// the same rules and costs. None of other runs.
std::vector<std::pair<std::string, std::string>> schedule_lines(const run::RunRecord& record);
/// The same as "schedule" of a report; null for other runs.
nlohmann::ordered_json json_schedule(const run::RunRecord& record);

}  // namespace lockstep::cli::report
