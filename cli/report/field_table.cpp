// What is made of the list of fields.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fields.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;
using run::RunRecord;

bool is_described_by_parts(const ReportField& field) {
  return std::ranges::any_of(fields(), [&](const ReportField& other) {
    return other.path.starts_with(field.path + ".") || other.path.starts_with(field.path + "[");
  });
}

}  // namespace

Known known_of(const run::RunRecord& record) {
  if (record.plan.method == nullptr) return Known::refused;
  if (record.has_ended()) return Known::ended;
  return record.has_counts() ? Known::counted : Known::planned;
}

const std::vector<const ReportField*>& measuring_fields() {
  static const std::vector<const ReportField*> measuring = [] {
    std::vector<const ReportField*> chosen;
    for (const ReportField& field : fields()) {
      const bool is_of_host = field.path.starts_with("wall.") || field.path.starts_with("host.");
      const bool is_of_result = field.path == "digest" || field.column == "verified" || field.column == "version";
      if (is_of_host || is_of_result) chosen.push_back(&field);
    }
    return chosen;
  }();
  return measuring;
}

std::string field_table() {
  std::string table;
  std::string names;
  std::string description;
  const auto end_row = [&] {
    if (!names.empty()) table += "| " + names + " | " + description + " |\n";
    names.clear();
  };
  for (const ReportField& field : fields()) {
    if (field.path.empty() || is_described_by_parts(field)) continue;
    if (!field.unit.empty()) {
      end_row();
      description = field.unit + " |" + (field.meaning.empty() ? "" : " " + field.meaning);
    }
    names += (names.empty() ? "`" : ", `") + field.path + "`";
  }
  end_row();
  return table;
}

std::string cell_of(const ReportField& field, const RunRecord& record) {
  return field.known <= known_of(record) ? cell_text(field.value(record)) : "";
}

std::string cell_text(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace lockstep::cli::report
