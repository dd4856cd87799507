#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/algorithms/run_request.hpp"
#include "status_line.hpp"

namespace lockstep::cli::host {

/// Shows the progress of a run on standard error.
class ProgressBar {
 public:
  /// `label` names the run, `steps` is the predicted number of steps, if any.
  ProgressBar(std::string label, std::optional<std::uint64_t> steps) : label_(std::move(label)), steps_(steps) {}

  /// Shows the label before the first barrier.
  void announce();
  /// To be called at every barrier.
  void show(const Progress& progress);

 private:
  std::string label_;
  std::optional<std::uint64_t> steps_;
  StatusLine status_;
};

}  // namespace lockstep::cli::host
