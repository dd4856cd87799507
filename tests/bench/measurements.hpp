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
  word,   ///< nanoseconds a word, of a method
  setup,  ///< nanoseconds a message, so that it can be compared with the run
  memory  ///< bytes a processor
};

/// "E/lockstep/2/16": the kernel, what runs it, on how many threads, and its size.
std::string benchmark_name(const std::string& kernel, const std::string& contender, unsigned threads, unsigned size);

/// The times of single runs, by the name of the benchmark.
class Measurements {
 public:
  void add(const std::string& benchmark, const Timing& timing) { runs_[benchmark].push_back(timing); }

  /// The first quartile for times: a quarter of the runs was as fast or faster. Other work of the host only slows a run
  /// down, so this is steadier than a median. The maximum for memory. Empty where nothing was measured.
  std::optional<double> value(const std::string& benchmark, Quantity quantity) const;

  /// Seconds of set-up, their first quartile; empty where nothing was measured.
  std::optional<double> setup_seconds(const std::string& benchmark) const;

  /// The same for the run and the verification.
  std::optional<double> run_seconds(const std::string& benchmark) const;
  std::optional<double> verify_seconds(const std::string& benchmark) const;

  /// Instructions a message of a kernel, which are the same in all runs; empty where they were not counted.
  std::optional<double> instructions(const std::string& kernel) const;
  void set_instructions(const std::string& kernel, double value) { instructions_[kernel] = value; }

  /// Spread of the run times: by what share of it the median exceeds the first quartile.
  struct Spread {
    std::string benchmark;
    double share = 0;
  };
  /// The spreads of all benchmarks, the smallest first.
  std::vector<Spread> spreads() const;

 private:
  template <class Value>
  std::vector<double> sorted(const std::string& benchmark, Value value) const;

  std::map<std::string, std::vector<Timing>> runs_;
  std::map<std::string, double> instructions_;
};

}  // namespace lockstep::bench
