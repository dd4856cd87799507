#include "csv_report.hpp"

#include <nlohmann/json.hpp>

#include "fields.hpp"
#include "host/version.hpp"

namespace lockstep::cli::report {
namespace {

/// The names of the columns.
std::string header() {
  std::string line;
  for (const ReportField& field : fields()) {
    if (!field.column.empty()) line += (line.empty() ? "" : ",") + field.column;
  }
  return line;
}

}  // namespace

std::string quoted_if_needed(const std::string& value) {
  if (value.find_first_of(",\"\r\n") == std::string::npos) return value;
  std::string quoted = "\"";
  for (const char letter : value) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::string csv_text(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : ",") + quoted_if_needed(cell);
  return line + "\n";
}

std::vector<std::string> csv_cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  bool is_quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool is_doubled = is_quoted && line.compare(at, 2, "\"\"") == 0;
    if (line[at] == '"' && !is_doubled) {
      is_quoted = !is_quoted;
    } else if (line[at] == ',' && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[at];
      if (is_doubled) ++at;
    }
  }
  return cells;
}

CsvReport::CsvReport(const std::string& path)
    : table_(path, header(), "reports with schema " + std::to_string(host::schema)) {}

std::string CsvReport::row_text(const run::RunRecord& record) {
  std::vector<std::string> cells;
  for (const ReportField& field : fields()) {
    if (!field.column.empty()) cells.push_back(cell_of(field, record));
  }
  std::string line = csv_text(cells);
  line.pop_back();
  return line;
}

}  // namespace lockstep::cli::report
