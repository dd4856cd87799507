#include "holdings.hpp"

#include <algorithm>

namespace lockstep {
namespace {

void unite(Summands& whole, const Summands& part) {
  for (std::size_t rank = 0; rank < whole.size(); ++rank) whole[rank] = whole[rank] || part[rank];
}

}  // namespace

std::vector<Rank> ranks_of(const Summands& summands) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < summands.size(); ++rank) {
    if (summands[rank]) ranks.push_back(rank);
  }
  return ranks;
}

Summands summands_of(const std::vector<Rank>& ranks, Rank nodes) {
  Summands summands(nodes);
  for (const Rank rank : ranks) summands[rank] = true;
  return summands;
}

bool is_within(const Summands& part, const Summands& whole) {
  for (std::size_t rank = 0; rank < part.size(); ++rank) {
    if (part[rank] && !whole[rank]) return false;
  }
  return true;
}

bool is_summed_up(const ChunkTask& task) {
  return task.operation == "allreduce" || task.operation == "reduce" || task.operation == "reduce-scatter";
}

bool keeps_apart(const ChunkSchedule& schedule) {
  return std::ranges::any_of(schedule.steps, [](const auto& moves) {
    return std::ranges::any_of(moves, [](const ChunkMove& move) { return !move.of.empty(); });
  });
}

Holdings::Sums& Holdings::at(Rank rank, const ChunkName& name) {
  const auto [found, is_new] = held_.try_emplace({rank, name});
  if (is_new && (is_summed_up(task_) || rank == name.origin)) {
    found->second.emplace_back(nodes_)[rank] = true;
  }
  return found->second;
}

Summands Holdings::all(Rank rank, const ChunkName& name) {
  Summands whole(nodes_);
  for (const Summands& sum : at(rank, name)) unite(whole, sum);
  return whole;
}

bool Holdings::can_give(Rank rank, const ChunkName& name, const Summands& wanted) {
  Summands whole(nodes_);
  for (const Summands& sum : at(rank, name)) {
    if (is_within(sum, wanted)) unite(whole, sum);
  }
  return whole == wanted;
}

Summands Holdings::carried(const ChunkMove& move) {
  return move.of.empty() ? all(move.from, name_of(move)) : summands_of(move.of, nodes_);
}

std::optional<Rank> Holdings::take(const ChunkMove& move, Summands carried) {
  Sums& own = at(move.to, name_of(move));
  if (!move.adds) own.clear();
  for (const Summands& sum : own) {
    for (Rank whose = 0; whose < nodes_; ++whose) {
      if (sum[whose] && carried[whose]) return whose;
    }
  }
  if (is_apart_ || own.empty()) {
    own.push_back(std::move(carried));
  } else {
    unite(own.front(), carried);
  }
  return std::nullopt;
}

}  // namespace lockstep
