#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/exit_code.hpp"
#include "lockstep/core/error.hpp"
#include "run_record.hpp"

namespace lockstep::cli::run {

/// How the command fails: its exit code, the error line, and the kind of error in reports.
struct CommandFailure {
  /// What a run's own error tells.
  struct OfRun {
    Cycle cycle;
    Rank rank;  ///< no_rank if it is of no processor
    std::vector<Port> ports;
    std::string text;         ///< in the model's words
    std::string dot;          ///< the graph of a deadlock; else empty
    std::vector<Wait> waits;  ///< of a deadlock
  };

  host::ExitCode code;
  std::string text;  ///< without the program's name
  std::string kind;  ///< name(ErrorKind) of a run's error, else "input", "memory", "output", "internal", "interrupted"
  std::optional<OfRun> of_run{};  ///< empty for any other failure

  /// Whether the user ended the command.
  bool is_interrupt() const;
};

/// The failure that the exception means. `plan` is that of the run that threw it, null outside a run. A run's error is
/// bad input if the user's changed rules caused a violation, or if the run outgrew memory; otherwise the run failed or
/// was interrupted. Any other exception means bad input, an interrupt, or an internal error.
CommandFailure failure_of(const std::exception_ptr& exception, const RunPlan* plan = nullptr);

/// The failure of a command that the user has interrupted.
CommandFailure interruption();

/// What the run's error tells.
CommandFailure::OfRun details_of(const RunError& error);

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
