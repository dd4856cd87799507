#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

#include "router.hpp"

namespace lockstep::search {

/// Who sends to whom in each step with one port: senders and receivers, matched. What a sender knows its receiver knows
/// after the step.
class CallSearch {
 public:
  /// Everybody has to hear of `origins`: of all, or of a root.
  CallSearch(const Network& network, std::vector<Rank> origins, std::uint64_t seed);

  /// Takes the calls as they are.
  void begin_with(const OpenArcs& calls);
  /// Changes calls here and there, so that more is known in the end, now and then less, until all know all in so many
  /// steps. False if that has not come about after so many changes.
  bool fit(std::uint64_t steps, std::uint64_t changes, const std::atomic<bool>& stop);
  /// Draws some calls anew, whatever comes of it.
  void shake(std::uint64_t changes);
  OpenArcs calls() const;

 private:
  struct Step {
    std::vector<std::uint32_t> sends;     // by node, the arc
    std::vector<std::uint32_t> receives;  // by node
  };

  std::uint64_t unknown();
  void change(Step& step);
  void put(Step& step, std::uint32_t arc) const;

  const Network& network_;
  std::vector<Rank> origins_;
  std::size_t words_;
  std::mt19937_64 random_;
  std::vector<Step> steps_;
  std::vector<std::uint64_t> known_;
  std::vector<std::uint64_t> next_;
};

}  // namespace lockstep::search
