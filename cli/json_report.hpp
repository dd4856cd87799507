#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/core/error.hpp"
#include "run_record.hpp"

namespace lockstep::cli {

/// The report of a run. The names of its fields are a contract with programs that read them.
nlohmann::ordered_json json_report(const RunRecord& record, bool with_cycles);

/// The report of a run that failed: the same fields, null where they tell what came of the run, and "error" with kind,
/// cycle, rank, ports, text, and of a deadlock its graph. The record has all that is known before a run.
nlohmann::ordered_json json_failure(const RunRecord& record, const RunError& error);

/// Names of ports, duplex and multicast as reports and lists show them.
nlohmann::ordered_json json_rules(const Model& model);

/// The document as text, indented, ending in a newline.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace lockstep::cli
