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
#include "output_file.hpp"

namespace lockstep::cli {
namespace {

void refuse_if_incomplete(const CompareArguments& arguments) {
  const TrialArguments& trials = arguments.trials;
  if (trials.operation.empty() || trials.machines.empty()) {
    const std::string missing = !trials.machines.empty()    ? "--operation"
                                : !trials.operation.empty() ? "--machine"
                                                            : "--operation and --machine";
    throw InputError("compare needs " + missing +
                     ", e.g. lockstep compare --operation allgather --machine hypercube:8 --words 64");
  }
}

/// The tables and documents that were asked for, each with its place.
class Outputs {
 public:
  /// Throws InputError if two lead to one place, or one to an input, and OutputError if one cannot be written.
  explicit Outputs(const CompareArguments& arguments) {
    std::vector<NamedFile> named;
    if (arguments.markdown) named.push_back({"--markdown", *arguments.markdown});
    if (arguments.csv) named.push_back({"--csv", *arguments.csv});
    if (arguments.json) named.push_back({"--json", *arguments.json});
    refuse_shared_files(named, inputs_of(arguments.trials));
    add(arguments.markdown, markdown_of);
    add(arguments.csv, csv_of);
    add(arguments.json, [](const Comparison& comparison) { return json_text(json_of(comparison)); });
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
    std::string path;
    std::string (*text)(const Comparison&);
    std::unique_ptr<OutputFile> file;
  };

  void add(const std::optional<std::string>& path, std::string (*text)(const Comparison&)) {
    if (path) outputs_.push_back({*path, text, std::make_unique<OutputFile>(*path)});
  }

  std::vector<Output> outputs_;
};

/// Whether the user has asked to stop: what has not been run then cannot be compared.
bool run_until_stopped(std::vector<Trial>& trials, const std::atomic<bool>& stop) {
  bool is_interrupted = false;
  for (Trial& trial : trials) {
    if (!trial.record) continue;
    try {
      if (!is_interrupted) run_trial(trial, stop);
    } catch (const Interrupted&) {
      is_interrupted = true;
    }
    if (!is_interrupted) continue;
    trial.record.reset();
    trial.reason = "was not run to its end: interrupted";
  }
  return is_interrupted;
}

}  // namespace

int compare_command(const CompareArguments& arguments, const std::atomic<bool>& stop) {
  const Quantity& criterion = find_criterion(arguments.criterion, arguments.trials.predict);
  refuse_if_incomplete(arguments);
  std::vector<Trial> trials = plan_trials(arguments.trials);
  Outputs outputs(arguments);
  const bool is_interrupted = !arguments.trials.predict && run_until_stopped(trials, stop);
  begin_outputs();
  const Comparison comparison = compared(arguments.trials, trials, criterion);
  outputs.write(comparison);
  if (!outputs.take_standard_output() && !arguments.trials.run.quiet) write_output(text_of(comparison));
  if (!is_interrupted) return exit_code_of(trials);
  print_failure("interrupted");
  return interrupt_code();
}

}  // namespace lockstep::cli
