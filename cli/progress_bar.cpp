#include "progress_bar.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "number_text.hpp"
#include "terminal.hpp"

namespace lockstep::cli {
namespace {

constexpr auto patience = std::chrono::milliseconds(500);
constexpr auto interval = std::chrono::milliseconds(100);

std::string bar(double part) {
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(width));
  const auto percent = static_cast<unsigned>(part * 100);
  std::string text = std::string(filled, '#') + std::string(width - filled, '.');
  return text + " " + std::to_string(percent) + "%  ";
}

/// Characters that fit into a line of the terminal.
std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

ProgressBar::ProgressBar(std::string label, std::optional<std::uint64_t> steps)
    : label_(std::move(label)), steps_(steps), next_(Clock::now() + patience) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs(clear_line, stderr);
}

void ProgressBar::show(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval;
  std::string line = label_ + "  ";
  if (steps_ && *steps_ > 0) {
    line += bar(std::min(1.0, static_cast<double>(progress.steps) / static_cast<double>(*steps_)));
  }
  line += "cycle " + grouped(progress.cycle) + ", " + counted(progress.messages, "message");
  line.resize(std::min(line.size(), terminal_width() - 1));
  std::fputs((clear_line + line).c_str(), stderr);
  shown_ = true;
}

}  // namespace lockstep::cli
