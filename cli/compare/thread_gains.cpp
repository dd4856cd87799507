#include "thread_gains.hpp"

#include <algorithm>

namespace lockstep::cli::compare {

ThreadGains::ThreadGains(const SweepArguments& arguments) {
  const auto threads = std::ranges::find(arguments.variations, "threads", &Variation::name);
  if (threads == arguments.variations.end()) return;
  place_ = static_cast<std::size_t>(threads - arguments.variations.begin());
  std::vector<double> numbers;
  for (const std::string& value : threads->values) numbers.push_back(std::stod(value));
  fewest_ = std::ranges::min(numbers);
}

void ThreadGains::note(const SweepTrial& trial, double seconds) {
  if (place_ && threads_of(trial) == fewest_) seconds_.emplace(point_of(trial), seconds);
}

void ThreadGains::set(SweepTrial& trial) {
  if (!place_ || !trial.trial.record->has_ended()) return;
  run::WallClock& wall = trial.trial.record->wall;
  note(trial, wall.run.median);
  const auto known = seconds_.find(point_of(trial));
  if (known == seconds_.end() || wall.run.median <= 0) return;
  const double speedup = known->second / wall.run.median;
  wall.gain = {.speedup = speedup, .efficiency = speedup * fewest_ / threads_of(trial)};
}

ThreadGains::PointOfRun ThreadGains::point_of(const SweepTrial& trial) const {
  std::vector<std::string> others = trial.values;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(*place_));
  return {std::move(others), trial.trial.machine, trial.trial.name(), trial.trial.known_ports()};
}

double ThreadGains::threads_of(const SweepTrial& trial) const { return std::stod(trial.values[*place_]); }

}  // namespace lockstep::cli::compare
