#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "host/output_file.hpp"
#include "run/failure.hpp"
#include "run/planned_runs.hpp"
#include "trace_page.hpp"

namespace lockstep::cli::trace {

/// The page of `--html`: its file and its runs.
class PageOutput {
 public:
  /// Takes the command's run, then those of --against. Throws OutputError if the file cannot be written, and InputError
  /// if the limits of the trace do not fit a machine.
  explicit PageOutput(std::span<const run::PlannedRun> runs);

  /// Adds the command's run, which finished or failed.
  void add(const run::RunRecord& record, const run::Trace& trace);
  void add(const run::RunRecord& record, const run::Trace& trace, const run::CommandFailure& failure);
  /// Runs and adds those of --against. Returns the exit code of the first that failed and prints a line on standard
  /// error for each that did; throws what execute() throws except failures of a run.
  host::ExitCode run_others(const std::atomic<bool>& stop);

  /// Does everything that may fail; nothing is visible yet.
  void prepare() {
    file_.prepare([this](std::ostream& out) { page_.write(out); });
  }
  /// The prepared file.
  host::OutputFile& file() { return file_; }
  bool takes_standard_output() const { return file_.is_standard_output(); }
  /// The line that reports the written page.
  std::string line() const;

 private:
  host::ExitCode run(const run::PlannedRun& planned, const std::atomic<bool>& stop);
  void add(const TracedRun& run, const nlohmann::ordered_json& report);

  const std::string path_;
  const bool with_cycles_;
  std::vector<run::PlannedRun> others_;
  host::OutputFile file_;
  TracePage page_;
  std::string messages_;  // the number of each run's messages
};

}  // namespace lockstep::cli::trace
