#pragma once

#include <chrono>
#include <string>

namespace lockstep::cli::host {

/// A line on standard error that shows progress: after half a second, ten times a second, and only on a terminal. It is
/// cleared when the object goes.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time for an update.
  bool is_due();
  /// Shows as much of the line as fits the terminal.
  void show(std::string line);

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  Clock::time_point next_;
  bool shown_ = false;
};

/// "######.................. 25%  ", for a fraction from 0 to 1.
std::string progress_bar(double part);

}  // namespace lockstep::cli::host
