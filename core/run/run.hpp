#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cycle/diagnosis.hpp"
#include "cycle/rules.hpp"
#include "lockstep/core/observer.hpp"
#include "run/program_visits.hpp"

namespace lockstep::detail {

/// One run: the loop over its cycles. What the processes that share it must agree on is asked of a Company: LoneRun, or
/// DividedRun with the same functions. It is a type, so that the run of one process tests nothing.
template <class Company>
class Run : public ProgramVisits {
 public:
  Run(MachineParts& parts, Control* controls, const MachineCore::Show& show, const RunOptions& options)
      : ProgramVisits(parts, controls, static_cast<bool>(show), options),
        show_(show),
        company_(parts.ground, parts.links.get(), parts.medium.get(), ledger_) {}

  void cycles() {
    company_.settle([this] { return outlook(is_asked_to_stop()); }, controls_, workers_[0].stamp);
    end_if_failed();  // a program that could not be made
    const Cycle limit = std::min(options_.max_cycles, last_cycle);
    for (Cycle cycle = 0; ledger_.ended() < processors(); cycle = next(cycle)) {
      if (cycle > limit) end_as_livelock(limit);
      begin_cycle(cycle);
      visit_all();
      end_cycle(cycle);
    }
    if (ledger_.in_channels() != 0) end_as_undelivered();
  }

  /// Of the run in this process, when it has ended; once.
  Report own_report() {
    Report report = ledger_.finish();
    add_maxima(workers_, report);
    report.lost = lost();
    if (parts_.links != nullptr) {
      report.time_asynchronous = std::max(report.time_asynchronous, parts_.links->latest_arrival());
      report.channels = parts_.channels;
    }
    if (clocks_) clocks_->settle(report);
    return report;
  }
  /// The report of all processes.
  Report shared_report() {
    Report report = own_report();
    company_.settle(report);
    return report;
  }

 private:
  Moves moves(bool crowded = false) {
    return {parts_.ground, parts_.links.get(), parts_.medium.get(), scheduler_, ledger_, controls_, active_, judged_,
            crowded};
  }

  void end_cycle(Cycle cycle) {
    for (Worker& worker : active_) {
      scheduler_.gather_sleepers(worker);
      worker.frames.send_home();
    }
    ledger_.gather(cycle, scheduler_.to_visit(), parts_.ground, active_);
    if (parts_.medium != nullptr) parts_.medium->end_cycle(active_);
    judged_ = company_.exchange(active_, scheduler_.visits(), controls_, ledger_.moved());
    scheduler_.find_visits(cycle + 1);
    const bool crowded = settle_receipts();
    judge(moves(crowded));
    const auto asks_to_stop = [&] {
      report_progress(cycle);  // which can stop the run at this barrier
      return is_asked_to_stop();
    };
    company_.settle([&] { return outlook(asks_to_stop()); }, controls_, workers_[0].stamp);
    ledger_.book(parts_.ground);
    if (clocks_) clocks_->book(ledger_.totals());
    if (show_ && !has_failed(moves())) show(cycle);
    end_if_failed();
    if (company_.has_too_many_phases(ledger_)) throw_too_many_phases(moves());
    if (ledger_.has_overflowed()) throw_count_overflow(moves());
    const bool stops = company_.stops(asks_to_stop);
    if (ledger_.ended() == processors()) return;
    if (stops) throw_interrupted(moves());
  }

  /// Under k_ports(): returns whether a processor was sent more messages than it may receive.
  bool settle_receipts() {
    PortTallies& tallies = parts_.network().tallies();
    if (tallies.empty()) return false;
    bool crowded = false;
    if (company_.keeps_all_clocks()) {
      for (Rank rank = 0; rank < processors(); ++rank) crowded |= tallies.end_cycle(rank);
      return crowded;
    }
    for (const Visits& group : scheduler_.visits()) {
      for_ranks(group, [&](Rank rank) { crowded |= tallies.end_cycle(rank); });
    }
    return crowded;
  }

  Outlook outlook(bool stops) {
    return {.has_failed = has_failed(moves()),
            .stops = stops,
            .has_too_many_phases = ledger_.phase_names().too_many(),
            .next = scheduler_.next(workers_[0].now)};
  }

