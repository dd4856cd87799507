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

/// Where the results of a run go. What replaces a file (the JSON report, a plan, the data of --output) is written
/// beside its place and put there at the end, when all else is done: all of it appears, or nothing but the reports of
/// failure.
class RunOutputs {
 public:
  /// Throws InputError if two lead to one file, or one to an input, and OutputError if one cannot be written.
  explicit RunOutputs(const run::RunArguments& arguments);

  /// The settings with which the method writes its data beside the place of --output; only its first run does.
  Settings settings(const Settings& resolved, bool is_first_run) const;

  /// Shows and writes all that a run came to that has come to its end; the data and the plan of one that is verified.
  /// `human` is the report for people, empty for none, and `plan` the schedule, if there is to be one. `further` puts
  /// other outputs in place and says so. Throws OutputError, or Interrupted if the user asks to stop while others are
  /// waited for.
  void publish(
      const run::RunRecord& record, const std::string& human, const std::string& plan,
      const std::function<void()>& further = [] {});

  /// Writes to JSON and CSV that the run failed, as far as they can be written.
  void report_failure(run::RunRecord record, const run::Failure& failure, const std::exception_ptr& cause);

  /// The exception as the user should see it: one of the file beside --output's place names that place.
  std::exception_ptr in_users_terms(const std::exception_ptr& exception) const;

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
