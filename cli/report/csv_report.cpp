#include "csv_report.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "flags/setting_flags.hpp"
#include "host/version.hpp"

namespace lockstep::cli::report {
namespace {

/// Column names and values of one row, in order.
using CsvRow = std::vector<std::pair<std::string, std::string>>;

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? nlohmann::json(*value).dump() : "";
}

std::string text_of(const std::optional<ModelledTime>& time) { return time ? nlohmann::json(time->value).dump() : ""; }

std::string text_of(double value) { return nlohmann::json(value).dump(); }

void add_counts(CsvRow& row, const run::RunRecord& record) {
  const Report& report = record.outcome.report;
  row.insert(row.end(), {{"cycles", std::to_string(report.cycles)},
                         {"steps", std::to_string(report.steps)},
                         {"messages", std::to_string(report.messages)},
                         {"sends", std::to_string(report.sends)},
                         {"words", std::to_string(report.words)},
                         {"longest_sum", std::to_string(report.longest_sum)},
                         {"startups", std::to_string(report.startups)},
                         {"busiest_link_words", text_of(run::busiest_link_words(record))},
                         {"peak_words_held", std::to_string(report.peak_words_held)},
                         {"copied_words", std::to_string(report.copied_words)},
                         {"operations", std::to_string(report.operations)},
                         {"scanned_blocks", std::to_string(report.scanned_blocks)}});
  for (const run::PredictedCount& count : run::predicted_counts(record)) {
    const std::string column = "predicted_" + std::string(count.name);
    row.emplace_back(column, count.predicted ? std::to_string(count.predicted->value) : "");
    row.emplace_back(column + "_kind", !count.predicted ? "" : count.predicted->exact ? "exact" : "at_most");
  }
  row.emplace_back("lower_bound_steps", text_of(record.lower_bound.steps));
  row.emplace_back("lower_bound_longest_sum", text_of(record.lower_bound.longest_sum));
  row.emplace_back("lower_bound_steps_ratio", text_of(run::steps_to_bound(record)));
  row.emplace_back("lower_bound_longest_sum_ratio", text_of(run::longest_sum_to_bound(record)));
  row.emplace_back("steps_optimal", text_of(run::is_optimal_in_steps(record)));
  row.emplace_back("longest_sum_optimal", text_of(run::is_optimal_in_longest_sum(record)));
  row.emplace_back("optimal", text_of(run::is_optimal(record)));
  row.emplace_back("lower_bound_time", text_of(record.lower_bound.time));
}

/// "longest_queue=5 ..."
std::string measures_text(const Outcome& outcome) {
  std::string text;
  for (const Measure& measure : outcome.measures) {
    text += (text.empty() ? "" : " ") + std::string(measure.name) + "=" + std::to_string(measure.value);
  }
  return text;
}

void add_times(CsvRow& row, const run::RunRecord& record) {
  const run::WallClock& wall = record.wall;
  row.insert(row.end(), {{"time_synchronous", text_of(record.outcome.report.time_synchronous)},
                         {"time_asynchronous", text_of(record.outcome.report.time_asynchronous)},
                         {"time_arithmetic", text_of(record.outcome.report.time_arithmetic)},
                         {"time_predicted", text_of(run::predicted_time(record))},
                         {"time_predicted_asynchronous", text_of(record.prediction.asynchronous)},
                         {"time_closed_form", text_of(record.prediction.closed_form)},
                         {"setup_s", text_of(wall.setup_seconds)},
                         {"run_s", text_of(wall.run_seconds)},
                         {"run_min_s", text_of(wall.fastest_seconds)},
                         {"verify_s", text_of(wall.verify_seconds)},
                         {"arithmetic_s", text_of(wall.arithmetic_seconds)},
                         {"repeats", std::to_string(wall.repeats)},
                         {"messages_per_s", text_of(run::messages_per_second(record))},
                         {"ns_per_message", text_of(run::nanoseconds_per_message(record))},
                         {"peak_rss_bytes", std::to_string(wall.peak_rss_bytes)},
                         {"threads", std::to_string(wall.threads)},
                         {"executor", wall.executor}});
}

bool has_column(const CsvRow& row, const std::string& name) {
  return std::any_of(row.begin(), row.end(), [&](const auto& column) { return column.first == name; });
}

/// A column for every parameter of any method: "time_limit", or "words_parameter" where the row has another column of
/// that name. Empty if the method lacks the parameter, or it has no value.
CsvRow parameters_beside(const CsvRow& row, const run::RunPlan& plan) {
  CsvRow parameters;
  const nlohmann::json values = flags::setting_values(*plan.method, plan.settings);
  for (const SettingFlag& flag : setting_flags()) {
    std::string column(flag.name);
    std::replace(column.begin(), column.end(), '-', '_');
    if (has_column(row, column)) column += "_parameter";
    const nlohmann::json value = values.value(std::string(flag.name), nlohmann::json());
    parameters.emplace_back(column, value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
  }
  return parameters;
}

CsvRow row_of(const run::RunRecord& record) {
  const MachineSpec& machine = record.plan.machine;
  CsvRow row{{"schema", std::to_string(host::schema)},
             {"machine", machine.text},
             {"family", machine.family},
             {"processors", std::to_string(record.facts.processors)},
             {"links", std::to_string(record.facts.links)},
             {"diameter", text_of(record.facts.diameter)},
             {"guest", record.plan.embedding ? record.plan.embedding->guest : ""},
             {"algorithm", record.plan.name},
             {"operation", std::string(record.plan.method->operation)}};
  const auto parameters_begin = static_cast<std::ptrdiff_t>(row.size());
  std::ranges::copy(model_cells(record.plan), std::back_inserter(row));
  add_counts(row, record);
  add_times(row, record);
  row.emplace_back("measures", measures_text(record.outcome));
  row.emplace_back("faults", flags_of(record.plan.faults));
  row.emplace_back("verified", record.is_verified() ? "true" : "false");
  row.emplace_back("status", std::string(name(record.status)));
  row.emplace_back("error", record.error);
  row.emplace_back("digest", record.digest);
  const CsvRow parameters = parameters_beside(row, record.plan);
  row.insert(row.begin() + parameters_begin, parameters.begin(), parameters.end());
  return row;
}

/// Whether the column is known for a refused run: its request and its outcome.
bool is_known_of_refused(const std::string& column) {
  return column == "schema" || column == "machine" || column == "algorithm" || column == "status" || column == "error";
}

/// Whether the column is a result of the run.
bool is_result(const std::string& column) {
  constexpr std::string_view results[] = {"cycles",
                                          "steps",
                                          "messages",
                                          "sends",
                                          "words",
                                          "longest_sum",
                                          "startups",
                                          "busiest_link_words",
                                          "peak_words_held",
                                          "copied_words",
                                          "operations",
                                          "scanned_blocks",
                                          "lower_bound_steps_ratio",
                                          "lower_bound_longest_sum_ratio",
                                          "steps_optimal",
                                          "longest_sum_optimal",
                                          "optimal",
                                          "time_synchronous",
                                          "time_asynchronous",
                                          "time_arithmetic",
                                          "setup_s",
                                          "run_s",
                                          "run_min_s",
                                          "verify_s",
                                          "arithmetic_s",
                                          "repeats",
                                          "messages_per_s",
                                          "ns_per_message",
                                          "peak_rss_bytes",
                                          "threads",
                                          "executor",
                                          "measures",
                                          "digest"};
  return std::find(std::begin(results), std::end(results), column) != std::end(results);
}

/// The row of any run; unknown cells are empty.
CsvRow known_part(const run::RunRecord& record) {
  if (record.plan.method == nullptr) {
    run::RunRecord named = record;
    named.plan.method = catalogue().front();
    CsvRow row = row_of(named);
    for (auto& [column, value] : row) {
      if (!is_known_of_refused(column)) value.clear();
    }
    return row;
  }
  CsvRow row = row_of(record);
  for (auto& [column, value] : row) {
    if (!record.has_ended() && is_result(column)) value.clear();
  }
  return row;
}

/// The names of the columns, which do not depend on the run; those of any method serve.
std::string header() {
  run::RunRecord none;
  none.plan.method = catalogue().front();
  std::string line;
  for (const auto& [column, value] : row_of(none)) line += (line.empty() ? "" : ",") + column;
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

CsvRow model_cells(const run::RunPlan& plan) {
  const Model model = run::given_model(plan);
  return {{"ports", std::string(name(model.ports))},
          {"duplex", std::string(name(model.duplex))},
          {"multicast", model.multicast ? "on" : "off"},
          {"beta", text_of(model.cost.beta)},
          {"tau", text_of(model.cost.tau)},
          {"max_packet_words", model.cost.max_packet_words == 0 ? "" : std::to_string(model.cost.max_packet_words)},
          {"copy_cost", text_of(model.cost.copy_cost)},
          {"flop", text_of(model.cost.flop)},
          {"scan_cost", text_of(model.cost.scan_cost)},
          {"stage_cost", text_of(plan.stage_cost)},
          {"switching", std::string(name(model.cost.switching))},
          {"hop_cost", text_of(model.cost.hop_cost)},
          {"startup", std::string(name(model.cost.startup))}};
}

CsvReport::CsvReport(const std::string& path)
    : table_(path, header(), "reports with schema " + std::to_string(host::schema)) {}

std::string CsvReport::row_text(const run::RunRecord& record) {
  std::string line;
  for (const auto& [column, value] : known_part(record)) line += (line.empty() ? "" : ",") + quoted_if_needed(value);
  return line;
}

}  // namespace lockstep::cli::report
