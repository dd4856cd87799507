#include "unit_report.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "comparison.hpp"
#include "flags/setting_flags.hpp"
#include "guests.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "report/csv_report.hpp"
#include "report/json_report.hpp"

namespace lockstep::cli::compare {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<Unit, 3> units{
    {{"processor", "processors", [](const MachineFacts& facts) { return facts.processors; }},
     {"link", "links", [](const MachineFacts& facts) { return facts.links; }},
     {"port", "ports of a processor", [](const MachineFacts& facts) { return facts.degree_max; }}}};

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

std::vector<std::string> all_operations() {
  std::vector<std::string> operations;
  for (const Method* method : catalogue()) add_once(operations, std::string(method->operation));
  return operations;
}

std::string operation_of(const run::Trial& trial) { return trial.method.substr(0, trial.method.find('/')); }

bool takes_flag(const std::string& operation, const SettingFlag& flag) {
  return std::ranges::any_of(catalogue(), [&](const Method* method) {
    return method->operation == operation && flags::takes(*method, flag.name);
  });
}

void refuse_foreign(const run::TrialArguments& arguments, const std::vector<std::string>& operations) {
  for (const auto& given : arguments.settings) {
    const auto takes_it = [&](const std::string& operation) { return takes_flag(operation, *given.first); };
    if (std::ranges::any_of(operations, takes_it)) continue;
    throw InputError(given.first->flag() + " is not a parameter of any compared method");
  }
}

/// Whether the operation has a method for the family of each machine.
bool has_on_all(const std::string& operation, const std::vector<std::string>& machines) {
  return std::ranges::all_of(machines, [&](const std::string& text) {
    const MachineSpec machine = parse_machine(text);
    return std::ranges::any_of(catalogue(), [&](const Method* method) {
      return method->operation == operation && is_for(*method, machine.family);
    });
  });
}

/// For a parameter that no planned operation takes, throws the refusal of an operation that does take it.
void refuse_idle(const run::TrialArguments& arguments, const UnitTrials& planned,
                 const std::map<std::string, InputError>& refusals) {
  for (const auto& given : arguments.settings) {
    const auto takes_it = [&](const run::Trial& trial) { return takes_flag(operation_of(trial), *given.first); };
    if (std::ranges::any_of(planned.trials, takes_it)) continue;
    for (const auto& [operation, refusal] : refusals) {
      if (takes_flag(operation, *given.first)) throw refusal;
    }
    throw InputError(given.first->flag() + " is not a parameter of any operation that all of these machines have");
  }
}

/// Keeps the row that takes least for each task and machine.
void add(std::vector<UnitReport::UnitRow>& rows, const UnitReport::UnitRow& row) {
  const auto same = std::ranges::find_if(
      rows, [&](const UnitReport::UnitRow& other) { return other.task == row.task && other.machine == row.machine; });
  if (same == rows.end()) {
    rows.push_back(row);
  } else if (row.cost < same->cost) {
    *same = row;
  }
}

/// The rows of the task, one per machine, in the order of the machines; empty if a machine has none.
std::vector<UnitReport::UnitRow> rows_of(const std::vector<UnitReport::UnitRow>& all, const std::string& task,
                                         const std::vector<std::string>& machines) {
  std::vector<UnitReport::UnitRow> rows;
  for (const std::string& machine : machines) {
    const auto row = std::ranges::find_if(
        all, [&](const UnitReport::UnitRow& one) { return one.task == task && one.machine == machine; });
    if (row == all.end()) return {};
    rows.push_back(*row);
  }
  const long double least = std::ranges::min_element(rows, {}, &UnitReport::UnitRow::cost)->cost;
  for (UnitReport::UnitRow& row : rows) row.ratio = least == 0 ? 1 : row.cost / least;
  return rows;
}

std::vector<host::Column> columns_of(const UnitReport& report) {
  std::vector<host::Column> columns;
  const auto column = [&](const std::string& heading, bool is_text, const auto& cell) {
    columns.push_back({heading, is_text, {}});
    for (const UnitReport::UnitRow& row : report.rows) columns.back().cells.push_back(cell(row));
  };
  const std::string quantity(report.criterion.heading);
  column("operation", true, [](const UnitReport::UnitRow& row) { return row.task; });
  column("machine", true, [](const UnitReport::UnitRow& row) { return printable(row.machine); });
  column("method", true, [](const UnitReport::UnitRow& row) { return printable(row.trial->name()); });
  column(quantity, false,
         [&](const UnitReport::UnitRow& row) { return report::short_text(report.criterion, row.figure); });
  column(std::string(report.unit.plural), false,
         [](const UnitReport::UnitRow& row) { return host::grouped(row.units); });
  column(quantity + " x " + std::string(report.unit.plural), false,
         [](const UnitReport::UnitRow& row) { return (row.figure.exact ? "" : "<= ") + host::short_figure(row.cost); });
  column("ratio", false, [](const UnitReport::UnitRow& row) { return host::short_figure(row.ratio); });
  return columns;
}

std::string title(const UnitReport& report) {
  return report::title_of(report.criterion) + " times " + std::string(report.unit.plural) +
         ", the best method of each machine" + (report.predicted ? ", as predicted" : "");
}

/// "rh:2,2 costs least in 1 of 6 operations"
std::string leads(const UnitReport& report) {
  std::string text;
  for (const std::string& machine : report.machines) {
    std::uint64_t tasks = 0;
    std::uint64_t least = 0;
    for (const UnitReport::UnitRow& row : report.rows) {
      if (row.machine != machine) continue;
      ++tasks;
      if (row.ratio <= 1) ++least;
    }
    text += printable(machine) + " costs least in " + std::to_string(least) + " of " +
            host::counted(tasks, "operation") + "\n";
  }
  return text;
}

std::string left_out_line(const UnitReport& report) {
  if (report.left_out.empty()) return "";
  return "not on all machines, or under other rules: " + host::joined(report.left_out);
}

}  // namespace

