#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fields.hpp"

// Tidy tables of runs: a row a run, a column a variable, and every name has one meaning. The columns are those of
// `run --csv`, but `words` is the parameter and `moved_words` the words of all messages.
namespace lockstep::cli::report {

/// A column of tidy tables.
struct TidyColumn {
  std::string name;
  const ReportField* field;
  std::string unit;     ///< type and unit
  std::string meaning;  ///< as Markdown
};

/// All columns, in order. They are made from fields().
const std::vector<TidyColumn>& tidy_columns();

/// The values of the run by column, without those that it does not have. A run that failed has what is known of it.
nlohmann::ordered_json tidy_row(const run::RunRecord& record);

/// Whether equal runs of one version have equal values in that column: results that do not depend on the host.
bool is_repeatable(const TidyColumn& column);

/// The rows of a table that describes the columns, as Markdown.
std::string tidy_table();

}  // namespace lockstep::cli::report
