#include "demo_player.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "demo_exhibit.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "host/raw_terminal.hpp"

namespace lockstep::cli::learn {
namespace {

using Clock = std::chrono::steady_clock;

enum class Key { none, forward, back, up, down, page_up, page_down, quit };

Key key_of(std::string_view bytes) {
  if (bytes == "\033[6~") return Key::page_down;
  if (bytes == "\033[5~") return Key::page_up;
  if (bytes == "\n" || bytes == "\r" || bytes == " " || bytes == "n" || bytes == "\033[C") return Key::forward;
  if (bytes == "b" || bytes == "\033[D") return Key::back;
  if (bytes == "k" || bytes == "\033[A") return Key::up;
  if (bytes == "j" || bytes == "\033[B") return Key::down;
  if (bytes == "q" || bytes == "\004") return Key::quit;
  return Key::none;
}

/// Reads keys; the bytes of an arrow key are one key.
class Keyboard {
 public:
  /// The next key, or none after a moment. A closed terminal quits.
  Key next() {
    if (bytes_.empty() && !fill()) return Key::none;
    if (bytes_.empty()) return Key::quit;
    const std::size_t length = bytes_.starts_with("\033[5~") || bytes_.starts_with("\033[6~") ? 4
                               : bytes_.starts_with("\033[") ? std::min<std::size_t>(3, bytes_.size())
                                                             : 1;
    const Key key = key_of(bytes_.substr(0, length));
    bytes_.erase(0, length);
    return key;
  }

 private:
  /// False if no bytes arrive.
  bool fill() {
    constexpr int moment = 50;  // milliseconds
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, moment) <= 0) return false;
    std::array<char, 64> buffer{};
    const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count > 0) bytes_.assign(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }

  std::string bytes_;
};

/// The part of the shown screen that fits the terminal.
class StoryView {
 public:
  explicit StoryView(const DemoStory& story) : story_(story) {}

  void show(std::size_t number) {
    number_ = number;
    first_ = 0;
    draw();
  }

  void scroll(Key key) {
    const std::size_t lines = key == Key::up || key == Key::down ? 1 : room();
    if (key == Key::up || key == Key::page_up) {
      first_ -= std::min(first_, lines);
    } else {
      first_ += lines;  // draw() limits it
    }
    draw();
  }

  /// Redraws if the size of the terminal has changed.
  void fit() {
    if (width_ != host::line_width() || height_ != host::screen_height()) draw();
  }

 private:
  std::size_t room() const { return height_ - 1; }

  void draw() {
    const host::Style style = host::Style::of_output();
    width_ = host::line_width();
    height_ = std::max<std::size_t>(host::screen_height(), 2);
    lines_ = lines_of(story_.screen(number_, width_, style));
    first_ = std::min(first_, lines_.size() > room() ? lines_.size() - room() : 0);
    const std::size_t last = std::min(lines_.size(), first_ + room());
    std::string text = "\033[H\033[2J";
    for (std::size_t index = first_; index < last; ++index) text += lines_[index] + "\n";
    const bool is_last = number_ + 1 == story_.screens();
    const std::string more = last < lines_.size() ? "  ↓ more" : first_ > 0 ? "  ↑ more" : "";
    text += style.heading((is_last ? "Enter ends" : "Enter goes on") + std::string(", b back, q quits") + more);
    host::write_output(text);
  }

  const DemoStory& story_;
  std::size_t number_ = 0;
  std::size_t first_ = 0;
  std::size_t width_ = 0;
  std::size_t height_ = 2;
  Lines lines_;
};

/// Returns the number of the last shown screen.
std::size_t turn_screens(const DemoStory& story, std::optional<double> seconds, const std::atomic<bool>& stop) {
  const host::RawTerminal terminal;
  Keyboard keyboard;
  StoryView view(story);
  std::size_t number = 0;
  view.show(number);
  Clock::time_point since = Clock::now();
  for (;;) {
    Key key = keyboard.next();
    if (stop) throw host::Interrupted();
    const bool is_time = seconds && Clock::now() - since >= std::chrono::duration<double>(*seconds);
    if (key == Key::none && is_time) key = Key::forward;
    if (key == Key::none) {
      view.fit();
      continue;
    }
    since = Clock::now();
    if (key == Key::quit || (key == Key::forward && number + 1 == story.screens())) return number;
    if (key == Key::up || key == Key::down || key == Key::page_up || key == Key::page_down) {
      view.scroll(key);
      continue;
    }
    if (key == Key::forward) ++number;
    if (key == Key::back && number > 0) --number;
    view.show(number);
  }
}

}  // namespace

void play(const DemoStory& story, std::optional<double> seconds, const std::atomic<bool>& stop) {
  const std::size_t last = turn_screens(story, seconds, stop);
  host::begin_outputs();
  host::write_output(
      story.screen(last, host::line_width(), host::Style::of_output()));  // stays after the alternate screen has gone
}

std::string told(const DemoStory& story, std::size_t width, const host::Style& style) {
  std::string text;
  for (std::size_t number = 0; number < story.screens(); ++number) {
    text += (number == 0 ? "" : "\n") + story.screen(number, width, style);
  }
  return text;
}

}  // namespace lockstep::cli::learn
