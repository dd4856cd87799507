#include "schedules.hpp"

#include <algorithm>
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
  const auto at = [p, packets](Rank rank, Cycle step) {
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
  };
  const auto active = [steps, packets](Rank rank) {
    return parts::StepRange{rank == 0 ? 0U : rank - 1U, std::min<Cycle>(rank + packets, steps)};
  };
  return {steps, at, 1, active};
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

std::uint64_t KNomial::largest() const {
  std::uint64_t weight = 1;
  for (std::uint64_t round = 1; round < rounds(); ++round) weight *= radix;
  return weight;
}

std::uint64_t KNomial::lanes() const {
  const std::uint64_t receivers = rounds() > 1 ? radix - 1 : first_receivers();
  return std::clamp<std::uint64_t>(receivers, 1, at_once);
}

PartSchedule KNomial::schedule() const {
  const auto at = [self = *this, largest = largest(), first = first_steps(), each = steps_of_round(), lanes = lanes()](
                      Rank rank, Cycle number) -> PartStep {
    std::uint64_t step = number / lanes;  // of the round
    std::uint64_t weight = largest;
    if (step >= first) {
      for (Cycle round = 0; round <= (step - first) / each; ++round) weight /= self.radix;
      step = (step - first) % each;
    }
    const std::uint64_t turn = step * lanes + number % lanes;  // the number of the receiver, from 0
    if (turn + 1 >= self.radix) return {};
    const std::uint64_t distance = (turn + 1) * weight;
    const std::uint64_t place = rank % (weight * self.radix);
    if (place == 0 && rank + distance < self.p) return {.to = static_cast<Rank>(rank + distance), .sent = {0}};
    if (place == distance) return {.from = static_cast<Rank>(rank - distance), .received = {0}};
    return {};
  };
  return {steps(), at, lanes(), [self = *this](Rank rank) { return self.active(rank); }};
}

parts::StepRange KNomial::active(Rank rank) const {
  if (rank == 0) return {0, steps()};
  Cycle first = 0;  // of the round in which the rank receives, that of the lowest digit which is not 0
  std::uint64_t weight = largest();
  for (Cycle length = first_steps(); rank % weight != 0; length = steps_of_round()) {
    first += length;
    weight /= radix;
  }
  first += (rank / weight % radix - 1) / lanes();
  return {first, weight == 1 ? first + 1 : steps()};
}

}  // namespace lockstep::broadcast
