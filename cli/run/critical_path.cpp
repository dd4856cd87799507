#include "critical_path.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep::cli::run {

bool has_critical_path(const RunPlan& plan) {
  return !plan.faults.faults.stragglers.empty() && plan.model.cost.switching == Switching::store_and_forward;
}

TransferTimes::TransferTimes(const RunPlan& plan)
    : model_(plan.model),
      faults_(plan.faults.faults),
      in_memory_(plan.machine.medium && plan.machine.medium->kind == MediumKind::memory),
      takes_turns_(in_memory_ || (plan.machine.medium && plan.machine.medium->kind == MediumKind::bus)) {}

bool TransferTimes::has_room(std::size_t more) {
  is_complete_ = is_complete_ && transfers_.size() + more <= most_messages;
  if (!is_complete_) transfers_ = {};
  return is_complete_;
}

void TransferTimes::charged(Cycle cycle, std::span<const Charge> charges) {
  if (!has_room(charges.size())) return;
  for (const Charge& work : charges) {
    transfers_.push_back({work.rank, 0, {work.rank, 0}, cycle, work.start, work.end});
  }
}

void TransferTimes::barrier(MovingMessages& messages) {
  if (!has_room(messages.size())) return;
  for (std::size_t index = 0; index < messages.size(); ++index) {
    MovingMessage message = messages.message(index);
    for (; in_memory_ && index + 1 < messages.size(); ++index) {  // an access includes all its slots
      const MovingMessage slot = messages.message(index + 1);
      if (slot.from != message.from || slot.to.rank != message.to.rank) break;
      message.words += slot.words;
      message.startups = model_.cost.startups(message.words);
    }
    const double time = model_.cost.time(message.startups, message.words) * faults_.slowness(message.mover());
    transfers_.push_back(
        {message.from, message.port, message.to, messages.cycle(), message.arrival - time, message.arrival});
  }
}

std::vector<CriticalMessage> TransferTimes::critical_path() const {
  if (!is_complete_ || transfers_.empty()) return {};
  using TransfersByEnd = std::vector<const TimedTransfer*>;
  TransfersByEnd all;
  for (const TimedTransfer& transfer : transfers_) all.push_back(&transfer);
  std::ranges::stable_sort(all, {}, &TimedTransfer::end);
  const double tolerance = 1e-9 * all.back()->end;

  const bool has_clock_a_port = sends_on_several_ports(model_.ports);
  const auto clock = [&](Rank rank, Port port) { return std::pair(rank, has_clock_a_port ? port : Port{0}); };
  std::map<std::pair<Rank, Port>, TransfersByEnd> sent;
  std::map<std::pair<Rank, Port>, TransfersByEnd> received;
  std::map<Rank, TransfersByEnd> reaching;
  std::map<Rank, TransfersByEnd> working;
  std::map<Rank, TransfersByEnd> touching;
  TransfersByEnd turns;
  for (const TimedTransfer* transfer : all) {
    touching[transfer->from].push_back(transfer);
    if (transfer->is_local_work()) {
      working[transfer->from].push_back(transfer);
      continue;
    }
    touching[transfer->to.rank].push_back(transfer);
    if (takes_turns_) turns.push_back(transfer);
    sent[clock(transfer->from, transfer->port)].push_back(transfer);
    received[clock(transfer->to.rank, transfer->to.port)].push_back(transfer);
    reaching[transfer->to.rank].push_back(transfer);
  }
  std::map<Rank, std::vector<double>> earliest;  // by rank: the first start among a transfer and all that end later
  for (const auto& [rank, those] : touching) {
    std::vector<double>& starts = earliest[rank];
    for (const TimedTransfer* transfer : those) starts.push_back(transfer->start);
    for (std::size_t index = starts.size(); index-- > 1;)
      starts[index - 1] = std::min(starts[index - 1], starts[index]);
  }

  // The time from which the receiver has done nothing else; the transfer's end, if another is under way then.
  const auto idle_since = [&](const TimedTransfer& last) {
    const TransfersByEnd& those = touching[last.to.rank];
    auto behind = std::ranges::upper_bound(those, last.end, {}, &TimedTransfer::end);
    const auto later = static_cast<std::size_t>(behind - those.begin());
    if (later < those.size() && earliest[last.to.rank][later] < last.end - tolerance) return last.end;
    while (behind != those.begin()) {
      if (*--behind != &last) return (*behind)->end;
    }
    return 0.0;
  };

  std::vector<CriticalMessage> path;
  for (const TimedTransfer* last = all.back(); last != nullptr;) {
    path.push_back({last->from, last->to.rank, last->cycle, last->start, last->end, last->end - idle_since(*last)});
    const TimedTransfer* awaited = nullptr;
    const auto consider = [&](const TransfersByEnd& those) {
      auto behind = std::ranges::upper_bound(those, last->start + tolerance, {}, &TimedTransfer::end);
      while (behind != those.begin()) {
        const TimedTransfer* const found = *--behind;
        // Recorded in the order of cycles, each cycle's work before its messages.
        if (found >= last || (found->cycle == last->cycle && !found->is_local_work())) continue;
        if (awaited == nullptr || found->end > awaited->end) awaited = found;
        return;
      }
    };
    consider(working[last->mover()]);
    if (takes_turns_ && !last->is_local_work()) {
      consider(turns);
    } else {
      if (!last->is_local_work()) {
        consider(sent[clock(last->from, last->port)]);
        consider(received[clock(last->to.rank, last->to.port)]);
      }
      consider(reaching[last->from]);
    }
    last = awaited;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace lockstep::cli::run
