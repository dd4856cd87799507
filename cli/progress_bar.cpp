#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>

#include "number_text.hpp"

namespace lockstep::cli {
namespace {

constexpr auto patience = std::chrono::milliseconds(500);
constexpr auto interval = std::chrono::milliseconds(100);
constexpr const char* clear_line = "\r\033[K";

std::string bar(double part) {
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(width));
  const auto percent = static_cast<unsigned>(part * 100);
  std::string text = std::string(filled, '#') + std::string(width - filled, '.');
  return text + " " + std::to_string(percent) + "%  ";
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
  std::string line = clear_line + label_ + "  ";
  if (steps_ && *steps_ > 0) {
    line += bar(std::min(1.0, static_cast<double>(progress.steps) / static_cast<double>(*steps_)));
  }
  line += "cycle " + grouped(progress.cycle) + ", " + counted(progress.messages, "message");
  std::fputs(line.c_str(), stderr);
  shown_ = true;
}

}  // namespace lockstep::cli
