#include "written/places.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::written {
namespace {

ChunkTransfer named(const BlockLabels& block, std::uint32_t chunk) {
  return {no_rank, no_rank, block.origin, block.destination, chunk};
}

}  // namespace

PlanPlaces::PlanPlaces(const Plan& plan) : plan_(plan), chunks_(plan) {
  if (chunks_.are_summed()) {
    sums_.emplace(true, plan.nodes, !plan.sums.empty());
  } else if (chunks_.are_for_all()) {
    holds_.resize(chunks_.numbers() * plan.nodes);
    chunks_.for_each_block([&](const BlockLabels& block) {
      for (std::uint32_t chunk = 0; chunk < plan.chunks; ++chunk) put(named(block, chunk), block.origin);
    });
  } else if (!chunks_.are_copied() && !chunks_.are_told_by_moves()) {
    holders_.resize(chunks_.numbers());
    chunks_.for_each_block([&](const BlockLabels& block) { put(named(block, 0), block.origin); });
  }
}

Rank PlanPlaces::holder(const ChunkTransfer& transfer) const {
  const std::uint64_t number = chunks_.number(transfer);
  if (!chunks_.are_told_by_moves()) return holders_[number];
  const auto found = moved_.find(number);
  return found == moved_.end() ? transfer.origin : found->second;
}

bool PlanPlaces::has(Rank node, const ChunkTransfer& transfer) {
  if (sums_) return sums_->has(node, name_of(transfer));
  if (!chunks_.are_copied()) return holder(transfer) == node;
  const std::uint64_t place = chunks_.number(transfer) * plan_.nodes + node;
  return chunks_.are_for_all() ? holds_[place] : node == transfer.origin || copies_.contains(place);
}

bool PlanPlaces::can_give(const ChunkTransfer& transfer) {
  if (!sums_ || transfer.sum == 0) return has(transfer.from, transfer);
  return sums_->can_give(transfer.from, name_of(transfer), summands_of(plan_.summands(transfer), plan_.nodes));
}

void PlanPlaces::leave(const ChunkTransfer& transfer) {
  if (sums_) {
    if (arrived_ == leaving_.size()) {
      leaving_.clear();
      arrived_ = 0;
    }
    leaving_.push_back(sums_->carried(transfer.from, name_of(transfer), plan_.summands(transfer)));
  } else if (!chunks_.are_copied()) {
    put(transfer, no_rank);
  }
}

std::optional<Rank> PlanPlaces::arrive(const ChunkTransfer& transfer) {
  if (sums_) return sums_->take(transfer.to, name_of(transfer), transfer.adds != 0, std::move(leaving_[arrived_++]));
  if (transfer.adds != 0 && has(transfer.to, transfer)) return transfer.origin;
  put(transfer, transfer.to);
  return std::nullopt;
}

void PlanPlaces::put(const ChunkTransfer& transfer, Rank node) {
  const std::uint64_t number = chunks_.number(transfer);
  if (chunks_.are_for_all()) {
    holds_[number * plan_.nodes + node] = true;
  } else if (chunks_.are_copied()) {
    copies_.insert(number * plan_.nodes + node);
  } else if (chunks_.are_told_by_moves()) {
    moved_[number] = node;
  } else {
    holders_[number] = node;
  }
}

void PlanPlaces::check_end(std::uint64_t steps) {
  const std::string after = "after " + std::to_string(steps) + " steps: ";
  if (chunks_.are_told_by_moves()) {
    for (const auto& [number, node] : moved_) check_arrival(after, steps, named(chunks_.at(number).first, 0));
    return;
  }
  chunks_.for_each_block([&](const BlockLabels& block) {
    if (chunks_.are_copied()) {
      check_copies(after, steps, block);
    } else {
      check_arrival(after, steps, named(block, 0));
    }
  });
}

void PlanPlaces::check_arrival(const std::string& after, std::uint64_t steps, const ChunkTransfer& transfer) const {
  const Rank at = holder(transfer);
  if (at == transfer.destination) return;
  const std::string how = at == transfer.origin ? " is never delivered" : " ends at processor " + std::to_string(at);
  throw ScheduleError(steps, at, after + "message " + chunks_.text(transfer) + how);
}

bool PlanPlaces::lacks(Rank node, const ChunkTransfer& transfer) {
  if (!sums_) return !has(node, transfer);
  const Summands all = sums_->all(node, name_of(transfer));
  return std::ranges::count(all, true) != plan_.nodes;
}

void PlanPlaces::check_copies(const std::string& after, std::uint64_t steps, const BlockLabels& block) {
  const Rank first = chunks_.are_for_all() ? 0 : block.destination;
  const Rank end = chunks_.are_for_all() ? plan_.nodes : first + 1;
  for (std::uint32_t chunk = 0; chunk < plan_.chunks; ++chunk) {
    const ChunkTransfer transfer = named(block, chunk);
    for (Rank node = first; node < end; ++node) {
      if (!lacks(node, transfer)) continue;
      throw ScheduleError(steps, node,
                          after + "processor " + std::to_string(node) + " lacks " +
                              (sums_ && has(node, transfer) ? "summands of " : "") + chunks_.text(transfer));
    }
  }
}

}  // namespace lockstep::written
