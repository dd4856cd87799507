#include "cycle/scheduler.hpp"

#include <algorithm>

namespace lockstep::detail {

Scheduler::Scheduler(MarkTree& marks, Rank processors, const Division* division)
    : marks_(marks), processors_(processors) {
  if (division == nullptr) return;
  here_.resize((std::size_t{processors} + 63) / 64);
  for (Rank rank = 0; rank < processors; ++rank) {
    if (division->is_here(rank)) here_[rank / 64] |= std::uint64_t{1} << rank % 64;
  }
}

void Scheduler::begin() {
  constexpr std::uint64_t all_ranks = ~std::uint64_t{0};
  marks_.clear();
  for (std::uint64_t rank = 0; rank < processors_; rank += 64) {
    const auto group = static_cast<std::uint32_t>(rank / 64);
    const std::uint64_t left = processors_ - rank;
    const std::uint64_t ranks = here(group) & (left < 64 ? ~(all_ranks << left) : all_ranks);
    if (ranks != 0) visits_.push_back({group, ranks});
    to_visit_ += static_cast<std::uint64_t>(std::popcount(ranks));
  }
}

void sleep_until(Control& control, Cycle cycle) {
  // No run continues past the last cycle, so all later ones are alike.
  control.worker->sleepers.emplace_back(std::min(cycle, last_cycle + 1), control.rank);
  control.not_before = stamp_of(std::min(cycle, last_cycle));
}

void Scheduler::gather_sleepers(Worker& worker) {
  std::vector<Rank>* ranks = nullptr;
  Cycle until = 0;
  for (const auto& [cycle, rank] : worker.sleepers) {
    if (ranks == nullptr || cycle != until) ranks = &sleepers_[until = cycle];  // usually many until the same cycle
    ranks->push_back(rank);
  }
  worker.sleepers.clear();
}

void Scheduler::forget(Rank rank) {
  for (auto& [cycle, ranks] : sleepers_) std::erase(ranks, rank);
  std::erase_if(sleepers_, [](const auto& entry) { return entry.second.empty(); });
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
    const std::uint64_t received = marked.received & here(marked.index);
    const std::uint64_t ranks = received | marked.again;
    if (ranks == 0) return;
    visits_.push_back({marked.index, ranks});
    const auto count = static_cast<std::uint64_t>(std::popcount(ranks));
    to_visit_ += count;
    receivers_ += received == ranks ? count : static_cast<std::uint64_t>(std::popcount(received));
  });
}

std::optional<Cycle> Scheduler::next(Cycle cycle) const {
  if (!visits_.empty()) return cycle + 1;
  if (sleepers_.empty()) return std::nullopt;
  return sleepers_.begin()->first;
}

std::span<const Visits> Scheduler::single_visits() {
  single_visits_.clear();
  for (const Visits& group : visits_) {
    for_ranks(group, [&](Rank rank) { single_visits_.push_back({group.group, std::uint64_t{1} << rank % 64}); });
  }
  return single_visits_;
}

}  // namespace lockstep::detail
