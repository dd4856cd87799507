#include "fold.hpp"

#include <utility>

namespace lockstep::parts {
namespace {

Cycle steps_of(const Fold& fold) { return fold.rest() > 0 ? 1 : 0; }

std::vector<Rank> all_parts(const Fold& fold) { return run_of_parts(0, fold.participants(), fold.participants()); }

}  // namespace

PartSchedule folded_in(const Fold& fold) {
  return {steps_of(fold), [fold, all = all_parts(fold)](Rank rank, Cycle) -> PartStep {
            if (!fold.is_paired(rank)) return {};
            if (fold.takes_part(rank)) return {.from = rank - 1, .received = all, .combines = true};
            return {.to = rank + 1, .sent = all};
          }};
}

PartSchedule folded_out(const Fold& fold) {
  return {steps_of(fold), [fold, all = all_parts(fold)](Rank rank, Cycle) -> PartStep {
            if (!fold.is_paired(rank)) return {};
            if (fold.takes_part(rank)) return {.to = rank - 1, .sent = all};
            return {.from = rank + 1, .received = all};
          }};
}

PartSchedule of_participants(const Fold& fold, PartSchedule schedule) {
  const Cycle steps = schedule.steps;
  return {steps, [fold, schedule = std::move(schedule)](Rank rank, Cycle step) -> PartStep {
            if (!fold.takes_part(rank)) return {};
            PartStep one = schedule.at(fold.place(rank), step);
            if (one.to != no_rank) one.to = fold.at(one.to);
            if (one.from != no_rank) one.from = fold.at(one.from);
            return one;
          }};
}

}  // namespace lockstep::parts
