#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "exit_code.hpp"
#include "terminal.hpp"

namespace lockstep::cli {
namespace {

constexpr unsigned patience_seconds = 1;

enum class Stage { running, writing, ending };

// Signal handlers run on any thread, also while another one writes results. The stage leaves `running` once, so that
// either the results are written or the alarm ends the program.
std::atomic<bool> asked_to_stop{false};
std::atomic<Stage> stage{Stage::running};
std::atomic<bool> on_terminal{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<Stage>::is_always_lock_free,
              "a signal handler may touch them");

/// Says so, clearing a progress bar that may be shown. Calls nothing that a signal handler may not.
[[noreturn]] void end_now(const char* line) {
  if (!on_terminal || ::write(STDERR_FILENO, clear_line, std::strlen(clear_line)) >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, std::strlen(line));
  }
  _exit(interrupted);
}

extern "C" void on_alarm(int) {
  Stage expected = Stage::running;
  if (stage.compare_exchange_strong(expected, Stage::ending)) end_now("lockstep: interrupted\n");
}

extern "C" void on_interrupt(int) {
  if (asked_to_stop.exchange(true)) end_now("lockstep: interrupted twice\n");
  alarm(patience_seconds);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  on_terminal = errors_on_terminal();
  handle(SIGALRM, on_alarm);
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
  return asked_to_stop;
}

void begin_outputs() {
  Stage expected = Stage::running;
  if (stage.compare_exchange_strong(expected, Stage::writing) || expected == Stage::writing) return;
  while (true) pause();  // another thread is ending the program
}

}  // namespace lockstep::cli
