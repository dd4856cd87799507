#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/fraction.hpp"

namespace lockstep::method {

/// The longest message of every step in which messages move, added up run by run: the source of a Prediction's steps,
/// longest_sum and longest_startups, so that they cannot contradict each other. As the cost of a message of one block
/// grows with its length, the longest of a step is its costliest too.
class StepLengths {
 public:
  explicit StepLengths(const CostModel& cost) : packet_(cost.max_packet_words) {}

  /// Adds `steps` steps whose longest messages have `words` words each.
  void add(Wide steps, Wide words);
  /// Adds `count` steps whose longest messages have `words`, 2 `words`, .. `count` * `words`, in any order. `words` is
  /// not 0. The time does not depend on `count`.
  void add_multiples(Wide count, Wide words);

  Wide steps() const { return steps_; }
  /// Words of all longest messages.
  Wide sum() const { return sum_; }
  /// Start-ups of all longest messages, unless they exceed 64 bits.
  std::optional<std::uint64_t> startups() const;

 private:
  Wide packet_;  ///< words of the longest packet, 0 if they are unlimited
  Wide steps_ = 0;
  Wide sum_ = 0;
  Wide startups_ = 0;
};

}  // namespace lockstep::method
