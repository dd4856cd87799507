#include "tidy.hpp"

#include <nlohmann/json.hpp>

namespace lockstep::cli::report {
namespace {

/// "words_parameter" becomes "words", and the counts that have this name in fields() "moved_words".
std::string tidy_name(const std::string& column) {
  constexpr std::string_view parameter = "_parameter";
  if (column.ends_with(parameter)) return column.substr(0, column.size() - parameter.size());
  if (column == "words") return "moved_words";
  if (column == "predicted_words") return "predicted_moved_words";
  return column == "predicted_words_kind" ? "predicted_moved_words_kind" : column;
}

std::vector<TidyColumn> all_tidy_columns() {
  std::vector<TidyColumn> columns;
  const ReportField* of_json = nullptr;  // the last with a description, of those that JSON has and of the others
  const ReportField* of_csv = nullptr;
  for (const ReportField& field : fields()) {
    const ReportField*& described = field.path.empty() ? of_csv : of_json;
    if (!field.unit.empty()) described = &field;
    if (field.column.empty()) continue;
    // CSV has rules and costs as texts; JSON has numbers in the field before.
    const ReportField* const before = columns.empty() ? nullptr : &field - 1;
    const bool is_of_model = before != nullptr && before->path == "model." + field.column;
    columns.push_back({tidy_name(field.column), is_of_model ? before : &field, described->unit, described->meaning});
  }
  return columns;
}

/// The text in a cell of Markdown.
std::string in_cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) cell += letter == '|' ? "\\|" : std::string(1, letter);
  return cell;
}

}  // namespace

const std::vector<TidyColumn>& tidy_columns() {
  static const std::vector<TidyColumn> all = all_tidy_columns();
  return all;
}

nlohmann::ordered_json tidy_row(const run::RunRecord& record) {
  const Known known = known_of(record);
  nlohmann::ordered_json row = nlohmann::ordered_json::object();
  for (const TidyColumn& column : tidy_columns()) {
    if (column.field->known > known) continue;
    nlohmann::ordered_json value = column.field->value(record);
    if (!value.is_null() && value != "") row[column.name] = std::move(value);
  }
  return row;
}

bool is_repeatable(const TidyColumn& column) {
  const std::string& path = column.field->path;
  return path.starts_with("counted.") || path == "modelled_time.synchronous" || path == "modelled_time.asynchronous" ||
         path == "digest" || path == "status" || column.name == "error";
}

std::string tidy_table() {
  std::string table;
  std::string names;
  const TidyColumn* last = nullptr;
  const auto end_row = [&] {
    if (last != nullptr) table += "| " + names + " | " + in_cell(last->unit) + " | " + in_cell(last->meaning) + " |\n";
    names.clear();
  };
  for (const TidyColumn& column : tidy_columns()) {
    if (last != nullptr && (column.unit != last->unit || column.meaning != last->meaning)) end_row();
    names += (names.empty() ? "`" : ", `") + column.name + "`";
    last = &column;
  }
  end_row();
  return table;
}

}  // namespace lockstep::cli::report
