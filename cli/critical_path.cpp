#include "critical_path.hpp"

#include <algorithm>
#include <map>

#include "lockstep/core/detail/fault_table.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep::cli {

void TransferTimes::barrier(MovingMessages& messages) {
  is_complete_ = is_complete_ && transfers_.size() + messages.size() <= most_messages;
  if (!is_complete_) return;
  const detail::FaultTable table(faults_);
  for (std::size_t index = 0; index < messages.size(); ++index) {
    const MovingMessage message = messages.message(index);
    const Rank sender = message.from == memory_rank ? message.to.rank : message.from;  // who reads a memory
    const double time = model_.cost.time(message.startups, message.words) * table.slowness(sender);
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
  for (auto& [rank, all] : of_rank) std::ranges::sort(all, {}, &Transfer::end);
  const Transfer* last = &*std::ranges::max_element(transfers_, {}, &Transfer::end);
  const double tolerance = 1e-9 * last->end;

  // The latest that has ended by then, other than that one; of earlier cycles, if that is asked for.
  const auto latest = [&](Rank rank, double by, const Transfer* other, bool is_earlier) -> const Transfer* {
    const std::vector<const Transfer*>& all = of_rank[rank];
    auto behind = std::ranges::upper_bound(all, by, {}, &Transfer::end);
    while (behind != all.begin()) {
      const Transfer* const found = *--behind;
      if (found != other && (!is_earlier || found->cycle < other->cycle)) return found;
    }
    return nullptr;
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
    last = next;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace lockstep::cli
