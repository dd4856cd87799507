#include "critical_path.hpp"

#include <algorithm>
#include <map>

namespace lockstep::cli {

bool has_critical_path(const RunPlan& plan) {
  return !plan.faults.faults.stragglers.empty() && plan.model.cost.switching == Switching::store_and_forward;
}

TransferTimes::TransferTimes(const RunPlan& plan)
    : model_(plan.model),
      faults_(plan.faults.faults),
      in_memory_(plan.machine.medium && plan.machine.medium->kind == MediumKind::memory),
      takes_turns_(in_memory_ || (plan.machine.medium && plan.machine.medium->kind == MediumKind::bus)) {}

void TransferTimes::barrier(MovingMessages& messages) {
  is_complete_ = is_complete_ && transfers_.size() + messages.size() <= most_messages;
  if (!is_complete_) {
    transfers_ = {};
    return;
  }
  for (std::size_t index = 0; index < messages.size(); ++index) {
    MovingMessage message = messages.message(index);
    for (; in_memory_ && index + 1 < messages.size(); ++index) {  // an access is of all its slots together
      const MovingMessage slot = messages.message(index + 1);
      if (slot.from != message.from || slot.to.rank != message.to.rank) break;
      message.words += slot.words;
      message.startups = model_.cost.startups(message.words);
    }
    const double time = model_.cost.time(message.startups, message.words) * faults_.slowness(message.mover());
    transfers_.push_back({message.from, message.to.rank, messages.cycle(), message.arrival - time, message.arrival});
  }
}

std::vector<CriticalMessage> TransferTimes::critical_path() const {
  if (!is_complete_ || transfers_.empty()) return {};
  // By the processors that take part in them, and of each by their ends.
  std::map<Rank, std::vector<const Transfer*>> of_rank;
  for (const Transfer& transfer : transfers_) {
    of_rank[transfer.from].push_back(&transfer);
    of_rank[transfer.to].push_back(&transfer);
  }
  std::vector<const Transfer*> all_turns;
  if (takes_turns_) {
    for (const Transfer& transfer : transfers_) all_turns.push_back(&transfer);
    std::ranges::sort(all_turns, {}, &Transfer::end);
  }
  for (auto& [rank, all] : of_rank) std::ranges::sort(all, {}, &Transfer::end);
  const Transfer* last = &*std::ranges::max_element(transfers_, {}, &Transfer::end);
  const double tolerance = 1e-9 * last->end;

  // The latest that has ended by then, other than that one; of earlier cycles, if that is asked for.
  const auto latest_of = [](const std::vector<const Transfer*>& all, double by, const Transfer* other,
                            bool is_earlier) -> const Transfer* {
    auto behind = std::ranges::upper_bound(all, by, {}, &Transfer::end);
    while (behind != all.begin()) {
      const Transfer* const found = *--behind;
      if (found != other && (!is_earlier || found->cycle < other->cycle)) return found;
    }
    return nullptr;
  };
  const auto latest = [&](Rank rank, double by, const Transfer* other, bool is_earlier) {
    return latest_of(of_rank[rank], by, other, is_earlier);
  };
  const bool receives_one = !sends_on_several_ports(model_.ports);
  std::vector<CriticalMessage> path;
  while (last != nullptr) {
    const Transfer* const before_there = latest(last->to, last->end, last, false);
    const double idle_since = before_there == nullptr ? 0 : before_there->end;
    path.push_back({last->from, last->to, last->cycle, last->start, last->end, last->end - idle_since});
    const Transfer* next = latest(last->from, last->start + tolerance, last, true);
    if (receives_one) {
      const Transfer* const of_receiver = latest(last->to, last->start + tolerance, last, true);
      if (next == nullptr || (of_receiver != nullptr && of_receiver->end > next->end)) next = of_receiver;
    }
    const Transfer* const turn = latest_of(all_turns, last->start + tolerance, last, true);
    if (next == nullptr || (turn != nullptr && turn->end > next->end)) next = turn;
    last = next;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace lockstep::cli
