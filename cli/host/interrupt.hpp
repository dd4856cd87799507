#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <string_view>

#include "exit_code.hpp"

namespace lockstep::cli::host {

/// Thrown when the user has interrupted and the command can only end.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the returned flag. A run reads it between cycles. A program
/// that is busy elsewhere (planning, building, checking) and has not ended after that time is ended by another thread
/// with interrupt_code(). A second signal ends the program at once. Both leave no NewFile behind, restore the terminal,
/// and print one line on standard error unless say_last() has. An ignored SIGHUP (nohup) stays ignored.
const std::atomic<bool>& catch_interrupts(std::chrono::milliseconds patience = std::chrono::seconds(1));

/// Writes the line on standard error with the reason why the program ends with that code, which no signal changes
/// afterwards. Does not return if the program has been ended meanwhile.
void say_last(std::string_view line, ExitCode code);

/// Sets an action of that other thread before it ends the program; it is not called after begin_outputs().
void on_interrupt(std::function<void()> last_words);

/// From now on only a second signal ends the program, so that results are written as a whole.
void begin_outputs();

/// Writes "lockstep: " and the text as a line on standard error. Allocates nothing.
void say_plainly(std::string_view text);

/// The message when there is no memory for a longer one.
inline constexpr std::string_view memory_ran_out = "out of memory";
/// Ends the program when a resource has run out and no exception can be caught: prints the text, returns bad_input, and
/// leaves no NewFile behind. Allocates nothing.
[[noreturn]] void end_without_resources(std::string_view text);

/// 128 + the number of the first signal; 130 if there was none.
ExitCode interrupt_code();

/// A wait for a reader or another process's lock. It ends if the user interrupts, but not before the time given to
/// catch_interrupts() has passed.
class PatientWait {
 public:
  /// Sleeps for a moment. Throws Interrupted.
  void pause() const;
  /// Throws Interrupted if it is time.
  void check() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lockstep::cli::host
