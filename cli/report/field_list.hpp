#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fields.hpp"
#include "host/json_value.hpp"

// What the files that list the fields have in common.
namespace lockstep::cli::report {

using ReportFields = std::vector<ReportField>;

template <auto function>
nlohmann::ordered_json derived(const run::RunRecord& record) {
  return host::json_of(function(record));
}

inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
}

/// What CSV alone has; without a unit the description of the column before is also of this one.
inline ReportField column(std::string name, Known known,
                          std::function<nlohmann::ordered_json(const run::RunRecord&)> value, std::string unit = "",
                          std::string meaning = "") {
  return {"", std::move(name), known, std::move(value), std::move(unit), std::move(meaning)};
}

/// How and where a run was measured: those of `wall`, then those of `host`.
ReportFields measurement_fields();

}  // namespace lockstep::cli::report