  void report_progress(Cycle cycle) const {
    if (options_.on_barrier) options_.on_barrier({cycle, ledger_.steps(), ledger_.messages()});
  }
  bool is_asked_to_stop() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  void end_if_failed() {
    company_.share_failure(workers_);
    throw_failure(moves());
  }
  [[noreturn]] void end_as_livelock(Cycle limit) {
    company_.share_waits(controls_, parts_.network());
    throw_livelock(moves(), limit);
  }
  [[noreturn]] void end_as_deadlock() {
    company_.share_waits(controls_, parts_.network());
    throw_deadlock(moves());
  }
  [[noreturn]] void end_as_undelivered() {
    if (parts_.links == nullptr) {
      const MediumNetwork::Undelivered first = parts_.medium->first_undelivered();
      throw_undelivered_on_medium(moves(), company_.first(first));
    }
    const LinkNetwork::Undelivered first = parts_.links->first_undelivered();
    throw_undelivered(moves(), company_.first(first, *parts_.links));
  }

  /// Shows the observer the charges and the messages of the cycle, if there are any.
  void show(Cycle cycle) {
    const std::vector<Charge> charges = charges_of_cycle();
    if (charges.empty() && ledger_.moved() == 0 && !holds_messages_) return;
    std::vector<Rank> senders;
    for (const Visits& group : scheduler_.visited()) {
      for_ranks(group, [&](Rank rank) {
        if (controls_[rank].last_send == workers_[0].stamp) senders.push_back(rank);
      });
    }
    std::vector<Sent> sent = parts_.network().sent(active_, senders, workers_[0].stamp);
    const std::vector<const PhaseLeft*> left = phases_left();
    for (Sent& message : sent) message.phase = ledger_.phase_names().name(phase_of(message, left));
    holds_messages_ = show_(cycle, charges, sent, parts_.network(), workers_[0]);
    const auto to_processors =
        std::count_if(sent.begin(), sent.end(), [](const Sent& message) { return message.to.rank != memory_rank; });
    ledger_.observed(static_cast<std::uint64_t>(to_processors), std::exchange(workers_[0].delivered, 0));
    scheduler_.find_more_visits();
  }

  /// Sorted by rank, then in the order of charging.
  std::vector<Charge> charges_of_cycle() const {
    std::vector<Charge> all;
    for (const Worker& worker : active_) all.insert(all.end(), worker.charges.begin(), worker.charges.end());
    std::ranges::stable_sort(all, {}, &Charge::rank);
    return all;
  }

  /// The phases left in this cycle, sorted by rank, then in the order of leaving.
  std::vector<const PhaseLeft*> phases_left() const {
    std::vector<const PhaseLeft*> all;
    for (const Worker& worker : active_) {
      for (const PhaseLeft& left : worker.phases_left) all.push_back(&left);
    }
    std::ranges::stable_sort(all, {}, &PhaseLeft::rank);
    return all;
  }

  /// The number of the phase in which a message of this cycle was sent.
  std::uint8_t phase_of(const Sent& message, const std::vector<const PhaseLeft*>& phases_left) const {
    const Rank rank = message.from == memory_rank ? message.to.rank : message.from;
    auto next = std::ranges::lower_bound(phases_left, rank, {}, &PhaseLeft::rank);
    for (; next != phases_left.end() && (*next)->rank == rank; ++next) {
      const PhaseLeft& left = **next;
      if (left.ports.empty() || std::ranges::count(left.ports, message.port) != 0) return left.phase;
    }
    return controls_[rank].phase;
  }

  Cycle next(Cycle cycle) {
    if (ledger_.ended() == processors()) return cycle + 1;
    std::optional<Cycle> next = company_.next(scheduler_, cycle);
    if (holds_messages_) next = cycle + 1;
    if (const auto loss = next_loss(); loss && (!next || *loss < *next)) next = loss;
    if (!next) end_as_deadlock();
    if (*next > cycle + 1) scheduler_.find_visits(*next);  // all sleep
    return *next;
  }

  const MachineCore::Show& show_;
  Company company_;
  bool holds_messages_ = false;  // an observer
  std::uint64_t judged_ = 0;     // messages of this cycle that are judged here
};

}  // namespace lockstep::detail
