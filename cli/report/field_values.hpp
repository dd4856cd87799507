#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "run/failure.hpp"
#include "run/run_record.hpp"

// Values of the report's fields that are objects and lists. fields.cpp describes what is in them.
namespace lockstep::cli::report {

nlohmann::ordered_json json_carried(const run::RunRecord& record);
nlohmann::ordered_json json_faults(const run::RunRecord& record);
nlohmann::ordered_json json_measures(const run::RunRecord& record);
/// Null if it is not known.
nlohmann::ordered_json json_coverage(const run::RunRecord& record);
nlohmann::ordered_json json_phases(const run::RunRecord& record);
/// Element c is the longest message of cycle c, 0 where nothing moved.
nlohmann::ordered_json json_longest(const run::RunRecord& record);
nlohmann::ordered_json json_cycles(const run::RunRecord& record);
nlohmann::ordered_json json_wire(const run::RunRecord& record);

/// A closed form or a lower bound; null if there is none.
nlohmann::ordered_json json_time(const std::optional<ModelledTime>& time);
/// A prediction, with its kind.
nlohmann::ordered_json json_predicted_time(const std::optional<ModelledTime>& time);
nlohmann::ordered_json json_predicted_count(const std::optional<Count>& count);

nlohmann::ordered_json json_error(const run::CommandFailure& failure);
/// The first problem of a run that completed.
nlohmann::ordered_json json_problem(const run::RunRecord& record);

}  // namespace lockstep::cli::report
