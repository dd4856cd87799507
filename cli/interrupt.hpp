#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>

#include "exit_code.hpp"

namespace lockstep::cli {

/// Thrown where the user has asked to stop and nothing but an end is left.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the flag that comes back. A run looks at it between cycles;
/// what is busy elsewhere (planning, building, checking) and has not ended a second later is ended then, by another
/// thread. A second signal ends the program at once. Both leave no NewFile behind and the terminal as it was, print one
/// line on standard error and have interrupt_code(). A SIGHUP that is ignored (nohup) stays so.
const std::atomic<bool>& catch_interrupts();

/// What that other thread is to do before it ends the program; not called once begin_outputs() has been.
void on_interrupt(std::function<void()> last_words);

/// From now on only a second signal ends the program, so that the results that are now written come out whole.
void begin_outputs();

/// What is said where there is no memory to say more.
inline constexpr const char* out_of_memory_line = "lockstep: out of memory\n";
/// Ends the program where memory has run out and no exception can be caught: with that line and bad_input, and no
/// NewFile left behind. Allocates nothing.
[[noreturn]] void end_without_memory();

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

}  // namespace lockstep::cli
