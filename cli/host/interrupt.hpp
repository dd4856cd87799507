#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <string_view>

#include "exit_code.hpp"

namespace lockstep::cli::host {

/// Thrown where the user has asked to stop and nothing but an end is left.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the flag that comes back. A run looks at it between cycles;
/// what is busy elsewhere (planning, building, checking) and has not ended a second later is ended then, by another
/// thread, with interrupt_code(); in half a second where mpirun is about to end it itself. A second signal ends the
/// program at once. Both leave no NewFile behind and the terminal as it was, and print one line on standard error,
/// unless say_last() has. A SIGHUP that is ignored (nohup) stays so.
const std::atomic<bool>& catch_interrupts(bool is_under_mpirun = false);

/// Writes the line on standard error that says why the program is about to end with that code, which no signal changes
/// then. Does not return if the program has been ended meanwhile.
void say_last(std::string_view line, ExitCode code);

/// What that other thread is to do before it ends the program; not called once begin_outputs() has been.
void on_interrupt(std::function<void()> last_words);

/// From now on only a second signal ends the program, so that the results that are now written come out whole.
void begin_outputs();

/// Writes "lockstep: " and the text as a line on standard error. Allocates nothing.
void say_plainly(std::string_view text);

/// What is said where there is no memory to say more.
inline constexpr std::string_view memory_ran_out = "out of memory";
/// Ends the program where something has run out and no exception can be caught: says so with bad_input, and leaves no
/// NewFile behind. Allocates nothing.
[[noreturn]] void end_for_want(std::string_view text);

/// 128 + the number of the signal that came first: 130 if none has.
ExitCode interrupt_code();

/// A wait for somebody else: a reader, another process's lock. It ends if the user asks to stop, but lasts a second.
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
