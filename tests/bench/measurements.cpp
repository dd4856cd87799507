#include "measurements.hpp"

#include <algorithm>

namespace lockstep::bench {
namespace {

double value_of(const Timing& timing, Quantity quantity) {
  switch (quantity) {
    case Quantity::run:
      return timing.run_seconds * 1e9 / static_cast<double>(timing.messages);
    case Quantity::word:
      return timing.run_seconds * 1e9 / static_cast<double>(timing.words);
    case Quantity::setup:
      return timing.setup_seconds * 1e9 / static_cast<double>(timing.messages);
    case Quantity::memory:
      break;
  }
  return static_cast<double>(timing.peak_bytes) / static_cast<double>(timing.processors);
}

std::optional<double> first_quartile(const std::vector<double>& sorted) {
  return sorted.empty() ? std::nullopt : std::optional(sorted[(sorted.size() - 1) / 4]);
}

}  // namespace

std::string benchmark_name(const std::string& kernel, const std::string& contender, unsigned threads, unsigned size) {
  return kernel + "/" + contender + "/" + std::to_string(threads) + "/" + std::to_string(size);
}

template <class Value>
std::vector<double> Measurements::sorted(const std::string& benchmark, Value value) const {
  std::vector<double> values;
  if (const auto found = runs_.find(benchmark); found != runs_.end()) {
    for (const Timing& timing : found->second) values.push_back(value(timing));
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::optional<double> Measurements::value(const std::string& benchmark, Quantity quantity) const {
  const std::vector<double> values =
      sorted(benchmark, [quantity](const Timing& timing) { return value_of(timing, quantity); });
  if (quantity == Quantity::memory && !values.empty()) return values.back();
  return first_quartile(values);
}

std::optional<double> Measurements::setup_seconds(const std::string& benchmark) const {
  return first_quartile(sorted(benchmark, [](const Timing& timing) { return timing.setup_seconds; }));
}

std::optional<double> Measurements::run_seconds(const std::string& benchmark) const {
  return first_quartile(sorted(benchmark, [](const Timing& timing) { return timing.run_seconds; }));
}

std::optional<double> Measurements::verify_seconds(const std::string& benchmark) const {
  return first_quartile(sorted(benchmark, [](const Timing& timing) { return timing.verify_seconds; }));
}

std::optional<double> Measurements::instructions(const std::string& kernel) const {
  const auto found = instructions_.find(kernel);
  return found == instructions_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Measurements::Spread> Measurements::spreads() const {
  std::vector<Spread> all;
  for (const auto& [benchmark, runs] : runs_) {
    const std::vector<double> times = sorted(benchmark, [](const Timing& timing) { return timing.run_seconds; });
    all.push_back({benchmark, times[(times.size() - 1) / 2] / *first_quartile(times) - 1});
  }
  std::sort(all.begin(), all.end(), [](const Spread& a, const Spread& b) { return a.share < b.share; });
  return all;
}

}  // namespace lockstep::bench
