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

/// Where the page of `--html` goes, and what comes on it.
class PageOutput {
 public:
  /// Of the command's run, which comes first, and those beside it. Throws OutputError if the place cannot be written,
  /// and InputError if the limits of the trace do not suit a machine.
  explicit PageOutput(std::span<const run::PlannedRun> runs);

  /// Adds the command's run, which came to its end, or failed.
  void add(const run::RunRecord& record, const run::Trace& trace);
  void add(const run::RunRecord& record, const run::Trace& trace, const run::Failure& failure,
           const std::exception_ptr& cause);
  /// Runs those beside it and adds them. Returns the exit code of the first that is not as it should be, after a line
  /// on standard error for each; throws what execute() throws, but for failures of a run.
  host::ExitCode run_others(const std::atomic<bool>& stop);

  /// Does all that may fail, but is not seen.
  void prepare() {
    file_.prepare([this](std::ostream& out) { page_.write(out); });
  }
  /// What is prepared.
  host::OutputFile& file() { return file_; }
  bool takes_standard_output() const { return file_.is_standard_output(); }
  /// For people: that it is there.
  std::string line() const;

 private:
  host::ExitCode run(const run::PlannedRun& planned, const std::atomic<bool>& stop);
  void add(const TracedRun& run, const nlohmann::ordered_json& report);

  const std::string path_;
  const bool with_cycles_;
  std::vector<run::PlannedRun> others_;
  host::OutputFile file_;
  TracePage page_;
  std::string messages_;  // how many of each run
};

}  // namespace lockstep::cli::trace
