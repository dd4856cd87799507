#include "cycle/ledger.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace lockstep::detail {

double arithmetic_time(const Totals& totals, const CostModel& cost) {
  return static_cast<double>(totals.most_computed) * cost.flop;
}

double synchronous_time(const Totals& totals, const CostModel& cost, double costliest) {
  return costliest + static_cast<double>(totals.most_copied) * cost.copy_cost + arithmetic_time(totals, cost) +
         static_cast<double>(totals.most_scanned) * cost.scan_cost;
}

void Ledger::gather_phases(const Ground& ground, Worker& worker) {
  for (std::size_t number = 0; number < totals_.phases.size(); ++number) {
    const std::uint64_t messages = std::exchange(worker.messages[number], 0);
    if (messages == 0) continue;
    Tally tally = std::exchange(worker.phases[number], {});
    if (ground.counts_messages_as_words()) tally = {messages, 1};
    PhaseTotals& phase = totals_.phases[number];
    phase.messages += messages;
    phase.words += tally.words;
    phase.longest = std::max(phase.longest, tally.longest);
    totals_.messages += messages;
    totals_.words += tally.words;
    totals_.longest = std::max(totals_.longest, tally.longest);
  }
}

void Ledger::gather(Cycle cycle, std::uint64_t visited, const Ground& ground, std::span<Worker> workers) {
  std::vector<PhaseTotals> phases = std::move(totals_.phases);  // keeps its memory
  phases.assign(phase_names_.size(), {});
  totals_ = {.cycle = cycle, .visited = visited, .phases = std::move(phases)};
  for (Worker& worker : workers) {
    gather_phases(ground, worker);
    totals_.saved_sends += std::exchange(worker.saved_sends, 0);
    totals_.extra_startups += std::exchange(worker.extra_startups, 0);
    const LocalWork copied = std::exchange(worker.copied, {});
    const LocalWork computed = std::exchange(worker.computed, {});
    const LocalWork scanned = std::exchange(worker.scanned, {});
    totals_.copied_words += copied.sum;
    totals_.operations += computed.sum;
    totals_.scanned_blocks += scanned.sum;
    totals_.most_copied = std::max(totals_.most_copied, copied.most);
    totals_.most_computed = std::max(totals_.most_computed, computed.most);
    totals_.most_scanned = std::max(totals_.most_scanned, scanned.most);
    totals_.delivered += std::exchange(worker.delivered, 0);
    totals_.taken += std::exchange(worker.taken, 0);
    totals_.ended += std::exchange(worker.ended, 0);
    totals_.costliest = std::max(totals_.costliest, std::exchange(worker.costliest, 0));
  }
}

void Ledger::book_phases() {
  for (std::size_t number = phases_.size(); number < totals_.phases.size(); ++number) {
    phases_.emplace_back().counts.name = names_.empty() ? phase_names_.name(number) : names_[number];
  }
  for (std::size_t number = 0; number < totals_.phases.size(); ++number) {
    const PhaseTotals& totals = totals_.phases[number];
    if (totals.messages == 0) continue;
    Phase& phase = phases_[number];
    if (phase.counts.steps++ == 0) phase.first_step = totals_.cycle;
    phase.counts.messages += totals.messages;
    phase.counts.words += totals.words;
    phase.counts.longest_sum += totals.longest;
  }
}

void Ledger::add(std::uint64_t& count, std::uint64_t sum, std::uint64_t amounts, std::uint64_t most) {
  // With one amount more than were charged, as a processor's own amount is capped at the greatest number.
  const bool may_be_cut = most > std::numeric_limits<std::uint64_t>::max() / (amounts + 1);
  has_overflowed_ |= __builtin_add_overflow(count, sum, &count) || may_be_cut;
}

void Ledger::book(const Ground& ground) {
  book_phases();
  const Totals& totals = totals_;
  const CostModel& cost = ground.model.cost;
  in_channels_ += ground.topology.medium() ? totals.delivered : totals.messages;
  in_channels_ -= totals.taken;
  ended_ += totals.ended;
  report_.visits += totals.visited;
  report_.messages += totals.messages;
  report_.sends += totals.messages - totals.saved_sends;
  add(report_.startups, totals.messages + totals.extra_startups, totals.messages, totals.longest);
  add(report_.words, totals.words, totals.messages, totals.longest);
  report_.longest_sum += totals.longest;  // no more than the words
  add(report_.copied_words, totals.copied_words, totals.visited, totals.most_copied);
  add(report_.operations, totals.operations, totals.visited, totals.most_computed);
  add(report_.scanned_blocks, totals.scanned_blocks, totals.visited, totals.most_scanned);
  const bool of_single_words = ground.counts_messages_as_words() && totals.messages > 0;
  const double costliest = of_single_words ? cost.time(1, 1) : totals.costliest;
  report_.time_synchronous += synchronous_time(totals, cost, costliest);
  report_.time_arithmetic += arithmetic_time(totals, cost);
  if (totals.messages != 0) {
    ++report_.steps;
    report_.cycles = totals.cycle + 1;
  }
  if (record_cycles_) {
    report_.per_cycle.push_back({totals.cycle, totals.messages, totals.words, totals.longest, totals.visited});
  }
}

Report Ledger::finish() {
  if (phases_.size() > 1) {  // some program has named one
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

void add_maxima(std::span<const Worker> workers, Report& report) {
  for (const Worker& worker : workers) {
    report.busiest_link_words = std::max(report.busiest_link_words, worker.busiest_link_words);
    report.busiest_link_messages = std::max(report.busiest_link_messages, worker.busiest_link_messages);
    report.peak_words_held = std::max(report.peak_words_held, worker.peak_words_held);
    report.time_asynchronous = std::max({report.time_asynchronous, worker.latest_arrival, worker.latest_work});
  }
  if (report.busiest_link_messages == 0) report.busiest_link_messages = report.busiest_link_words;
}

}  // namespace lockstep::detail
