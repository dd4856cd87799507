#pragma once

#include <chrono>
#include <cstddef>

#include "host/number_text.hpp"
#include "host/status_line.hpp"

namespace lockstep::cli::study {

/// The line on standard error that shows how many points are done, and the time left.
class StudyProgress {
 public:
  StudyProgress(std::size_t all, bool is_quiet) : all_(all), is_quiet_(is_quiet) {}

  /// After each point.
  void show(std::size_t done) {
    if (is_quiet_ || done == 0 || !status_.is_due()) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    const double left = taken.count() / static_cast<double>(done) * static_cast<double>(all_ - done);
    status_.show(host::progress_bar(static_cast<double>(done) / static_cast<double>(all_)) + host::grouped(done) +
                 " of " + host::counted(all_, "point") + ", about " + host::duration(left) + " left");
  }
  /// While points are planned.
  void show_planning(double part) {
    if (!is_quiet_ && status_.is_due()) status_.show(host::progress_bar(part) + "plans");
  }

 private:
  std::size_t all_;
  bool is_quiet_;
  host::StatusLine status_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lockstep::cli::study
