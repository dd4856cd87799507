#include "ledger.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockstep::detail {

void Ledger::gather_phases(const Ground& ground, Worker& worker, CycleCounts& counts) {
  for (std::size_t number = 0; number < phases_.size(); ++number) {
    const std::uint64_t messages = std::exchange(worker.messages[number], 0);
    if (messages == 0) continue;
    Tally tally = std::exchange(worker.phases[number], {});
    if (ground.counts_messages_as_words()) tally = {messages, 1};
    Phase& phase = phases_[number];
    phase.counts.messages += messages;
    phase.counts.words += tally.words;
    phase.longest = std::max(phase.longest, tally.longest);
    phase.moved = true;
    counts.messages += messages;
    counts.words += tally.words;
    counts.longest = std::max(counts.longest, tally.longest);
  }
}

void Ledger::gather(Cycle cycle, std::uint64_t visited, const Ground& ground, std::span<Worker> workers) {
  phases_.resize(phase_names_.size());
  CycleCounts counts{.cycle = cycle};
  counts.visited = visited;
  double costliest = 0;
  std::uint64_t most_copied = 0;
  std::uint64_t most_computed = 0;
  std::uint64_t most_scanned = 0;
  std::uint64_t delivered = 0;
  for (Worker& worker : workers) {
    gather_phases(ground, worker, counts);
    report_.sends -= std::exchange(worker.saved_sends, 0);
    report_.startups += std::exchange(worker.extra_startups, 0);
    const LocalWork copied = std::exchange(worker.copied, {});
    const LocalWork computed = std::exchange(worker.computed, {});
    const LocalWork scanned = std::exchange(worker.scanned, {});
    report_.copied_words += copied.sum;
    report_.operations += computed.sum;
    report_.scanned_blocks += scanned.sum;
    delivered += std::exchange(worker.delivered, 0);
    in_channels_ -= std::exchange(worker.taken, 0);
    ended_ += std::exchange(worker.ended, 0);
    costliest = std::max(costliest, std::exchange(worker.costliest, 0));
    most_copied = std::max(most_copied, copied.most);
    most_computed = std::max(most_computed, computed.most);
    most_scanned = std::max(most_scanned, scanned.most);
  }
  if (ground.counts_messages_as_words() && counts.messages > 0) costliest = ground.model.cost.time(1, 1);
  for (Phase& phase : phases_) {
    if (!std::exchange(phase.moved, false)) continue;
    if (phase.counts.steps++ == 0) phase.first_step = cycle;
    phase.counts.longest_sum += std::exchange(phase.longest, 0);
  }
  moved_ = counts.messages;
  moved_words_ = counts.words;
  in_channels_ += ground.topology.medium() ? delivered : moved_;
  report_.visits += counts.visited;
  report_.messages += counts.messages;
  report_.sends += counts.messages;
  report_.startups += counts.messages;
  report_.words += counts.words;
  report_.longest_sum += counts.longest;
  const CostModel& cost = ground.model.cost;
  const double arithmetic = static_cast<double>(most_computed) * cost.flop;
  report_.time_synchronous += costliest + static_cast<double>(most_copied) * cost.copy_cost + arithmetic +
                              static_cast<double>(most_scanned) * cost.scan_cost;
  report_.time_arithmetic += arithmetic;
  if (moved_ != 0) {
    ++report_.steps;
    report_.cycles = cycle + 1;
  }
  if (record_cycles_) report_.per_cycle.push_back(counts);
}

Report Ledger::finish(std::span<const Worker> workers) {
  for (const Worker& worker : workers) {
    report_.busiest_link_words = std::max(report_.busiest_link_words, worker.busiest_link_words);
    report_.busiest_link_messages = std::max(report_.busiest_link_messages, worker.busiest_link_messages);
    report_.peak_words_held = std::max(report_.peak_words_held, worker.peak_words_held);
    report_.time_asynchronous = std::max({report_.time_asynchronous, worker.latest_arrival, worker.latest_work});
  }
  if (report_.busiest_link_messages == 0) report_.busiest_link_messages = report_.busiest_link_words;
  if (phases_.size() > 1) {  // somebody has named one
    for (std::size_t number = 0; number < phases_.size(); ++number)
      phases_[number].counts.name = phase_names_.name(number);
    std::sort(phases_.begin(), phases_.end(), [](const Phase& a, const Phase& b) {
      return std::pair(a.first_step, std::string_view(a.counts.name)) <
             std::pair(b.first_step, std::string_view(b.counts.name));
    });
    for (const Phase& phase : phases_) {
      if (phase.counts.messages > 0 || !phase.counts.name.empty()) report_.phases.push_back(phase.counts);
    }
  }
  return std::move(report_);
}

}  // namespace lockstep::detail
