#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sweep.hpp"

namespace lockstep::cli::compare {

/// In which form a file has the rows of a sweep: CSV with a header, or a JSON object a line.
enum class RowForm { csv, json };

/// What a row of a file says.
struct SweepRow {
  std::string key;               ///< what tells its trial from all others of the sweep
  nlohmann::ordered_json asked;  ///< the fields that say what was to be run
  std::optional<report::Figure> figure{};
  bool has_failed = false;
  std::string reason{};
};

/// Of the row of the trial.
std::string key_of(const SweepArguments& arguments, const SweepTrial& trial);

/// The line of headings, empty where the form has none.
std::string header_of(RowForm form, const SweepArguments& arguments);
/// With what every file that has a row begins.
std::string beginning_of(RowForm form, const SweepArguments& arguments);

/// The row of the trial, as a line. It ends with a check, by which read_row() knows whether it is whole.
std::string row_of(RowForm form, const SweepArguments& arguments, const SweepTrial& trial);

/// Reads a line without its end, of which it takes the figure that is the criterion. Throws InputError, "has 3 columns,
/// not 43", if it is not as row_of() wrote it.
SweepRow read_row(RowForm form, const SweepArguments& arguments, const std::string& line,
                  const report::Quantity& criterion);

/// Throws InputError with the first field in which they differ if they are not of the same run.
void refuse_other_run(const SweepRow& row, const SweepRow& planned);

}  // namespace lockstep::cli::compare
