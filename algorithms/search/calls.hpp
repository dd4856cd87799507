#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "router.hpp"

namespace lockstep::search {

/// The calls of each step with one port: matched senders and receivers. After the step the receiver knows what the
/// sender knew before.
class CallSearch {
 public:
  /// Every node must learn `origins`: all nodes, or a root.
  CallSearch(const SearchNetwork& network, std::vector<Rank> origins, std::uint64_t seed);

  /// Starts from these calls.
  void begin_with(const OpenArcs& calls);
  /// Changes calls here and there, sometimes for the worse, until all nodes know all in `steps` steps. False if
  /// `changes` changes do not achieve that.
  bool fit(std::uint64_t steps, std::uint64_t changes, const Watch& watch);
  /// Changes `changes` calls at random, for better or worse.
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

  const SearchNetwork& network_;
  std::vector<Rank> origins_;
  std::size_t words_;
  std::mt19937_64 random_;
  std::vector<Step> steps_;
  std::vector<std::uint64_t> known_;
  std::vector<std::uint64_t> next_;
};

}  // namespace lockstep::search
