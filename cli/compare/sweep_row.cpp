#include "sweep_row.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include "comparison.hpp"
#include "flags/setting_flags.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "report/csv_report.hpp"
#include "report/fields.hpp"
#include "sweep_axis.hpp"

namespace lockstep::cli::compare {
namespace {

using Json = nlohmann::ordered_json;
using CsvCells = std::vector<std::string>;

std::string text_of_value(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// What distinguishes the trials at a point; includes the port model only if there are several.
std::string key_of(const SweepArguments& arguments, CsvCells cells, const std::string& ports) {
  if (arguments.trials.ports.size() > 1) cells.push_back(ports);
  std::string text = report::csv_text(cells);
  text.pop_back();
  return text;
}

/// The text before and after the check at the end of a row.
struct CheckPlace {
  std::string_view before;
  std::string_view behind;
};

CheckPlace check_place(RowForm form) {
  return form == RowForm::csv ? CheckPlace{",", ""} : CheckPlace{R"(,"check":")", "\"}"};
}

std::string check_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.text();
}

/// The text of a row with its check added.
std::string checked(RowForm form, const std::string& text) {
  const CheckPlace place = check_place(form);
  return text + std::string(place.before) + check_of(text) + std::string(place.behind);
}

bool is_whole(RowForm form, const std::string& line) {
  const std::size_t end = checked(form, "").size();
  return line.size() > end && checked(form, line.substr(0, line.size() - end)) == line;
}

/// Figures of a sweep over threads; none of another.
std::span<const report::Quantity> thread_quantities_of(const SweepArguments& arguments) {
  return is_varied(arguments, "threads") ? report::thread_quantities() : std::span<const report::Quantity>();
}

Json json_of_figure(const report::Quantity& quantity, const SweepTrial& trial) {
  const run::RunRecord* const record = trial.trial.known_record();
  const auto figure = record != nullptr ? quantity.of(*record) : std::nullopt;
  return figure ? report::exact_json(quantity, *figure) : Json();
}

/// The limit on cycles; empty where nothing runs.
Json limit_of(const SweepArguments& arguments, const SweepTrial& trial) {
  return arguments.trials.predict ? Json() : Json(trial.trial.arguments.max_cycles);
}

std::string csv_row(const SweepArguments& arguments, const SweepTrial& trial) {
  CsvCells cells = csv_cells(trial.trial);
  if (const auto& plan = trial.trial.plan) {
    auto cell = cells.begin() + 2;  // after machine and algorithm
    for (const auto& [column, value] : report::model_cells(*plan)) *cell++ = value;
    *cell = flags::setting_text(*plan->method, plan->settings, "", "=");
  }
  cells.insert(cells.begin(), trial.values.begin(), trial.values.end());
  for (const report::Quantity& quantity : thread_quantities_of(arguments)) {
    cells.push_back(report::cell_text(json_of_figure(quantity, trial)));
  }
  cells.push_back(report::cell_text(limit_of(arguments, trial)));
  cells.push_back(flags_of(trial.trial.arguments.faults));
  std::string text = report::csv_text(cells);
  text.pop_back();
  return text;
}

/// The row's JSON object without its closing bracket.
std::string json_row(const SweepArguments& arguments, const SweepTrial& trial) {
  Json point = Json::object();
  for (std::size_t index = 0; index < trial.values.size(); ++index) {
    point[arguments.variations[index].name] = json_of_value(trial.values[index]);
  }
  Json json{{"point", std::move(point)}};
  json.update(json_of(trial.trial));
  if (const auto& plan = trial.trial.plan) {
    json["parameters"] = flags::setting_values(*plan->method, plan->settings);
    json["model"] = report::json_model(*plan);
  }
  if (trial.trial.known_record() != nullptr) {
    for (const report::Quantity& quantity : thread_quantities_of(arguments)) {
      json["figures"][std::string(quantity.name)] = json_of_figure(quantity, trial);
    }
  }
  json["max_cycles"] = limit_of(arguments, trial);
  json["faults"] = flags_of(trial.trial.arguments.faults);
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  return text;
}

Json taken(Json& fields, std::string_view name) {
  Json value = fields.at(name);
  fields.erase(name);
  return value;
}

std::string text_taken(Json& fields, std::string_view name) { return taken(fields, name).get<std::string>(); }

CsvCells columns_of(const SweepArguments& arguments) {
  std::string header = header_of(RowForm::csv, arguments);
  header.pop_back();
  return report::csv_cells_of(header);
}

std::optional<double> number_of_cell(const std::string& cell) {
  double value = 0;
  if (std::from_chars(cell.data(), cell.data() + cell.size(), value).ec != std::errc()) return {};
  return value;
}

SweepRow read_csv(const SweepArguments& arguments, const std::string& line, const report::Quantity& criterion) {
  const CsvCells columns = columns_of(arguments);
  CsvCells cells = report::csv_cells_of(line);
  Json fields;
  for (std::size_t index = 0; index < columns.size(); ++index) fields[columns[index]] = cells[index];
  cells.resize(arguments.variations.size() + 2);  // machine and algorithm
  SweepRow row{.key = key_of(arguments, std::move(cells), fields["ports"]), .asked = {}};
  const std::string bounds = " " + text_taken(fields, "at_most") + " ";
  const auto take = [&](const report::Quantity& quantity) {
    const std::optional<double> value = number_of_cell(text_taken(fields, quantity.name));
    if (quantity.name == "run_s") row.run_seconds = value;
    if (quantity.name == "coverage") row.coverage = value;
    if (quantity.name != criterion.name || !value) return;
    row.figure = report::Figure{*value, bounds.find(" " + std::string(criterion.name) + " ") == std::string::npos};
  };
  std::ranges::for_each(report::quantities(), take);
  std::ranges::for_each(thread_quantities_of(arguments), take);
  row.has_failed = text_taken(fields, "failed") == "true";
  if (row.has_failed) row.figure.reset();  // it is not of the whole run
  row.reason = text_taken(fields, "reason");
  fields.erase("check");
  for (const report::ReportField* const field : measured_columns()) fields.erase(field->column);
  row.asked = std::move(fields);
  return row;
}

SweepRow read_json(const SweepArguments& arguments, const std::string& line, const report::Quantity& criterion) {
  Json fields = host::json_in(line);
  CsvCells cells;
  for (const Variation& variation : arguments.variations) {
    cells.push_back(text_of_value(fields.at("point").at(variation.name)));
  }
  const std::string guest = fields.contains("guest") ? fields.at("guest").get<std::string>() : "";
  cells.insert(cells.end(), {fields.at("machine").get<std::string>(),
                             run::name_on(fields.at("algorithm").get<std::string>(), guest)});
  const bool has_plan = fields.contains("model");
  const Json ports = has_plan ? fields.at("model").at("ports") : fields.at("ports");
  SweepRow row{.key = key_of(arguments, std::move(cells), ports.is_null() ? "" : ports.get<std::string>()),
               .asked = {}};
  if (fields.contains("figures")) {
    const Json figures = taken(fields, "figures");
    const Json& figure = figures.at(std::string(criterion.name));
    if (const Json& wall = figures.at("run_s"); !wall.is_null()) row.run_seconds = wall.get<double>();
    if (const Json& share = figures.at("coverage"); !share.is_null()) row.coverage = share.get<double>();
    const Json bounds = taken(fields, "at_most");
    const bool exact = std::ranges::find(bounds, Json(criterion.name)) == bounds.end();
    if (!figure.is_null()) row.figure = report::Figure{figure.get<double>(), exact};
  }
  row.has_failed = taken(fields, "failed");
  if (row.has_failed) row.figure.reset();  // it is not of the whole run
  if (const Json reason = taken(fields, "reason"); !reason.is_null()) row.reason = reason.get<std::string>();
  if (has_plan) fields.erase("ports");  // the model has them
  for (const char* result : {"problems", "digest", "wall", "host", "check"}) fields.erase(result);
  row.asked = std::move(fields);
  return row;
}

/// Why the line cannot be a row of the sweep; empty if it can.
std::string flaw_of(RowForm form, const SweepArguments& arguments, const std::string& line) {
  if (line.empty()) return "is empty";
  const std::size_t columns = form == RowForm::csv ? columns_of(arguments).size() : 0;
  const std::size_t cells = form == RowForm::csv ? report::csv_cells_of(line).size() : 0;
  if (cells != columns) return "has " + host::counted(cells, "column") + ", not " + std::to_string(columns);
  if (form == RowForm::json && json_depth(line) > most_json_depth) return "is not a row of a sweep";
  if (form == RowForm::json && !host::json_in(line).is_object()) return "is not a JSON object";
  return is_whole(form, line) ? "" : "was changed after it was written: its check does not match";
}

std::string shown(const Json& fields, const Json::json_pointer& field) {
  const std::string text = text_of_value(fields.value(field, Json()));
  return text.empty() || text == "null" ? "nothing" : printable(text);
}

}  // namespace

