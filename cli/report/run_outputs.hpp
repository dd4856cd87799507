#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "csv_report.hpp"
#include "host/file_names.hpp"
#include "host/output_file.hpp"
#include "lockstep/algorithms/new_file.hpp"
#include "run/failure.hpp"
#include "run/run_options.hpp"

namespace lockstep::cli::report {

/// The files that a run reads.
std::vector<host::NamedFile> inputs_of(const run::RunArguments& arguments);

/// The outputs of a run. Output that replaces a file (the JSON report, a plan, the data of --output) is written beside
/// the file and moved there at the end: all of it appears, or only the reports of a failure.
class RunOutputs {
 public:
  /// Throws InputError if two are one file, or one is an input, and OutputError if one cannot be written.
  explicit RunOutputs(const run::RunArguments& arguments);

  /// The settings with which the method writes its data beside the place of --output; only its first run does.
  Settings settings(const Settings& resolved, bool is_first_run) const;

  /// Shows and writes all results of a finished run, with data and plan only if it is verified. `human` is the text
  /// report, empty for none, and `plan` the schedule, if requested. `further` puts other outputs in place and reports
  /// them. Throws OutputError, or Interrupted if the user interrupts a wait.
  void publish(
      const run::RunRecord& record, const std::string& human, const std::string& plan,
      const std::function<void()>& further = [] {});

  /// Writes the failure to JSON and CSV, where they can be written.
  void report_failure(run::RunRecord record, const run::CommandFailure& failure);

  /// The exception for the user: an error of the file beside --output names --output's file.
  std::exception_ptr user_error(const std::exception_ptr& exception) const;

 private:
  void prepare_json(std::string text);
  void put_in_place(const run::RunRecord& record, const std::function<void()>& further);

  bool with_cycles_;
  bool discards_data_;
  std::optional<host::OutputFile> json_;
  bool json_can_be_written_ = true;  // a stream takes one report
  std::optional<CsvReport> csv_;
  std::optional<host::OutputFile> plan_;
  std::optional<std::string> data_path_;
  std::optional<NewFile> data_;
};

}  // namespace lockstep::cli::report
