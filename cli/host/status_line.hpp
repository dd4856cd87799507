#pragma once

#include <chrono>
#include <string>

namespace lockstep::cli::host {

/// A line on standard error that shows how far something has come: from half a second on, ten times a second, and only
/// on a terminal. It goes with the object.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time to show something new.
  bool is_due();
  /// Shows as much of the line as fits the terminal.
  void show(std::string line);

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  Clock::time_point next_;
  bool shown_ = false;
};

/// "######.................. 25%  ", of a part from 0 to 1.
std::string progress_bar(double part);

}  // namespace lockstep::cli::host
