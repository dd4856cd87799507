#include "compare_command.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "comparison.hpp"
#include "exit_code.hpp"
#include "failure.hpp"
#include "file_names.hpp"
#include "interrupt.hpp"
#include "json_report.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "output_file.hpp"

namespace lockstep::cli {
namespace {

void refuse_if_incomplete(const CompareArguments& arguments, const Quantity& criterion) {
  const TrialArguments& trials = arguments.trials;
  if (trials.operation.empty() || trials.machines.empty()) {
    const std::string missing = !trials.machines.empty()    ? "--operation"
                                : !trials.operation.empty() ? "--machine"
                                                            : "--operation and --machine";
    throw InputError("compare needs " + missing +
                     ", e.g. lockstep compare --operation allgather --machine hypercube:8 --words 64");
  }
  if (trials.predict && criterion.name == "run_s") {
    throw InputError("--by wall compares what runs took, and --predict runs nothing");
  }
}

/// Every method reads it anew, and standard input can be read once.
void refuse_standard_input(const TrialArguments& arguments) {
  for (const auto& [flag, text] : arguments.settings) {
    if (flag->name == "input" && is_standard_input(text)) {
      throw InputError("--input of compare has to be a file: every method reads it");
    }
  }
}

/// The tables and documents that were asked for, each with its place.
class Outputs {
 public:
  /// Throws InputError if two lead to one place, and OutputError if one cannot be written.
  explicit Outputs(const CompareArguments& arguments) {
    add("--markdown", arguments.markdown, markdown_of);
    add("--csv", arguments.csv, csv_of);
    add("--json", arguments.json, [](const Comparison& comparison) { return json_text(json_of(comparison)); });
  }

  /// Whether one of them is all that standard output is to have.
  bool take_standard_output() const {
    return std::ranges::any_of(outputs_, [](const Output& output) { return output.path == "-"; });
  }
  /// Writes all of them, or none.
  void write(const Comparison& comparison) {
    for (Output& output : outputs_) output.file->prepare(output.text(comparison));
    for (Output& output : outputs_) output.file->publish();
  }

 private:
  struct Output {
    std::string flag;
    std::string path;
    std::string (*text)(const Comparison&);
    std::unique_ptr<OutputFile> file;
  };

  void add(const std::string& flag, const std::optional<std::string>& path, std::string (*text)(const Comparison&)) {
    if (!path) return;
    for (const Output& other : outputs_) {
      if (*path == other.path || is_one_file(*path, other.path)) {
        throw InputError(other.flag + " and " + flag + " lead to the same file, " + printable(*path));
      }
    }
    outputs_.push_back({flag, *path, text, std::make_unique<OutputFile>(*path)});
  }

  std::vector<Output> outputs_;
};

}  // namespace

int compare_command(const CompareArguments& arguments, const std::atomic<bool>& stop) {
  const Quantity& criterion = find_criterion(arguments.criterion);
  refuse_if_incomplete(arguments, criterion);
  refuse_standard_input(arguments.trials);
  std::vector<Trial> trials = plan_trials(arguments.trials);
  Outputs outputs(arguments);
  for (Trial& trial : trials) {
    if (trial.record && !arguments.trials.predict) run_trial(trial, stop);
  }
  begin_outputs();
  const Comparison comparison = compared(arguments.trials, trials, criterion);
  outputs.write(comparison);
  if (!outputs.take_standard_output() && !arguments.trials.run.quiet) write_output(text_of(comparison));
  bool has_failed = false;
  for (const Trial& trial : trials) {
    if (!trial.has_failed) continue;
    has_failed = true;
    print_failure(trial.method + " on " + printable(trial.machine) + ": " + trial.reason);
  }
  return has_failed ? run_failed : verified;
}

}  // namespace lockstep::cli
