#include "raw_terminal.hpp"

#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace lockstep::cli::host {
namespace {

termios before{};
std::atomic<bool> is_raw{false};

void write_codes(std::string_view codes) {
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, codes.data(), codes.size());
}

constexpr std::string_view other_screen = "\033[?1049h\033[?25l";
constexpr std::string_view own_screen = "\033[?25h\033[?1049l";

}  // namespace

bool is_interactive() {
  const char* kind = std::getenv("TERM");
  const bool clears_screens = kind == nullptr || std::string_view(kind) != "dumb";
  return clears_screens && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

RawTerminal::RawTerminal() {
  if (tcgetattr(STDIN_FILENO, &before) != 0) return;
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  // A program that is stopped, or ends with a core dump, cannot restore the terminal.
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  raw.c_cc[VQUIT] = _POSIX_VDISABLE;
  is_raw = true;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  write_codes(other_screen);
}

RawTerminal::~RawTerminal() { restore_terminal(); }

void restore_terminal() {
  if (!is_raw.exchange(false)) return;
  const int error = errno;
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  write_codes(own_screen);
  errno = error;
}

}  // namespace lockstep::cli::host
