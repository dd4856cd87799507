#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "exit_code.hpp"

namespace lockstep::cli {
namespace {

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

extern "C" void on_signal(int) {
  if (asked_to_stop.exchange(true)) _exit(interrupted);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return asked_to_stop;
}

}  // namespace lockstep::cli
