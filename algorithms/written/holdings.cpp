#include "written/holdings.hpp"

namespace lockstep::written {
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

Holdings::Sums& Holdings::at(Rank rank, const ChunkName& name) {
  const auto [found, is_new] = held_.try_emplace({rank, name});
  if (is_new && (is_summed_ || rank == name.origin)) {
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

Summands Holdings::carried(Rank from, const ChunkName& name, const std::vector<Rank>& of) {
  return of.empty() ? all(from, name) : summands_of(of, nodes_);
}

std::optional<Rank> Holdings::take(Rank to, const ChunkName& name, bool adds, Summands carried) {
  Sums& own = at(to, name);
  if (!adds) own.clear();
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

}  // namespace lockstep::written
