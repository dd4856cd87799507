#include "swing.hpp"

#include <algorithm>
#include <bit>

namespace lockstep::parts {
namespace {

/// The partner of each rank in every step.
class Partners {
 public:
  explicit Partners(const MixedRadix& torus) : torus_(torus) {
    Distance distance = 1;  // (1 - (-2)^(turn+1)) / 3
    for (Rank power = 2; power <= torus.size() && power != 0; power *= 2, distance = 1 - 2 * distance) {
      for (std::size_t dimension = 0; dimension < torus.dimensions(); ++dimension) {
        if (torus.side(dimension) >= power) steps_.push_back({dimension, distance});
      }
    }
  }

  Cycle steps() const { return steps_.size(); }

  Rank of(Rank rank, Cycle step) const {
    const auto [dimension, distance] = steps_[step];
    const Distance side = torus_.side(dimension);
    const Rank place = torus_.digit(rank, dimension);
    const Distance there = place % 2 == 0 ? place + distance : place - distance;
    return torus_.with_digit(rank, dimension, static_cast<Rank>((there % side + side) % side));
  }

  /// The ranks that this one reaches in the steps from `step` on, itself included.
  std::vector<Rank> reach(Rank rank, Cycle step) const {
    std::vector<Rank> reached{rank};
    for (Cycle later = step; later < steps(); ++later) {
      const std::size_t so_far = reached.size();
      for (std::size_t index = 0; index < so_far; ++index) reached.push_back(of(reached[index], later));
    }
    return reached;
  }

 private:
  using Distance = std::int64_t;
  struct Step {
    std::size_t dimension;
    Distance distance;
  };

  MixedRadix torus_;
  std::vector<Step> steps_;
};

}  // namespace

PartSchedule swing_reduce_scatter(const MixedRadix& torus) {
  const Partners partners(torus);
  return {partners.steps(), [partners](Rank r, Cycle step) -> PartStep {
            const Rank partner = partners.of(r, step);
            return {.to = partner,
                    .sent = partners.reach(partner, step + 1),
                    .from = partner,
                    .received = partners.reach(r, step + 1),
                    .combines = true};
          }};
}

PartSchedule swing_allgather(const MixedRadix& torus) {
  const Partners partners(torus);
  return {partners.steps(), [partners](Rank r, Cycle number) -> PartStep {
            const Cycle step = partners.steps() - 1 - number;
            const Rank partner = partners.of(r, step);
            return {.to = partner,
                    .sent = partners.reach(r, step + 1),
                    .from = partner,
                    .received = partners.reach(partner, step + 1)};
          }};
}

bool add_swing(const MixedRadix& torus, std::uint64_t m, method::StepLengths& lengths) {
  constexpr Rank most_looked_up = 1024;
  const Rank p = torus.size();
  const bool is_exact = m % p == 0 || p <= most_looked_up;
  const Wide longest_part = (Wide{m} + p - 1) / p;
  const Parts parts(m, p);
  const Partners partners(torus);
  for (Cycle step = 0; step < partners.steps(); ++step) {
    if (m % p == 0 || !is_exact) {
      lengths.add(1, (p >> (step + 1)) * longest_part);
      continue;
    }
    std::uint64_t longest = 0;
    for (Rank rank = 0; rank < p; ++rank) {
      std::uint64_t words = 0;
      for (const Rank part : partners.reach(rank, step + 1)) words += parts.size(part);
      longest = std::max(longest, words);
    }
    lengths.add(1, longest);
  }
  return is_exact;
}

}  // namespace lockstep::parts
