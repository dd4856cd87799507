#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "lockstep/algorithms/run_request.hpp"

namespace lockstep::cli {

/// A line on standard error that shows how far a run has come, from half a second on, ten times a second.
class ProgressBar {
 public:
  /// `label` names the run, `steps` is the predicted number of steps, if there is a prediction.
  ProgressBar(std::string label, std::optional<std::uint64_t> steps);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// To be called at every barrier.
  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::optional<std::uint64_t> steps_;
  Clock::time_point next_;
  bool shown_ = false;
};

}  // namespace lockstep::cli
