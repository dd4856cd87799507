#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/row_file.hpp"
#include "study_points.hpp"

// What a study writes: NAME.jsonl while it runs, a line for each point that is done; at the end NAME.csv with the same
// columns, and NAME.repeat.json, from which `lockstep study --verify` repeats it. docs/studies.md describes them.
namespace lockstep::cli::study {

using Json = nlohmann::ordered_json;

/// The columns of a row besides report::tidy_columns(), with their meanings.
struct OwnColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
};
const std::vector<OwnColumn>& own_columns();

/// The rows of the table in docs/studies.md that describes all columns, as Markdown.
std::string column_table();

/// A run's row, or why it could not run.
struct PointResult {
  std::optional<Json> row{};
  std::string reason{};
};

/// Runs a point with the best values of parameters that are not given, as comparisons choose them. A run that fails has
/// a row too. Throws Interrupted, and what is a fault of the program.
PointResult run_point(const StudyPoint& point, const std::atomic<bool>& stop);

/// The lines of NAME.jsonl.
class StudyRows {
 public:
  /// Reads the lines of an earlier call, and changes nothing. Throws InputError, naming the line, for a file of
  /// anything else.
  explicit StudyRows(const std::string& path);

  /// The row of the point by this version of the program; of an equal run in another experiment if it has none. Null if
  /// it is not done.
  const Json* find(const StudyPoint& point) const;
  /// Rows of other versions, which are kept in the file and not used.
  std::size_t of_other_versions() const { return of_other_versions_; }

  /// Removes half a line at the end of the file, and prepares it for more.
  void begin() { file_.begin(); }
  /// Adds the row as a line, at once.
  void add(const StudyPoint& point, Json row);

 private:
  host::RowFile file_;
  std::map<std::string, Json> by_identity_;
  std::map<std::string, std::string> identity_of_key_;
  std::size_t of_other_versions_ = 0;
};

/// NAME.csv: the rows of the points, in their order.
std::string csv_of(const std::vector<StudyPoint>& points, const StudyRows& rows);

/// NAME.repeat.json.
Json repetition_of(const Study& study, const StudyPlan& plan, const StudyRows& rows);

/// "a file of digest 16 hexadecimal digits" for each of these files, as in NAME.repeat.json; null for one that is none.
Json digests_of_inputs(const std::vector<std::string>& paths);

/// What must be equal when the row's run is repeated: digest, status, counts and modelled times.
Json expected_of(const Json& row);

}  // namespace lockstep::cli::study
