#include "interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <system_error>
#include <thread>

#include "lockstep/algorithms/new_file.hpp"
#include "raw_terminal.hpp"
#include "terminal.hpp"

namespace lockstep::cli::host {
namespace {

constexpr auto moment = std::chrono::milliseconds(10);

enum class EndingStage { running, writing, ending };

/// Whether the line with the reason for the end has been printed.
enum class LastLine { unsaid, begun, said, ended };

// Signal handlers run on any thread, even while another writes results. The stage leaves `running` once, so that either
// the results are written or the watcher ends the program.
std::atomic<int> first_signal{0};
std::atomic<bool> asked_to_stop{false};
std::atomic<LastLine> last_line{LastLine::unsaid};
std::atomic<bool> is_patient{true};  // waits once for the thread that prints it, which may be stuck
std::atomic<ExitCode> last_code{verified};
std::atomic<EndingStage> stage{EndingStage::running};
std::atomic<bool> on_terminal{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<EndingStage>::is_always_lock_free &&
                  std::atomic<int>::is_always_lock_free && std::atomic<LastLine>::is_always_lock_free &&
                  std::atomic<ExitCode>::is_always_lock_free,
              "a signal handler may touch them");

std::chrono::milliseconds patience{1000};  // set before there is a handler

std::array<int, 2> wake_up{-1, -1};  // a pipe: the handler writes, the watcher reads
std::mutex last_words_mutex;
std::function<void()> last_words;  // guarded by the mutex

/// Prints the reason unless one is printed already, after clearing a progress bar, and ends the program. Calls only
/// what a signal handler may call. Returns if the program is already ending, perhaps in the code that the handler
/// interrupts, or the first time that another thread is printing the reason.
void end_now(std::string_view text, ExitCode code) {
  LastLine before = LastLine::unsaid;
  while (!last_line.compare_exchange_weak(before, LastLine::ended)) {
    if (before == LastLine::ended) return;
    if (before == LastLine::begun && is_patient.exchange(false)) return;  // it is about to be printed
  }
  remove_new_files();
  restore_terminal();
  if (before != LastLine::unsaid) _exit(last_code);
  if (!on_terminal || ::write(STDERR_FILENO, clear_line, std::strlen(clear_line)) >= 0) say_plainly(text);
  _exit(code);
}

extern "C" void on_signal(int signal) {
  const int error = errno;
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    asked_to_stop = true;
    [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "", 1);
  } else {
    end_now("interrupted twice", interrupt_code());
  }
  errno = error;
}

/// Waits for the first signal, and ends the program if nothing else is about to.
void watch() {
  char byte = 0;
  while (::read(wake_up[0], &byte, 1) < 0 && errno == EINTR) {
  }
  std::this_thread::sleep_for(patience);
  EndingStage expected = EndingStage::running;
  if (!stage.compare_exchange_strong(expected, EndingStage::ending)) return;
  std::function<void()> last;
  {
    const std::lock_guard lock(last_words_mutex);
    last = last_words;
  }
  if (last) last();
  end_now("interrupted", interrupt_code());
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

const std::atomic<bool>& catch_interrupts(std::chrono::milliseconds until_end) {
  patience = until_end;
  on_terminal = errors_on_terminal();
  // If the host has no further pipe or thread, signals keep their default effect.
  if (pipe2(wake_up.data(), O_CLOEXEC) != 0) return asked_to_stop;
  try {
    std::thread(watch).detach();
  } catch (const std::system_error&) {
    return asked_to_stop;
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
  EndingStage expected = EndingStage::running;
  if (stage.compare_exchange_strong(expected, EndingStage::writing) || expected == EndingStage::writing) return;
  while (true) pause();  // another thread is ending the program
}

void say_last(std::string_view line, ExitCode code) {
  last_code = code;
  LastLine expected = LastLine::unsaid;
  if (!last_line.compare_exchange_strong(expected, LastLine::begun) && expected == LastLine::ended) {
    while (true) pause();  // another thread is ending the program
  }
  std::cerr << line << std::flush;
  expected = LastLine::begun;
  last_line.compare_exchange_strong(expected, LastLine::said);
}

void say_plainly(std::string_view text) {
  std::array<char, 256> line{};
  std::size_t size = 0;
  for (const std::string_view part : {std::string_view("lockstep: "), text.substr(0, 200), std::string_view("\n")}) {
    std::copy(part.begin(), part.end(), line.begin() + size);
    size += part.size();
  }
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), size);
}

void end_without_resources(std::string_view text) {
  end_now(text, bad_input);
  // Another thread is ending the program, unless this one was and has run out of memory again.
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

}  // namespace lockstep::cli::host
