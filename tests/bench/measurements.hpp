#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace lockstep::bench {

enum class Quantity {
  run,    ///< nanoseconds a message
  setup,  ///< nanoseconds a message, so that it can be compared with the run
  memory  ///< bytes a processor
};

/// "E/lockstep/2/16": the kernel, what runs it, on how many threads, and its size.
std::string benchmark_name(const std::string& kernel, const std::string& contender, unsigned threads, unsigned size);

/// What single runs took, by the name of the benchmark.
class Measurements {
 public:
  void add(const std::string& benchmark, const Timing& timing) { runs_[benchmark].push_back(timing); }

  /// Of times the first quartile: a quarter of the runs was as fast or faster. Whatever else a host does only slows a
  /// run down, so that this is steadier than a median. Of memory the most. Empty where nothing was measured.
  std::optional<double> value(const std::string& benchmark, Quantity quantity) const;

  /// Seconds of set-up, their first quartile; empty where nothing was measured.
  std::optional<double> setup_seconds(const std::string& benchmark) const;

  /// How far the run times scatter: by what share of it the median lies above the first quartile.
  struct Spread {
    std::string benchmark;
    double share = 0;
  };
  /// Of all benchmarks, the least first.
  std::vector<Spread> spreads() const;

 private:
  template <class Value>
  std::vector<double> sorted(const std::string& benchmark, Value value) const;

  std::map<std::string, std::vector<Timing>> runs_;
};

}  // namespace lockstep::bench
