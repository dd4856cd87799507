#include "study_results.hpp"

#include <algorithm>
#include <exception>

#include "flags/setting_flags.hpp"
#include "host/file_names.hpp"
#include "host/host_facts.hpp"
#include "host/interrupt.hpp"
#include "host/json_value.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "report/csv_report.hpp"
#include "report/tidy.hpp"
#include "run/execution.hpp"
#include "run/failure.hpp"
#include "run/planned_runs.hpp"

namespace lockstep::cli::study {
namespace {

/// A word of a command line, in quotation marks for the shell if it needs them.
std::string for_shell(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+%@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

/// The command that repeats exactly this run: all parameters of the method have the values that they had.
std::string command_of(const StudyPoint& point, const run::RunPlan& plan) {
  std::string command = "lockstep run";
  for (const std::string& word : point.words) {
    if (flags::find_setting(std::string_view(word).substr(2, word.find('=') - 2)) == nullptr) {
      command += " " + for_shell(word);
    }
  }
  const Json values = flags::setting_values(*plan.method, plan.settings);
  for (const auto& [name, value] : values.items()) {
    if (value.is_null() || value == false) continue;
    command += " --" + name;
    if (!value.is_boolean()) command += "=" + for_shell(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return command;
}

Json row_of(const StudyPoint& point, const run::RunRecord& record, const std::string& reason) {
  Json row{{"experiment", point.experiment}, {"point", point.key}, {"command", command_of(point, record.plan)}};
  row.update(report::tidy_row(record));
  if (!reason.empty()) row["reason"] = reason;
  return row;
}

/// Null for a line that is no row of a study.
Json row_in(const std::string& line) {
  if (json_depth(line) > most_json_depth) return {};
  Json row = host::json_in(line);
  for (const char* name : {"experiment", "point", "version", "status"}) {
    if (!row.is_object() || !row.contains(name) || !row[name].is_string()) return {};
  }
  return row;
}

std::string cell(const Json& row, const std::string& column) {
  const auto value = row.find(column);
  if (value == row.end()) return "";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

}  // namespace

const std::vector<OwnColumn>& own_columns() {
  static const std::vector<OwnColumn> all{
      {"experiment", "text", "its name in the study file"},
      {"point", "text", "the flags of the run, as the study gives them, in the order of `run --help`: the row's name"},
      {"command", "text",
       "repeats exactly this run: parameters that the study does not give have the values that were chosen for them"},
      {"reason", "text", "why the run failed; empty if it did not"}};
  return all;
}

std::string column_table() {
  std::string table;
  for (const OwnColumn& column : own_columns()) {
    table += "| `" + std::string(column.name) + "` | " + std::string(column.unit) + " | " +
             std::string(column.meaning) + " |\n";
  }
  return table + report::tidy_table();
}

PointResult run_point(const StudyPoint& point, const std::atomic<bool>& stop) {
  run::RunArguments arguments = arguments_of(point.words);
  arguments.tunes = true;
  arguments.quiet = true;
  std::optional<run::PlannedRun> run;
  try {
    run = run::plan_runs(arguments).front();
    run::RunRecord& record = run->record;
    run::execute(
        run->arguments, record, [&record](std::uint64_t) { return record.plan.settings; }, stop);
    return {.row = row_of(point, record, record.problems.empty() ? "" : record.problems.front())};
  } catch (...) {
    const run::CommandFailure failure = run::failure_of(std::current_exception(), run ? &run->record.plan : nullptr);
    if (failure.is_interrupt()) throw host::Interrupted();
    if (failure.code == host::internal_error) throw;
    if (!run || failure.code != host::run_failed) return {.reason = failure.text};
    run->record.status = run::status_of(failure, true);
    run->record.error = failure.kind;
    return {.row = row_of(point, run->record, failure.text)};
  }
}

StudyRows::StudyRows(const std::string& path)
    : file_(path, {.header = "", .text = R"({"experiment":")", .whose = "a study"}, true) {
  for (std::size_t line = 0; line < file_.lines().size(); ++line) {
    Json row = row_in(file_.lines()[line]);
    if (row.is_null()) throw InputError(file_.place_of(line) + " is not a row of a study");
    if (row["version"] != host::version) {
      ++of_other_versions_;
      continue;
    }
    const std::string key = row["point"];
    const StudyPoint point{.experiment = row["experiment"], .words = {}, .key = key};
    identity_of_key_.emplace(key, point.identity());
    by_identity_.insert_or_assign(point.identity(), std::move(row));
  }
}

const Json* StudyRows::find(const StudyPoint& point) const {
  auto row = by_identity_.find(point.identity());
  if (row == by_identity_.end()) {
    const auto other = identity_of_key_.find(point.key);
    if (other == identity_of_key_.end()) return nullptr;
    row = by_identity_.find(other->second);
  }
  return &row->second;
}

void StudyRows::add(const StudyPoint& point, Json row) {
  file_.add(row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  identity_of_key_.emplace(point.key, point.identity());
  by_identity_.insert_or_assign(point.identity(), std::move(row));
}

std::string csv_of(const std::vector<StudyPoint>& points, const StudyRows& rows) {
  std::vector<std::string> columns;
  for (const OwnColumn& column : own_columns()) columns.emplace_back(column.name);
  for (const report::TidyColumn& column : report::tidy_columns()) columns.push_back(column.name);
  std::string text = report::csv_text(columns);
  for (const StudyPoint& point : points) {
    const Json* const row = rows.find(point);
    if (row == nullptr) continue;
    std::vector<std::string> cells;
    for (const std::string& column : columns) {
      cells.push_back(column == "experiment" ? point.experiment : cell(*row, column));
    }
    text += report::csv_text(cells);
  }
  return text;
}

Json expected_of(const Json& row) {
  Json expected = Json::object();
  for (const report::TidyColumn& column : report::tidy_columns()) {
    if (report::is_repeatable(column) && row.contains(column.name)) expected[column.name] = row[column.name];
  }
  return expected;
}

Json digests_of_inputs(const std::vector<std::string>& paths) {
  Json digests = Json::object();
  for (const std::string& path : paths) {
    const std::string text = host::digests_of({{"", path}});
    digests[path] = text.empty() ? Json() : Json(text.substr(text.rfind(' ') + 1));
  }
  return digests;
}

Json repetition_of(const Study& study, const StudyPlan& plan, const StudyRows& rows) {
  const host::HostFacts& facts = host::host_facts();
  Json points = Json::array();
  for (const StudyPoint& point : plan.points) {
    const Json* const row = rows.find(point);
    if (row == nullptr) continue;
    Json entry{{"experiment", point.experiment}, {"flags", point.words}, {"command", row->at("command")}};
    if (row->contains("seed")) entry["seed"] = row->at("seed");
    entry["expected"] = expected_of(*row);
    points.push_back(std::move(entry));
  }
  Json left_out = Json::array();
  for (const LeftOutPoint& out : plan.left_out) {
    left_out.push_back({{"experiment", out.point.experiment}, {"flags", out.point.words}, {"reason", out.reason}});
  }
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"compiler", host::compiler()},
          {"host", {{"processor", facts.processor}, {"cores", facts.cores}}},
          {"study", {{"name", study.name}, {"file", study.path}, {"text", study.text}}},
          {"inputs", digests_of_inputs(plan.inputs)},
          {"points", std::move(points)},
          {"left_out", std::move(left_out)}};
}

}  // namespace lockstep::cli::study
