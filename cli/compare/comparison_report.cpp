// The reports of a comparison.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "comparison.hpp"
#include "flags/setting_flags.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "report/csv_report.hpp"

namespace lockstep::cli::compare {
namespace {

using Json = nlohmann::ordered_json;
using ComparedTrial = Comparison::ComparedTrial;
using ComparedTask = Comparison::ComparedTask;

constexpr const char* unknown = "-";

/// Whether a text report shows the quantity: some row has it, and it differs from another column.
bool is_shown(const report::Quantity& quantity, const ComparedTask& group, const Comparison& comparison) {
  if (quantity.name == "hops" || quantity.name == "busiest_link_words") {
    return comparison.has_guests || quantity.name == comparison.criterion.name;
  }
  if (comparison.predicted && quantity.name == "run_s") return false;  // guests' methods may have run
  const auto any = [&](const auto& says_something) {
    return std::ranges::any_of(group.rows, [&](const ComparedTrial& row) {
      const run::RunRecord& record = *row.trial->known_record();
      const auto figure = quantity.of(record);
      return figure && says_something(record, *figure);
    });
  };
  const auto differs_from = [&](const char* other) {
    return any([&](const run::RunRecord& record, const report::Figure& figure) {
      const auto same = report::find_quantity(other).of(record);
      return !same || same->value != figure.value;
    });
  };
  if (quantity.name == "startups") return differs_from("messages");
  if (quantity.name == "time_asynchronous") return differs_from("time_synchronous");
  if (quantity.name == "coverage")
    return any([](const auto&, const report::Figure& figure) { return figure.value < 1; });
  if (quantity.name == "copied_words" || quantity.name == "scanned_blocks")
    return any([](const auto&, const report::Figure& figure) { return figure.value > 0; });
  if (quantity.name == "operations") {
    return any([](const run::RunRecord& record, const report::Figure& figure) {
      return figure.value > 0 && record.plan.model.cost.flop > 0;
    });
  }
  const bool is_of_machines =
      quantity.name == "processors" || quantity.name == "links" || quantity.name.starts_with("time_times_");
  return (comparison.has_several_machines || !is_of_machines) && any([](const auto&, const auto&) { return true; });
}

std::vector<host::Column> columns_of(const Comparison& comparison, const ComparedTask& group) {
  std::vector<host::Column> columns;
  const auto add = [&](const std::string& heading, bool is_text, const auto& cell) {
    columns.push_back({heading, is_text, {}});
    for (const ComparedTrial& row : group.rows) columns.back().cells.push_back(cell(row));
  };
  add("", false, [](const ComparedTrial& row) {
    if (!row.trial->record) return std::string("failed");
    return row.rank ? std::to_string(*row.rank) : unknown;
  });
  add("method", true, [](const ComparedTrial& row) { return printable(row.trial->name()); });
  if (comparison.has_several_machines) {
    add("machine", true, [](const ComparedTrial& row) { return printable(row.trial->machine); });
  }
  if (!comparison.has_several_rules()) {  // else the title names them
    add("rules", true, [&](const ComparedTrial&) { return text_of(group.rules); });
  }
  for (const report::Quantity& quantity : report::quantities()) {
    if (!is_shown(quantity, group, comparison)) continue;
    add(std::string(quantity.heading), false, [&](const ComparedTrial& row) {
      const auto figure = quantity.of(*row.trial->known_record());
      return figure ? report::short_text(quantity, *figure) : unknown;
    });
  }
  return columns;
}

/// Tables of other rules than those asked for leave out what the first table says.
std::string title(const Comparison& comparison, const ComparedTask& group) {
  const bool is_brief = !group.is_asked_for && &group != &comparison.groups.front();
  std::string text = group.task;
  if (!comparison.has_several_machines) {
    const run::Trial& trial = *group.rows.front().trial;
    text += " on " + printable(trial.machine);
    if (!is_brief) {
      const MachineFacts& facts = trial.known_record()->facts;
      text += " (" + host::counted(facts.processors, "processor") + ", " + host::counted(facts.links, "link") + ")";
    }
  }
  if (comparison.has_several_rules()) text += ", " + marked_text(group.rules, group.is_asked_for);
  if (is_brief) return text;
  const CostPreset* const preset = group.rows.front().trial->record->plan.preset;
  return text + "; best first by " + report::title_of(comparison.criterion) +
         (comparison.predicted ? ", as predicted" : "") +
         (preset == nullptr ? "" : "; times in " + std::string(preset->time_unit));
}

/// "is for torus: allgather/two-pass, ..": one line per reason.
std::vector<std::string> reason_lines(const Comparison& comparison, const std::vector<const run::Trial*>& trials) {
  std::vector<std::pair<std::string, std::string>> methods_by_reason;
  for (const run::Trial* trial : trials) {
    std::string shown = printable(trial->name());
    if (comparison.has_several_machines) shown += " on " + printable(trial->machine);
    if (comparison.has_several_port_models && trial->ports)
      shown += " under --ports " + std::string(name(*trial->ports));
    const auto same = std::ranges::find(methods_by_reason, trial->reason, &std::pair<std::string, std::string>::first);
    if (same == methods_by_reason.end()) {
      methods_by_reason.emplace_back(trial->reason, shown);
    } else {
      same->second += ", " + shown;
    }
  }
  std::vector<std::string> lines;
  for (const auto& [reason, methods] : methods_by_reason) lines.push_back(reason + ": " + methods);
  return lines;
}

}  // namespace

std::string text_of(const Comparison& comparison) {
  const host::Style style = host::Style::of_output();
  std::string text;
  for (const ComparedTask& group : comparison.groups) {
    text += (text.empty() ? "" : "\n") + style.heading(title(comparison, group)) + "\n" +
            host::plain_table(columns_of(comparison, group));
  }
  const auto list = [&](const std::string& heading, const std::vector<const run::Trial*>& trials) {
    if (!trials.empty()) text += (text.empty() ? "" : "\n") + style.heading(heading) + "\n";
    for (const std::string& line : reason_lines(comparison, trials)) {
      text += host::wrapped("  ", line, 2, host::line_width());
    }
  };
  list("failed, with the counts up to the error", comparison.failed());
  list("not compared", comparison.refused);
  return text;
}

std::string markdown_of(const Comparison& comparison) {
  std::string text;
  for (const ComparedTask& group : comparison.groups) {
    text += (text.empty() ? "" : "\n") + title(comparison, group) + "\n\n" +
            host::markdown_table(columns_of(comparison, group));
  }
  const auto list = [&](const std::string& heading, const std::vector<const run::Trial*>& trials) {
    if (!trials.empty()) text += "\n" + heading + ":\n\n";
    for (const std::string& line : reason_lines(comparison, trials)) text += "- " + line + "\n";
  };
  list("Failed, with the counts up to the error", comparison.failed());
  list("Not compared", comparison.refused);
  return text;
}

const std::vector<const report::ReportField*>& measured_columns() {
  static const std::vector<const report::ReportField*> columns = [] {
    std::vector<const report::ReportField*> fields = report::measuring_fields();
    std::erase_if(fields, [](const report::ReportField* field) {
      const auto is_same = [&](const report::Quantity& quantity) { return quantity.name == field->column; };
      return field->column.empty() || std::ranges::any_of(report::quantities(), is_same);
    });
    return fields;
  }();
  return columns;
}

std::string csv_columns() {
  std::string text = "machine,algorithm";
  for (const auto& [name, value] : report::model_cells(run::RunPlan{})) text += "," + name;
  text += ",parameters";
  for (const report::Quantity& quantity : report::quantities()) text += "," + std::string(quantity.name);
  text += ",at_most,failed,reason";
  for (const report::ReportField* const field : measured_columns()) text += "," + field->column;
  return text;
}

std::vector<std::string> csv_cells(const run::Trial& trial) {
  std::vector<std::string> cells{trial.machine, trial.name()};
  if (trial.known_record() == nullptr) {
    const std::size_t other_columns = report::model_cells(run::RunPlan{}).size() + 2;  // parameters and at_most
    const std::optional<PortModel> ports = trial.known_ports();
    cells.push_back(ports ? std::string(name(*ports)) : "");
    cells.resize(cells.size() + other_columns - 1 + report::quantities().size());
    cells.push_back(trial.has_failed ? "true" : "false");
    cells.push_back(trial.reason);
    cells.resize(cells.size() + measured_columns().size());
    return cells;
  }
  const run::RunRecord& record = *trial.known_record();
  for (const auto& [name, value] : report::model_cells(record.plan)) cells.push_back(value);
  cells.push_back(flags::setting_text(*record.plan.method, record.plan.settings, "", "="));
  std::string bounds;
  for (const report::Quantity& quantity : report::quantities()) {
    const auto figure = quantity.of(record);
    cells.push_back(figure ? report::exact_json(quantity, *figure).dump() : "");
    if (figure && !figure->exact) bounds += (bounds.empty() ? "" : " ") + std::string(quantity.name);
  }
  cells.push_back(bounds);
  cells.push_back(trial.has_failed ? "true" : "false");
  cells.push_back(trial.reason);
  const bool has_run = report::known_of(record) >= report::Known::counted;
  for (const report::ReportField* const field : measured_columns()) {
    cells.push_back(has_run || field->known == report::Known::refused ? report::cell_of(*field, record) : "");
  }
  return cells;
}

std::string csv_of(const Comparison& comparison) {
  std::string text = "rank,task,rules," + csv_columns() + "\n";
  const auto add = [&text](std::vector<std::string> cells, const run::Trial& trial) {
    const std::vector<std::string> others = csv_cells(trial);
    cells.insert(cells.end(), others.begin(), others.end());
    text += report::csv_text(cells);
  };
  for (const ComparedTask& group : comparison.groups) {
    for (const ComparedTrial& row : group.rows)
      add({row.rank ? std::to_string(*row.rank) : "", group.task, text_of(group.rules)}, *row.trial);
  }
  for (const run::Trial* trial : comparison.refused) add({"", "", ""}, *trial);
  return text;
}

Json json_of(const run::Trial& trial) {
  Json json{{"machine", trial.machine}, {"algorithm", trial.method}};
  if (!trial.guest.empty()) json["guest"] = trial.guest;
  if (trial.known_record() == nullptr) {
    const std::optional<PortModel> ports = trial.known_ports();
    json["ports"] = ports ? Json(name(*ports)) : Json();
    json["failed"] = trial.has_failed;
    json["reason"] = trial.reason;
    return json;
  }
  const run::RunRecord& record = *trial.known_record();
  Json figures = Json::object();
  Json bounds = Json::array();
  for (const report::Quantity& quantity : report::quantities()) {
    const auto figure = quantity.of(record);
    figures[std::string(quantity.name)] = figure ? report::exact_json(quantity, *figure) : Json();
    if (figure && !figure->exact) bounds.push_back(quantity.name);
  }
  json["parameters"] = flags::setting_values(*record.plan.method, record.plan.settings);
  json["model"] = report::json_model(record.plan);
  json["figures"] = std::move(figures);
  json["at_most"] = std::move(bounds);
  json["problems"] = record.problems;
  json["digest"] = record.has_ended() ? Json(record.digest) : Json();
  for (const report::ReportField* const field : report::measuring_fields()) {
    const bool is_measured = field->path.starts_with("wall.") || field->path.starts_with("host.");
    if (!is_measured || !field->value || field->known > report::known_of(record)) continue;
    json[field->path.substr(0, 4)][field->path.substr(5)] = field->value(record);
  }
  json["failed"] = trial.has_failed;
  json["reason"] = trial.reason.empty() ? Json() : Json(trial.reason);
  return json;
}

Json json_of(const Comparison& comparison) {
  Json rows = Json::array();
  for (const ComparedTask& group : comparison.groups) {
    for (const ComparedTrial& row : group.rows) {
      rows.push_back(
          {{"rank", row.rank ? Json(*row.rank) : Json()}, {"task", group.task}, {"rules", text_of(group.rules)}});
      rows.back().update(json_of(*row.trial));
    }
  }
  Json refused = Json::array();
  for (const run::Trial* trial : comparison.refused) refused.push_back(json_of(*trial));
  return {{"lockstep", host::version},         {"schema", host::schema},
          {"operation", comparison.operation}, {"by", comparison.criterion.name},
          {"predicted", comparison.predicted}, {"mixed_rules", false},
          {"rows", std::move(rows)},           {"refused", std::move(refused)}};
}

}  // namespace lockstep::cli::compare
