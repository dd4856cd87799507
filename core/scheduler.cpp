#include "scheduler.hpp"

#include <algorithm>

namespace lockstep::detail {

Scheduler::Scheduler(MarkTree& marks, Rank processors) : marks_(marks), processors_(processors) {}

void Scheduler::begin() {
  constexpr std::uint64_t all_ranks = ~std::uint64_t{0};
  marks_.clear();
  for (std::uint64_t rank = 0; rank < processors_; rank += 64) {
    const std::uint64_t left = processors_ - rank;
    visits_.push_back({static_cast<std::uint32_t>(rank / 64), left < 64 ? ~(all_ranks << left) : all_ranks});
  }
  to_visit_ = processors_;
}

void sleep_until(Control& control, Cycle cycle) {
  // No run goes on past the last cycle, so later ones are all alike.
  control.worker->sleepers.emplace_back(std::min(cycle, last_cycle + 1), control.rank);
  control.not_before = stamp_of(std::min(cycle, last_cycle));
}

void Scheduler::gather_sleepers(Worker& worker) {
  std::vector<Rank>* ranks = nullptr;
  Cycle until = 0;
  for (const auto& [cycle, rank] : worker.sleepers) {
    if (ranks == nullptr || cycle != until) ranks = &sleepers_[until = cycle];  // mostly many until the same
    ranks->push_back(rank);
  }
  worker.sleepers.clear();
}

void Scheduler::wake_sleepers(Cycle cycle) {
  while (!sleepers_.empty() && sleepers_.begin()->first <= cycle) {
    for (const Rank rank : sleepers_.begin()->second) marks_.mark_again(rank);
    sleepers_.erase(sleepers_.begin());
  }
}

void Scheduler::find_visits(Cycle cycle) {
  std::swap(visits_, visited_);
  wake_sleepers(cycle);
  drain_marks();
}

void Scheduler::find_more_visits() {
  for (const Visits& group : visits_) marks_.mark_again(group.group, group.ranks);
  drain_marks();
}

void Scheduler::drain_marks() {
  visits_.clear();
  to_visit_ = 0;
  receivers_ = 0;
  marks_.drain([this](const MarkTree::Group& marked) {
    const std::uint64_t ranks = marked.received | marked.again;
    visits_.push_back({marked.index, ranks});
    const auto count = static_cast<std::uint64_t>(std::popcount(ranks));
    to_visit_ += count;
    receivers_ += marked.received == ranks ? count : static_cast<std::uint64_t>(std::popcount(marked.received));
  });
}

bool Scheduler::sleep(Cycle& cycle) {
  if (sleepers_.empty()) return false;
  cycle = sleepers_.begin()->first;
  find_visits(cycle);
  return true;
}

std::span<const Visits> Scheduler::single_visits() {
  single_visits_.clear();
  for (const Visits& group : visits_) {
    for_ranks(group, [&](Rank rank) { single_visits_.push_back({group.group, std::uint64_t{1} << rank % 64}); });
  }
  return single_visits_;
}

}  // namespace lockstep::detail