const Unit& find_unit(const std::string& name) {
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (unit != units.end()) return *unit;
  refuse_choice("--per", name, {"processor", "link", "port"});
}

UnitTrials plan_unit_trials(run::TrialArguments arguments, const report::Quantity& criterion) {
  if (arguments.machines.size() < 2) throw InputError("--per compares machines: give --machine twice");
  if (arguments.ports.size() > 1) throw InputError("--per compares under one port model; --ports is given twice");
  if (arguments.ports.empty()) arguments.ports = {PortModel::one};
  std::vector<std::string> operations{arguments.operation};
  if (arguments.operation.empty()) operations = all_operations();
  refuse_foreign(arguments, operations);
  UnitTrials planned;
  std::map<std::string, InputError> refusals;
  for (const std::string& operation : operations) {
    run::TrialArguments of_operation = arguments;
    of_operation.operation = operation;
    std::erase_if(of_operation.settings, [&](const auto& given) { return !takes_flag(operation, *given.first); });
    if (!has_on_all(operation, arguments.machines)) {
      planned.left_out.push_back(operation);
      continue;
    }
    try {
      std::vector<run::Trial> trials = run::plan_trials(of_operation);
      for (const std::string& machine : arguments.machines) run::refuse_if_nothing_runs(trials, operation, machine);
      add_guests(of_operation, {&criterion}, trials);
      std::ranges::move(trials, std::back_inserter(planned.trials));
    } catch (const InputError& refusal) {  // another operation may succeed
      refusals.emplace(operation, refusal);
      planned.left_out.push_back(operation);
    }
  }
  refuse_idle(arguments, planned, refusals);
  if (planned.trials.empty() && !refusals.empty()) throw refusals.begin()->second;
  if (planned.trials.empty()) throw InputError("no operation can be compared on all of these machines");
  return planned;
}

UnitReport unit_report(const run::TrialArguments& arguments, const UnitTrials& trials, const Unit& unit,
                       const report::Quantity& criterion) {
  UnitReport report{unit, criterion, arguments.predict, arguments.machines, {}, trials.left_out};
  std::vector<UnitReport::UnitRow> all;
  std::vector<std::string> tasks;
  std::vector<std::string> operations;
  for (const run::Trial& trial : trials.trials) {
    add_once(operations, operation_of(trial));
    if (!trial.record) continue;
    const auto figure = criterion.of(*trial.record);
    if (!figure) continue;
    const std::uint64_t number = unit.of(trial.record->facts);
    const RunRules rules = rules_of(trial.record->plan);
    std::string task = task_of(*trial.record);
    if (!are_asked_for(rules, arguments)) task += ", " + text_of(rules);
    add_once(tasks, task);
    add(all, {task, trial.machine, &trial, *figure, number, figure->value * static_cast<long double>(number), 1});
  }
  for (const std::string& task : tasks) {
    for (const UnitReport::UnitRow& row : rows_of(all, task, report.machines)) report.rows.push_back(row);
  }
  for (const std::string& operation : operations) {
    const auto is_of = [&](const UnitReport::UnitRow& row) { return operation_of(*row.trial) == operation; };
    if (std::ranges::none_of(report.rows, is_of)) report.left_out.push_back(operation);
  }
  return report;
}

std::string text_of(const UnitReport& report) {
  std::string text = host::Style::of_output().heading(title(report)) + "\n" + host::plain_table(columns_of(report)) +
                     "\n" + leads(report);
  const std::string left_out = left_out_line(report);
  return left_out.empty() ? text : text + host::wrapped("", left_out, 0, host::line_width());
}

std::string markdown_of(const UnitReport& report) {
  const std::string left_out = left_out_line(report);
  return title(report) + "\n\n" + host::markdown_table(columns_of(report)) + "\n" + leads(report) +
         (left_out.empty() ? "" : "\n" + left_out + "\n");
}

std::string csv_of(const UnitReport& report) {
  std::string text = "per,by,task,machine,algorithm,figure,at_most,units,cost,ratio\n";
  for (const UnitReport::UnitRow& row : report.rows) {
    text += report::csv_text({std::string(report.unit.name), std::string(report.criterion.name), row.task, row.machine,
                              row.trial->name(), report::exact_json(report.criterion, row.figure).dump(),
                              row.figure.exact ? "false" : "true", std::to_string(row.units),
                              Json(static_cast<double>(row.cost)).dump(), Json(static_cast<double>(row.ratio)).dump()});
  }
  return text;
}

Json json_of(const UnitReport& report) {
  Json rows = Json::array();
  for (const UnitReport::UnitRow& row : report.rows) {
    rows.push_back({{"task", row.task},
                    {"machine", row.machine},
                    {"algorithm", row.trial->method},
                    {"figure", report::exact_json(report.criterion, row.figure)},
                    {"at_most", !row.figure.exact},
                    {"units", row.units},
                    {"cost", static_cast<double>(row.cost)},
                    {"ratio", static_cast<double>(row.ratio)}});
    if (!row.trial->guest.empty()) rows.back()["guest"] = row.trial->guest;
  }
  return {{"lockstep", host::version},   {"schema", host::schema},        {"per", report.unit.name},
          {"by", report.criterion.name}, {"predicted", report.predicted}, {"rows", std::move(rows)},
          {"left_out", report.left_out}};
}

}  // namespace lockstep::cli::compare
