#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

#include "lockstep/algorithms/synthesis.hpp"

namespace lockstep::search {

/// Thrown where a search is to end before it comes to an end by itself.
class SearchEnded : public std::exception {
 public:
  const char* what() const noexcept override { return "the search is to end"; }
};

/// Asks whether the search goes on, and says how far it is. Both arguments must outlive it.
class Watch {
 public:
  Watch(const SynthesisLimits& limits, const std::atomic<bool>& stop) : limits_(limits), stop_(stop) {}

  /// Before every change; throws SearchEnded.
  void check() const {
    if (stop_ || (limits_.goes_on && !limits_.goes_on(progress_))) throw SearchEnded();
  }
  /// Before every tree; throws SearchEnded.
  void check_tree() {
    ++progress_.trees;
    check();
  }
  /// A schedule is found; one with fewer steps, or with as many and fewer rounds, is shown from now on.
  void show(std::uint64_t steps, std::uint64_t rounds) {
    const bool is_first = progress_.steps == 0;
    if (!is_first && (steps > progress_.steps || (steps == progress_.steps && rounds >= progress_.rounds))) return;
    progress_.steps = steps;
    progress_.rounds = rounds;
  }

 private:
  const SynthesisLimits& limits_;
  const std::atomic<bool>& stop_;
  SynthesisProgress progress_;
};

}  // namespace lockstep::search
