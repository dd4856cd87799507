#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/fraction.hpp"

namespace lockstep::method {

/// The longest message of every step in which messages move, added up run by run: what a Prediction's steps,
/// longest_sum and longest_startups are made of, so that they cannot contradict each other. As a message of one block
/// costs the more the longer it is, the longest of a step is its costliest too.
class StepLengths {
 public:
  explicit StepLengths(const CostModel& cost) : packet_(cost.max_packet_words) {}

  /// So many more steps, the longest message of each of which has so many words.
  void add(Wide steps, Wide words);
  /// `count` more steps, whose longest messages have `words`, 2 `words`, .. `count` * `words`, in any order. `words` is
  /// not 0. Takes no longer for more steps.
  void add_multiples(Wide count, Wide words);

  Wide steps() const { return steps_; }
  /// Words of the longest messages together.
  Wide sum() const { return sum_; }
  /// Start-ups of the longest messages together, unless they pass 64 bits.
  std::optional<std::uint64_t> startups() const;

 private:
  Wide packet_;  ///< words of the longest packet, 0 if they are unlimited
  Wide steps_ = 0;
  Wide sum_ = 0;
  Wide startups_ = 0;
};

}  // namespace lockstep::method
