#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sweep.hpp"

namespace lockstep::cli::compare {

/// What the runs of a sweep over numbers of threads gain, against those of the same points on the fewest. Those come
/// first: set() and note() are called in the order of the threads. Without --vary threads all functions do nothing.
/// Not thread-safe where threads are varied.
class ThreadGains {
 public:
  explicit ThreadGains(const SweepArguments& arguments);

  /// Keeps the wall-clock time of a run that is on the fewest threads.
  void note(const SweepTrial& trial, double seconds);
  /// Sets the gain of a run that has ended, unless that on the fewest threads has failed.
  void set(SweepTrial& trial);

 private:
  using PointOfRun = std::tuple<std::vector<std::string>, std::string, std::string, std::optional<PortModel>>;

  /// The run's point without its number of threads, and its method.
  PointOfRun point_of(const SweepTrial& trial) const;
  double threads_of(const SweepTrial& trial) const;

  std::optional<std::size_t> place_;  // of the threads among the varied values
  double fewest_ = 1;
  std::map<PointOfRun, double> seconds_;
};

}  // namespace lockstep::cli::compare
