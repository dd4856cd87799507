#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sweep.hpp"

namespace lockstep::cli::compare {

/// The form of a file with a sweep's rows: CSV with a header, or one JSON object per line.
enum class RowForm { csv, json };

/// The content of a file's row.
struct SweepRow {
  std::string key;               ///< identifies its trial in the sweep
  nlohmann::ordered_json asked;  ///< the fields that describe the requested run
  std::optional<report::Figure> figure{};
  std::optional<double> run_seconds{};  ///< wall-clock
  std::optional<double> coverage{};
  bool has_failed = false;
  std::string reason{};
};

/// The key of the trial's row.
std::string key_of(const SweepArguments& arguments, const SweepTrial& trial);

/// The line of headings; empty in JSON.
std::string header_of(RowForm form, const SweepArguments& arguments);
/// The beginning of every file that has a row.
std::string beginning_of(RowForm form, const SweepArguments& arguments);

/// The trial's row as a line. It ends with a check, from which read_row() sees whether it is whole.
std::string row_of(RowForm form, const SweepArguments& arguments, const SweepTrial& trial);

/// Reads a line without its line end; its figure is that of the criterion. Throws InputError, "has 3 columns, not 43",
/// if it is not as row_of() wrote it.
SweepRow read_row(RowForm form, const SweepArguments& arguments, const std::string& line,
                  const report::Quantity& criterion);

/// Throws InputError naming the first differing field if they are not of the same run.
void refuse_other_run(const SweepRow& row, const SweepRow& planned);

}  // namespace lockstep::cli::compare
