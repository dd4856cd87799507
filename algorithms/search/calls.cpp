#include "calls.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "draw.hpp"

namespace lockstep::search {
namespace {

constexpr std::uint32_t none = no_rank;

}  // namespace

CallSearch::CallSearch(const SearchNetwork& network, std::vector<Rank> origins, std::uint64_t seed)
    : network_(network),
      origins_(std::move(origins)),
      words_((origins_.size() + 63) / 64),
      random_(seed),
      known_(words_ * network.nodes),
      next_(known_.size()) {}

void CallSearch::begin_with(const OpenArcs& calls) {
  steps_.clear();
  for (const std::vector<bool>& open : calls) {
    Step& step = steps_.emplace_back();
    step.sends.assign(network_.nodes, none);
    step.receives.assign(network_.nodes, none);
    for (std::uint32_t arc = 0; arc < network_.arcs.size(); ++arc) {
      if (open[arc]) put(step, arc);
    }
  }
}

OpenArcs CallSearch::calls() const {
  OpenArcs calls;
  for (const Step& step : steps_) {
    std::vector<bool>& open = calls.emplace_back(network_.arcs.size());
    for (const std::uint32_t arc : step.sends) {
      if (arc != none) open[arc] = true;
    }
  }
  return calls;
}

/// Adds the call, replacing the other calls of its sender and its receiver.
void CallSearch::put(Step& step, std::uint32_t arc) const {
  const auto& [from, to, multiplicity] = network_.arcs[arc];
  if (step.sends[from] != none) step.receives[network_.arcs[step.sends[from]].to] = none;
  if (step.receives[to] != none) step.sends[network_.arcs[step.receives[to]].from] = none;
  step.sends[from] = step.receives[to] = arc;
}

void CallSearch::change(Step& step) {
  put(step, static_cast<std::uint32_t>(random_() % network_.arcs.size()));
  // A sender that is now free calls a free neighbour.
  const auto first = static_cast<Rank>(random_() % network_.nodes);
  for (Rank index = 0; index < network_.nodes; ++index) {
    const Rank node = (first + index) % network_.nodes;
    if (step.sends[node] != none) continue;
    const auto& out = network_.out[node];
    const std::size_t begin = random_() % out.size();
    for (std::size_t other = 0; other < out.size(); ++other) {
      const std::uint32_t arc = out[(begin + other) % out.size()];
      if (step.receives[network_.arcs[arc].to] != none) continue;
      put(step, arc);
      break;
    }
  }
}

/// The number of pairs of a node and an origin that it does not know in the end.
std::uint64_t CallSearch::unknown() {
  known_.assign(known_.size(), 0);
  for (std::size_t index = 0; index < origins_.size(); ++index) {
    known_[origins_[index] * words_ + index / 64] |= std::uint64_t{1} << (index % 64);
  }
  for (const Step& step : steps_) {
    next_ = known_;
    for (Rank node = 0; node < network_.nodes; ++node) {
      if (step.receives[node] == none) continue;
      const Rank from = network_.arcs[step.receives[node]].from;
      for (std::size_t word = 0; word < words_; ++word) next_[node * words_ + word] |= known_[from * words_ + word];
    }
    std::swap(known_, next_);
  }
  std::uint64_t count = std::uint64_t{network_.nodes} * origins_.size();
  for (const std::uint64_t word : known_) count -= static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

void CallSearch::shake(std::uint64_t changes) {
  for (; changes > 0 && !steps_.empty(); --changes) change(steps_[random_() % steps_.size()]);
}

bool CallSearch::fit(std::uint64_t steps, std::uint64_t changes, const Watch& watch) {
  while (steps_.size() > steps) steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(random_() % steps_.size()));
  if (steps_.size() < steps) throw std::logic_error("fewer calls than there are steps");
  std::uint64_t now = unknown();
  for (std::uint64_t number = 0; now > 0 && number < changes; ++number) {
    watch.check();
    Step& step = steps_[random_() % steps_.size()];
    Step before = step;
    change(step);
    const std::uint64_t then = unknown();
    // Fewer losses are accepted as the search proceeds.
    const double warmth = 2.0 * (1 - static_cast<double>(number) / static_cast<double>(changes)) + 0.01;
    const bool is_taken = then <= now || draw_fraction(random_) < std::exp(-static_cast<double>(then - now) / warmth);
    if (is_taken) {
      now = then;
    } else {
      step = std::move(before);
    }
  }
  return now == 0;
}

}  // namespace lockstep::search
