#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "run_record.hpp"

namespace lockstep::cli {

/// Whether the run carries out a schedule of another program's.
bool is_of_chunks(const RunPlan& plan);

/// What is said of such a schedule beside its counts: lines of label and text with its warnings, if it came to its end,
/// and the method of the catalogue that takes the least predicted time for the same under the same rules and costs.
std::vector<std::pair<std::string, std::string>> chunk_lines(const RunRecord& record);
/// The same as "schedule" of a report; null for other runs.
nlohmann::ordered_json json_schedule(const RunRecord& record);

}  // namespace lockstep::cli
