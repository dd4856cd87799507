#include "schedules.hpp"

namespace lockstep::broadcast {

using vector::PartSchedule;
using vector::PartStep;

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

std::uint64_t KNomial::rounds() const {
  std::uint64_t rounds = 0;
  for (std::uint64_t reached = 1; reached < p; reached *= radix) ++rounds;
  return rounds;
}

std::uint64_t KNomial::steps() const {
  if (at_once || p == 1) return rounds();
  std::uint64_t weight = 1;
  while (weight * radix < p) weight *= radix;
  return (rounds() - 1) * (radix - 1) + (p - 1) / weight;  // as many as there are in the first round
}

PartSchedule KNomial::schedule() const {
  const std::uint64_t all = rounds();
  std::uint64_t largest = 1;
  for (std::uint64_t round = 1; round < all; ++round) largest *= radix;
  const std::uint64_t in_first = p == 1 ? 0 : (p - 1) / largest;
  const std::uint64_t lanes = at_once && p > 1 ? (all > 1 ? radix - 1 : in_first) : 1;
  const auto at = [self = *this, largest, in_first, lanes](Rank rank, Cycle number) -> PartStep {
    std::uint64_t weight = largest;
    std::uint64_t turn = 0;  // to whom, from 0
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
