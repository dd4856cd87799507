#include "interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

#include "lockstep/algorithms/new_file.hpp"
#include "raw_terminal.hpp"
#include "terminal.hpp"

namespace lockstep::cli {
namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto moment = std::chrono::milliseconds(10);

enum class Stage { running, writing, ending };

// Signal handlers run on any thread, also while another one writes results. The stage leaves `running` once, so that
// either the results are written or the watcher ends the program.
std::atomic<int> first_signal{0};
std::atomic<bool> asked_to_stop{false};
std::atomic<bool> has_ended{false};
std::atomic<Stage> stage{Stage::running};
std::atomic<bool> on_terminal{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<Stage>::is_always_lock_free &&
                  std::atomic<int>::is_always_lock_free,
              "a signal handler may touch them");

std::array<int, 2> wake_up{-1, -1};  // a pipe: the handler writes, the watcher reads
std::mutex last_words_mutex;
std::function<void()> last_words;  // guarded by the mutex

/// Says so, clearing a progress bar that may be shown. Calls nothing that a signal handler may not. Returns if that is
/// done already, perhaps by what the handler interrupts.
void end_now(const char* line, ExitCode code) {
  if (has_ended.exchange(true)) return;
  remove_new_files();
  restore_terminal();
  if (!on_terminal || ::write(STDERR_FILENO, clear_line, std::strlen(clear_line)) >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, std::strlen(line));
  }
  _exit(code);
}

extern "C" void on_signal(int signal) {
  const int error = errno;
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    asked_to_stop = true;
    [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "", 1);
  } else {
    end_now("lockstep: interrupted twice\n", interrupt_code());
  }
  errno = error;
}

/// Waits for the first signal, and ends the program if nobody else is about to.
void watch() {
  char byte = 0;
  while (::read(wake_up[0], &byte, 1) < 0 && errno == EINTR) {
  }
  std::this_thread::sleep_for(patience);
  Stage expected = Stage::running;
  if (!stage.compare_exchange_strong(expected, Stage::ending)) return;
  std::function<void()> last;
  {
    const std::lock_guard lock(last_words_mutex);
    last = last_words;
  }
  if (last) last();
  end_now("lockstep: interrupted\n", interrupt_code());
}

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  on_terminal = errors_on_terminal();
  if (pipe2(wake_up.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  try {
    std::thread(watch).detach();
  } catch (const std::system_error&) {
    return asked_to_stop;  // a host that can start no thread: a signal does then what signals do
  }
  handle(SIGINT);
  handle(SIGTERM);
  if (!is_ignored(SIGHUP)) handle(SIGHUP);
  return asked_to_stop;
}

void on_interrupt(std::function<void()> last) {
  const std::lock_guard lock(last_words_mutex);
  last_words = std::move(last);
}

void begin_outputs() {
  Stage expected = Stage::running;
  if (stage.compare_exchange_strong(expected, Stage::writing) || expected == Stage::writing) return;
  while (true) pause();  // another thread is ending the program
}

void end_without_memory() {
  end_now(out_of_memory_line, bad_input);
  // Another thread is ending the program, unless this one was and has run out of memory once more.
  std::this_thread::sleep_for(std::chrono::seconds(5));
  std::abort();
}

ExitCode interrupt_code() {
  switch (first_signal) {
    case SIGHUP:
      return hung_up;
    case SIGTERM:
      return terminated;
    default:
      return interrupted;
  }
}

void PatientWait::pause() const {
  check();
  std::this_thread::sleep_for(moment);
}

void PatientWait::check() const {
  if (asked_to_stop && std::chrono::steady_clock::now() - start_ > patience) throw Interrupted();
}

}  // namespace lockstep::cli
