#include "schedules.hpp"

#include <utility>

#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::broadcast {

using parts::PartSchedule;
using parts::PartStep;

namespace {

/// The rank's partner at that level, from 0: 1, -1, 3, -5, 11, .. away, for odd ranks the other way round.
Rank partner(Rank rank, std::uint64_t level, Rank p) {
  const std::uint64_t power = std::uint64_t{2} << level;
  const std::uint64_t distance = (level % 2 == 0 ? power + 1 : power - 1) / 3;
  const bool is_forth = (rank % 2 == 0) == (level % 2 == 0);
  return shifted(rank, is_forth ? distance % p : p - distance % p, p);
}

}  // namespace

PartSchedule chain(Rank p, std::uint64_t packets) {
  const Cycle steps = p == 1 ? 0 : p - 2 + packets;
  return {steps, [p, packets](Rank rank, Cycle step) {
            PartStep one;
            if (rank + 1 < p && step >= rank && step - rank < packets) {
              one.to = rank + 1;
              one.sent.push_back(static_cast<Rank>(step - rank));
            }
            if (rank > 0 && step + 1 >= rank && step + 1 - rank < packets) {
              one.from = rank - 1;
              one.received.push_back(static_cast<Rank>(step + 1 - rank));
            }
            return one;
          }};
}

PartSchedule bine(Rank p) {
  const std::uint64_t q = doublings(p);
  std::vector<std::uint8_t> has_after(p, 0);  // steps
  std::vector<Rank> holders{0};
  for (std::uint64_t step = 0; step < q; ++step) {
    for (std::size_t holder = 0; holder < std::size_t{1} << step; ++holder) {
      holders.push_back(partner(holders[holder], q - 1 - step, p));
      has_after[holders.back()] = static_cast<std::uint8_t>(step + 1);
    }
  }
  return {q, [p, q, has_after = std::move(has_after)](Rank rank, Cycle step) -> PartStep {
            const Rank other = partner(rank, q - 1 - step, p);
            if (has_after[rank] <= step) return {.to = other, .sent = {0}};
            if (has_after[rank] == step + 1) return {.from = other, .received = {0}};
            return {};
          }};
}

std::uint64_t KNomial::rounds() const {
  std::uint64_t rounds = 0;
  for (std::uint64_t reached = 1; reached < p; reached *= radix) ++rounds;
  return rounds;
}

std::uint64_t KNomial::steps() const {
  if (at_once || p == 1) return rounds();
  std::uint64_t weight = 1;
  while (weight * radix < p) weight *= radix;
  return (rounds() - 1) * (radix - 1) + (p - 1) / weight;  // the first round may have fewer
}

PartSchedule KNomial::schedule() const {
  const std::uint64_t all = rounds();
  std::uint64_t largest = 1;
  for (std::uint64_t round = 1; round < all; ++round) largest *= radix;
  const std::uint64_t in_first = p == 1 ? 0 : (p - 1) / largest;
  const std::uint64_t lanes = at_once && p > 1 ? (all > 1 ? radix - 1 : in_first) : 1;
  const auto at = [self = *this, largest, in_first, lanes](Rank rank, Cycle number) -> PartStep {
    std::uint64_t weight = largest;
    std::uint64_t turn = 0;  // the number of the receiver, from 0
    if (self.at_once) {
      for (Cycle round = 0; round < number / lanes; ++round) weight /= self.radix;
      turn = number % lanes;
    } else if (number < in_first) {
      turn = number;
    } else {
      for (Cycle round = 0; round <= (number - in_first) / (self.radix - 1); ++round) weight /= self.radix;
      turn = (number - in_first) % (self.radix - 1);
    }
    const std::uint64_t distance = (turn + 1) * weight;
    const std::uint64_t place = rank % (weight * self.radix);
    if (place == 0 && rank + distance < self.p) return {.to = static_cast<Rank>(rank + distance), .sent = {0}};
    if (place == distance) return {.from = static_cast<Rank>(rank - distance), .received = {0}};
    return {};
  };
  return {steps(), at, lanes};
}

}  // namespace lockstep::broadcast
