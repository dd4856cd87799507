#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// When the value of a field is known. Each includes those before it.
enum class Known {
  refused,  ///< even if the command is refused at once
  planned,  ///< before the run begins
  counted,  ///< when the run has completed, or an error has ended it
  ended,    ///< when the run has completed
  listed,   ///< when the run has completed, and only if --cycles asks for it
};

/// A field of the report on a run. JSON, CSV and the table of docs/json.md are made from the list of them.
struct ReportField {
  std::string path;    ///< in JSON: "counted.steps"; empty: CSV alone has it
  std::string column;  ///< in CSV: "steps"; empty: JSON alone has it
  Known known = Known::planned;
  /// Empty for a part of the value of a field before this one, which is described but not written by itself.
  std::function<nlohmann::ordered_json(const run::RunRecord&)> value;
  std::string unit;     ///< type and unit; empty: the description of the field before this one is also of this one
  std::string meaning;  ///< as Markdown
};

/// All fields in the order of JSON, which is also the order of the columns.
const std::vector<ReportField>& fields();

/// What is known of the run.
Known known_of(const run::RunRecord& record);

/// The fields with which a row among those of other runs says how, where and by which version it was measured, and
/// whether it is right: those of `wall` and `host`, the digest, whether it is verified, and the version.
const std::vector<const ReportField*>& measuring_fields();

/// The rows of docs/json.md that describe the fields in JSON, as Markdown.
std::string field_table();

/// The value of the field as text of a cell: nothing if it is null or not known.
std::string cell_of(const ReportField& field, const run::RunRecord& record);

/// The value as text of a cell: nothing for null, a text without quotes.
std::string cell_text(const nlohmann::ordered_json& value);

/// The rules and the costs, in JSON and as columns with their values: {"ports", "one"}, ...
nlohmann::ordered_json json_model(const run::RunPlan& plan);
std::vector<std::pair<std::string, std::string>> model_cells(const run::RunPlan& plan);

}  // namespace lockstep::cli::report
