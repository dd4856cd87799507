#include "refusal_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "argument_order.hpp"
#include "host/file_names.hpp"
#include "host/output_file.hpp"
#include "report/csv_report.hpp"
#include "report/json_report.hpp"
#include "run/schedule_input.hpp"
#include "subcommands.hpp"

namespace lockstep::cli::shell {
namespace {

bool is_flag(std::string_view argument) { return argument.size() > 1 && argument.front() == '-'; }

/// All files that the argument may name: the argument itself, what follows "=" and "file:", graphs, and the traces that
/// a list names.
std::vector<std::string> files_in(const std::string& argument) {
  constexpr std::string_view file = "file:";
  std::vector<std::string> files{argument, argument.substr(argument.find('=') + 1)};
  for (const std::string& graph : host::graph_files(argument)) files.push_back(graph);
  std::string value = files[1];
  if (value.starts_with(file)) value.erase(0, file.size());
  for (const std::string& schedule : run::schedule_files(value)) files.push_back(schedule);
  return files;
}

std::optional<std::string> value_of(std::string_view flag, std::span<const char* const> arguments) {
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    const std::string_view argument = arguments[index];
    if (argument == flag && index + 1 < arguments.size() && !is_flag(arguments[index + 1])) {
      return arguments[index + 1];
    }
    const bool has_value = argument.starts_with(flag) && argument.substr(flag.size()).starts_with('=');
    if (has_value) return std::string(argument.substr(flag.size() + 1));
  }
  return std::nullopt;
}

}  // namespace

/// The file of --json, "-" if it names none.
std::optional<std::string> RefusalReport::json() const {
  const bool is_there = std::any_of(arguments_.begin(), arguments_.end(), [](std::string_view argument) {
    return argument == "--json" || argument.starts_with("--json=");
  });
  if (!is_there) return std::nullopt;
  return value_of("--json", argument_before_json(arguments_)).value_or("-");
}

bool RefusalReport::is_named_once(const std::string& path) const {
  const auto names_it = [&path](const std::string& argument) {
    const std::vector<std::string> files = files_in(argument);
    return std::any_of(files.begin(), files.end(),
                       [&](const std::string& file) { return host::is_one_file(file, path); });
  };
  return path == "-" || std::count_if(arguments_.begin(), arguments_.end(), names_it) <= 1;
}

bool RefusalReport::is_run() const {
  const Subcommand* command = arguments_.empty() ? nullptr : find_subcommand(arguments_.front());
  return command != nullptr && command->is_of_one_run;
}

void RefusalReport::write(const run::CommandFailure& failure) const {
  run::RunRecord record;
  record.plan.machine.text = value_of("--machine", arguments_).value_or("");
  record.plan.name = value_of("--algorithm", arguments_).value_or("");
  record.status = run::status_of(failure, false);
  record.error = failure.kind;
  // Errors while writing are dropped: the user sees the first error, which is this failure.
  try {
    const std::optional<std::string> file = json();
    if (file && is_named_once(*file)) {
      host::OutputFile(*file).write(report::json_text(is_run() ? report::json_refusal(record, failure)
                                                               : report::json_refusal(record.status, failure)));
    }
  } catch (const std::exception&) {
  }
  try {
    const std::optional<std::string> file = is_run() ? value_of("--csv", arguments_) : std::nullopt;
    const bool is_free = file && (*file != "-" || json() != "-");
    if (is_free && is_named_once(*file)) report::CsvReport(*file).append(record);
  } catch (const std::exception&) {
  }
}

}  // namespace lockstep::cli::shell
