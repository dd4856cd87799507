#include "status_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "terminal.hpp"

namespace lockstep::cli::host {
namespace {

constexpr auto quiet_time = std::chrono::milliseconds(500);
constexpr auto interval = std::chrono::milliseconds(100);

/// Characters that fit on a line of the terminal.
std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine() : on_terminal_(errors_on_terminal()), next_(Clock::now() + quiet_time) {}

StatusLine::~StatusLine() {
  if (shown_) std::fputs(clear_line, stderr);
}

bool StatusLine::is_due() {
  const Clock::time_point now = Clock::now();
  if (!on_terminal_ || now < next_) return false;
  next_ = now + interval;
  return true;
}

void StatusLine::show(std::string line) {
  line.resize(std::min(line.size(), terminal_width() - 1));
  std::fputs((clear_line + line).c_str(), stderr);
  shown_ = true;
}

std::string progress_bar(double part) {
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(width));
  const auto percent = static_cast<unsigned>(part * 100);
  std::string text = std::string(filled, '#') + std::string(width - filled, '.');
  return text + " " + std::to_string(percent) + "%  ";
}

}  // namespace lockstep::cli::host