std::string key_of(const SweepArguments& arguments, const SweepTrial& trial) {
  CsvCells cells = trial.values;
  cells.insert(cells.end(), {trial.trial.machine, trial.trial.name()});
  const std::optional<PortModel> ports = trial.trial.known_ports();
  return key_of(arguments, std::move(cells), ports ? std::string(name(*ports)) : "");
}

std::string header_of(RowForm form, const SweepArguments& arguments) {
  if (form == RowForm::json) return "";
  std::string text;
  for (const Variation& variation : arguments.variations) text += "vary_" + variation.name + ",";
  text += csv_columns();
  for (const report::Quantity& quantity : thread_quantities_of(arguments)) text += "," + std::string(quantity.name);
  return text + ",max_cycles,faults,check\n";
}

std::string beginning_of(RowForm form, const SweepArguments& arguments) {
  if (form == RowForm::csv) return header_of(form, arguments);
  const auto& varied = arguments.variations;
  return R"({"point":{)" + (varied.empty() ? R"(},"machine":)" : Json(varied.front().name).dump() + ":");
}

std::string row_of(RowForm form, const SweepArguments& arguments, const SweepTrial& trial) {
  return checked(form, form == RowForm::csv ? csv_row(arguments, trial) : json_row(arguments, trial)) + "\n";
}

SweepRow read_row(RowForm form, const SweepArguments& arguments, const std::string& line,
                  const report::Quantity& criterion) {
  if (const std::string flaw = flaw_of(form, arguments, line); !flaw.empty()) throw InputError(flaw);
  try {
    SweepRow row = form == RowForm::csv ? read_csv(arguments, line, criterion) : read_json(arguments, line, criterion);
    // For a trial that cannot run, no other field gives the reason.
    if (row.asked.value("parameters", Json("")) == "") row.asked["reason"] = row.reason;
    return row;
  } catch (const Json::exception&) {
    throw InputError("is not a row of this sweep");
  }
}

void refuse_other_run(const SweepRow& row, const SweepRow& planned) {
  const Json differences = Json::diff(planned.asked, row.asked);
  if (differences.empty()) return;
  const std::string path = differences.front().at("path");
  const Json::json_pointer field(path);
  std::string name = path.substr(1);
  std::ranges::replace(name, '/', '.');
  throw InputError("is of another sweep: its " + printable(name) + " is " + shown(row.asked, field) + ", not " +
                   shown(planned.asked, field));
}

}  // namespace lockstep::cli::compare
