#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "run/failure.hpp"
#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// The report of a run. The names of its fields are a contract with programs that read them.
nlohmann::ordered_json json_report(const run::RunRecord& record, bool with_cycles);

/// The report of a failed run: the same fields, with null for results, and "error" with kind and text, and, for a run's
/// own error, with cycle, rank, ports, and the graph of a deadlock. The record has all that is known before a run, its
/// status and, where an error has ended the run, the counts until then.
nlohmann::ordered_json json_failure(const run::RunRecord& record, const run::CommandFailure& failure);

/// The report of a refused command: "status", "error" with kind and text, and the texts of machine and algorithm; all
/// other fields of a run are null.
nlohmann::ordered_json json_refusal(const run::RunRecord& record, const run::CommandFailure& failure);

/// The same for a command that is not about one run.
nlohmann::ordered_json json_refusal(run::Status status, const run::CommandFailure& failure);

/// Names of ports, duplex and multicast as reports and lists show them.
nlohmann::ordered_json json_rules(const Model& model);

/// The document as text, indented, ending in a newline.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace lockstep::cli::report
