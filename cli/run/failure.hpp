#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "host/exit_code.hpp"
#include "lockstep/core/error.hpp"
#include "run_record.hpp"

namespace lockstep::cli::run {

/// How the command ends when something went wrong: its exit code, the line that says why, and what reports call it.
struct Failure {
  host::ExitCode code;
  std::string text;  ///< without the program's name
  std::string kind;  ///< name(ErrorKind) of a run's error, else "input", "memory", "output", "internal", "interrupted"
};

/// Of a run that ended with an error: a violation is the user's who changed the method's rules, and so is a run that
/// outgrew the memory; otherwise it failed, or was interrupted.
Failure failure_of(const RunPlan& plan, const RunError& error);

/// Of any other exception: bad input, an interrupt, or an internal error.
Failure failure_of(const std::exception_ptr& exception);

/// Whether oneTBB threw it because the host started no more threads.
bool lacks_threads(const std::exception& exception);
/// What is said then.
inline constexpr std::string_view no_threads = "cannot start the threads; try fewer with --threads";

/// How a run ends with that failure before it has begun, or after.
Status status_of(const Failure& failure, bool has_begun);

/// Writes "lockstep: " and the text to standard error: one line, whatever it holds.
void print_failure(const std::string& text);
/// The same as the last thing that the command says: why it ends with the code, which comes back. See say_last().
host::ExitCode print_last(const std::string& text, host::ExitCode code);
/// print_failure() of each of the problems of a run that came to its end.
void print_problems(const RunRecord& record);

}  // namespace lockstep::cli::run
