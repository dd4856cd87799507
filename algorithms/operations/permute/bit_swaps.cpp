#include "bit_swaps.hpp"

#include <utility>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep::permute {
namespace {

/// Positions from `first` to before `end`.
struct BitRange {
  std::size_t first;
  std::size_t end;

  std::size_t middle() const { return first + (end - first + 1) / 2; }
};

/// Swaps the bits that are in the wrong half of the part; `goal` has the destination of the bit at every position.
void swap_between_halves(const BitRange& part, DimensionPermutation& goal, SwapRound& round) {
  std::size_t high = part.middle();
  for (std::size_t low = part.first; low < part.middle(); ++low) {
    if (goal[low] < part.middle()) continue;
    while (goal[high] >= part.middle()) ++high;  // as many are wrong on the other side
    round.push_back({static_cast<Port>(high), static_cast<Port>(low)});
    std::swap(goal[low], goal[high]);
  }
}

/// Adds the swaps of indices k and sum - k (mod length) of the cycle.
void reflect(const std::vector<Port>& cycle, std::size_t sum, SwapRound& round) {
  for (std::size_t k = 0; k < cycle.size(); ++k) {
    const std::size_t other = (sum + cycle.size() - k) % cycle.size();
    if (k < other) round.push_back({cycle[other], cycle[k]});
  }
}

}  // namespace

Rank swapped(const SwapRound& swaps, Rank x) {
  for (const auto& [g, f] : swaps) {
    if (has_bit(x, g) != has_bit(x, f)) x ^= Rank{1} << g | Rank{1} << f;
  }
  return x;
}

std::vector<SwapRound> halving_rounds(const DimensionPermutation& delta) {
  DimensionPermutation goal(delta.size());
  for (Port i = 0; i < delta.size(); ++i) goal[delta[i]] = i;
  std::vector<SwapRound> rounds;
  std::vector<BitRange> parts{{0, delta.size()}};
  while (parts.front().end - parts.front().first > 1) {  // the first part is the largest
    SwapRound& round = rounds.emplace_back();
    std::vector<BitRange> halves;
    for (const BitRange& part : parts) {
      swap_between_halves(part, goal, round);
      halves.insert(halves.end(), {{part.first, part.middle()}, {part.middle(), part.end}});
    }
    parts.swap(halves);
  }
  return rounds;
}

std::vector<SwapRound> two_rounds(const DimensionPermutation& delta) {
  std::vector<SwapRound> rounds(2);
  for (const auto& cycle : cycles(delta)) {
    reflect(cycle, 0, rounds[0]);
    reflect(cycle, cycle.size() - 1, rounds[1]);
  }
  return rounds;
}

std::vector<SwapRound> rounds_along_cycles(const DimensionPermutation& delta) {
  std::vector<SwapRound> rounds;
  for (const auto& cycle : cycles(delta)) {
    for (std::size_t k = 0; k + 1 < cycle.size(); ++k) rounds.push_back({{cycle[k + 1], cycle[k]}});
  }
  return rounds;
}

std::uint64_t count_swaps(const std::vector<SwapRound>& rounds) {
  std::uint64_t swaps = 0;
  for (const SwapRound& round : rounds) swaps += round.size();
  return swaps;
}

std::vector<packets::BlockRound> moves_of(const std::vector<SwapRound>& rounds) {
  std::vector<packets::BlockRound> moves;
  for (const SwapRound& swaps : rounds) {
    packets::BlockRound& round = moves.emplace_back();
    round.target = [swaps](Rank x) { return swapped(swaps, x); };
    for (const auto& [g, f] : swaps) round.dimensions.insert(round.dimensions.end(), {g, f});
  }
  return moves;
}

}  // namespace lockstep::permute
