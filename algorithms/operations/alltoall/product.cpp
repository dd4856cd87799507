#include <algorithm>

#include "parcels.hpp"

namespace lockstep {

ProductSchedule::ProductSchedule(const std::vector<std::shared_ptr<const TurnSchedule>>& factors) {
  std::uint64_t nodes = 1;
  for (std::size_t index = 0; index < factors.size(); ++index) {
    const auto& schedule = factors[index];
    const Rank sides = schedule->nodes();
    if (sides == 1) continue;
    for (Factor& earlier : factors_) earlier.stride *= sides;
    factors_.push_back({schedule, index, 1, static_cast<Rank>(nodes), steps_});
    steps_ = nodes * schedule->steps() + sides * steps_;
    nodes *= sides;
    if (nodes > most_processors) throw std::invalid_argument("a product of schedules is for too many nodes");
  }
  nodes_ = static_cast<Rank>(nodes);
}

Rank ProductSchedule::longest_factor() const {
  Rank longest = 1;
  for (const Factor& factor : factors_) longest = std::max(longest, factor.schedule->nodes());
  return longest;
}

// Algorithm A2 for A x B, where A has n_1 nodes and B n_2; copy B_i = all (i,*), copy A_j = all (*,j) (dimakopoulos.md,
// Products):
//
//    phase 1: for r = 0..n_1-1: all B_i in parallel run the schedule of B;
//             its message (j -> l) carries the message of (i,j) for (r,l)
//    phase 2: for k = 0..n_2-1: all A_j in parallel run the schedule of A;
//             its message (i -> l) carries the message of (i,k) for (l,j)
//
// T = n_1 T_B + n_2 T_A. With more factors B is the last and A the product of those before it, whose schedule is made
// of rounds in the same way.
Round ProductSchedule::round(std::uint64_t step, Rank node) const {
  Round round;
  Rank origin_suffix = 0;  // the origins' coordinates in the later factors: k of each phase 2 around this
  std::uint64_t into = step;
  auto factor = factors_.end() - 1;
  while (into >= factor->earlier_nodes * factor->schedule->steps()) {  // not phase 1 of this factor as B: phase 2
    into -= factor->earlier_nodes * factor->schedule->steps();
    origin_suffix += static_cast<Rank>(into / factor->earlier_steps) * factor->stride;
    into %= factor->earlier_steps;
    --factor;
  }
  const std::uint64_t length = factor->schedule->steps();
  const auto r = static_cast<Rank>(into / length);
  round.begin = step - into % length;
  round.end = round.begin + length;

  const Rank block = factor->stride * factor->schedule->nodes();  // the copy's nodes lie within that many ranks
  const Rank suffix = node % factor->stride;
  round.factor = factor->index;
  round.schedule_ = factor->schedule.get();
  round.stride_ = factor->stride;
  round.coordinate_ = node % block / factor->stride;
  round.first_ = node - round.coordinate_ * factor->stride;
  round.origin_shift = origin_suffix - suffix;
  round.destination_shift = (r - node / block) * block;
  return round;
}

extern const Method alltoall_product_method = alltoall::with_defaults({
    .name = "alltoall/product",
    .aliases = {"A2"},
    .known_as = "total exchange",
    .families = {"torus", "mesh", "product", "hypercube"},
    .source = "Dimakopoulos & Dimopoulos, section 4, algorithm A2 (dimakopoulos.md, Products)",
    .summary =
        "rounds of the factors' own exchanges in all copies at once; optimal where every factor's is as short as "
        "its average status",
    .parameters = {alltoall::words_parameter, alltoall::parcels::schedules_parameter},
    .port_models = {PortModel::one, PortModel::all},
    .combines = false,
    .resolve = alltoall::parcels::resolve,
    .predict = alltoall::parcels::predict,
    .bytes = alltoall::parcels::bytes,
    .run = alltoall::parcels::run,
});

}  // namespace lockstep
