#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "host/exit_code.hpp"
#include "lockstep/core/error.hpp"
#include "run_record.hpp"

namespace lockstep::cli::run {

/// How the command fails: its exit code, the error line, and the kind of error in reports.
struct CommandFailure {
  host::ExitCode code;
  std::string text;  ///< without the program's name
  std::string kind;  ///< name(ErrorKind) of a run's error, else "input", "memory", "output", "internal", "interrupted"
};

/// The failure of a run that ended with an error. It is bad input if the user's changed rules caused a violation, or if
/// the run outgrew memory; otherwise the run failed or was interrupted.
CommandFailure failure_of(const RunPlan& plan, const RunError& error);

/// The failure that any other exception means: bad input, an interrupt, or an internal error.
CommandFailure failure_of(const std::exception_ptr& exception);

/// Whether oneTBB threw it because the host could start no more threads.
bool lacks_threads(const std::exception& exception);
/// The error line for that.
inline constexpr std::string_view no_threads = "cannot start the threads; try fewer with --threads";

/// The status of a run that failed before it began, or after.
Status status_of(const CommandFailure& failure, bool has_begun);

/// Writes "lockstep: " and the text to standard error, on one line whatever the text contains.
void print_line(const std::string& text);
/// Writes the same as the command's last line and returns the code. See say_last().
host::ExitCode print_last(const std::string& text, host::ExitCode code);
/// Calls print_line() for each problem of a finished run.
void print_problems(const RunRecord& record);

}  // namespace lockstep::cli::run
