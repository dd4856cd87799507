// The run: cycle after cycle, the checks at the end of each, and the end of the run.
#include "simulation.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::reference {

namespace {

constexpr std::size_t most_phases = 63;

}  // namespace

Simulation::Simulation(const Scenario& scenario)
    : scenario_(scenario),
      wiring_(scenario.medium ? wiring_by_rank(scenario.on(Shared::memory) ? 0 : scenario.processors())
                              : scenario.wiring),
      slots_(scenario.on(Shared::memory) ? scenario.medium->slots : 0) {
  for (Rank rank = 0; rank < scenario.processors(); ++rank) {
    Processor& processor = processors_.emplace_back();
    processor.rank = rank;
    processor.frames.push_back({&scenario.programs[rank], 0, false});
    links_.emplace_back(ports());
  }
}

Outcome Simulation::run() {
  while (!all_ended()) {
    if (now_ > scenario_.max_cycles) {
      fail(Kind::livelock, scenario_.max_cycles, first_running());
      break;
    }
    for (Processor& processor : processors_) {
      if (is_due(processor)) look_at(processor);
    }
    end_cycle();
    if (outcome_.failure || all_ended()) break;
    if (scenario_.stop_after && now_ >= *scenario_.stop_after) {
      fail(Kind::interrupted, now_, nobody);
    } else if (!begin_next_cycle()) {
      const std::vector<Wait> waits = deadlock();
      fail(Kind::deadlock, now_, waits.front().rank, {}, waits);
    }
    if (outcome_.failure) break;
  }
  if (!outcome_.failure) check_undelivered();
  finish();
  return outcome_;
}

bool Simulation::all_ended() const { return first_running() == nobody; }

Rank Simulation::first_running() const {
  for (const Processor& processor : processors_) {
    if (processor.waiting != Waiting::ended) return processor.rank;
  }
  return nobody;
}

/// Goes to the next cycle in which a processor is to be visited; false if there is none.
bool Simulation::begin_next_cycle() {
  woken_ = std::move(sent_to_);
  sent_to_.clear();
  if (!woken_.empty()) {
    ++now_;
    return true;
  }
  std::optional<Cycle> next;
  for (const Processor& processor : processors_) {
    if (processor.asked && (!next || processor.wake < *next)) next = processor.wake;
  }
  if (next) now_ = *next;
  return next.has_value();
}

void Simulation::end_cycle() {
  cycle_counts_.cycle = now_;
  outcome_.per_cycle.push_back(std::exchange(cycle_counts_, {}));
  for (Rank rank = 0; rank < processors_.size(); ++rank) judge(rank);
  if (scenario_.medium) judge_medium();
  if (!failures_.empty()) {
    outcome_.failure = first(failures_);
    return;
  }
  const auto names = std::count_if(phases_.begin(), phases_.end(), [](const auto& phase) { return phase.first != 0; });
  if (static_cast<std::size_t>(names) > most_phases) return fail(Kind::too_many_phases, now_, nobody);

  Counts& counts = outcome_.counts;
  std::uint64_t most_copied = 0;
  std::uint64_t most_computed = 0;
  for (Processor& processor : processors_) {
    counts.copied_words += processor.copied;
    most_copied = std::max(most_copied, processor.copied);
    processor.copied = 0;
    counts.operations += processor.computed;
    most_computed = std::max(most_computed, processor.computed);
    processor.computed = 0;
    processor.sends.clear();
    processor.sends_made = 0;
    processor.send_clock = std::max(processor.send_clock, processor.sent_until);
    processor.receive_clock = std::max(processor.receive_clock, processor.received_until);
    processor.accesses.clear();
    for (Link& link : links_[processor.rank]) {
      std::erase_if(link.messages, [](const Message& message) { return message.taken; });
    }
  }
  const double arithmetic = static_cast<double>(most_computed) * scenario_.rules.flop;
  counts.time_synchronous += costliest_ + static_cast<double>(most_copied) * scenario_.rules.copy_cost + arithmetic;
  counts.time_arithmetic += arithmetic;
  costliest_ = 0;
  ended_ = counts.time_asynchronous;
  const CycleCounts& in_cycle = outcome_.per_cycle.back();
  counts.messages += in_cycle.messages;
  counts.words += in_cycle.words;
  counts.longest_sum += in_cycle.longest;
  counts.visits += in_cycle.visited;
  if (in_cycle.messages > 0) {
    ++counts.steps;
    counts.cycles = now_ + 1;
  }
  for (auto& [number, phase] : phases_) {
    if (!std::exchange(phase.moved, false)) continue;
    if (!phase.first) phase.first = now_;
    ++phase.counts.steps;
    phase.counts.longest_sum += std::exchange(phase.longest, 0);
  }
}

/// The rules that involve both sides of a message.
void Simulation::judge(Rank rank) {
  const Rules& rules = scenario_.rules;
  const std::vector<Port> received = received_on(rank);
  std::vector<Port> sent;
  std::vector<Port> both;
  for (Port port = 0; port < ports(); ++port) {
    if (!has_link(rank, port)) continue;
    const End to = wiring_[rank][port];
    const auto& messages = inbound(to.rank, to.port).messages;
    if (messages.empty() || messages.back().sent != now_) continue;
    sent.push_back(port);
    if (std::count(received.begin(), received.end(), port) > 0) both.push_back(port);
  }
  const auto found = [&](Kind kind, const std::vector<Port>& on) { failures_.push_back({kind, now_, rank, on, {}}); };
  if (received.size() > most_receives()) found(Kind::receive_limit, received);
  if (sent.empty() || received.empty()) return;
  if (scenario_.medium) {
    const auto failure = both_ways(rank, received);
    if (failure) failures_.push_back(*failure);
    return;
  }
  if (rules.ports == Ports::ring && sent.size() > 1) found(Kind::receive_limit, received);
  if (rules.ports == Ports::one_strict && sent != received) found(Kind::one_strict, received);
  if (rules.duplex == Duplex::half_link && !both.empty()) found(Kind::half_link, both);
  if (rules.duplex == Duplex::half_node) found(Kind::half_node, received);
}

const Failure& Simulation::first(const std::vector<Failure>& failures) const {
  return *std::min_element(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return std::pair(a.rank, a.kind) < std::pair(b.rank, b.kind);
  });
}

void Simulation::fail(Kind kind, Cycle cycle, Rank rank, std::vector<Port> ports, std::vector<Wait> waits) {
  outcome_.failure = Failure{kind, cycle, rank, std::move(ports), std::move(waits)};
}

Wait Simulation::wait_of(const Processor& processor) const {
  Wait wait{processor.rank, {}, processor.since, nobody, false};
  if (processor.waiting == Waiting::message) wait.port = processor.port;
  // Among the processors that could end the wait, the first that still runs, otherwise the first.
  for (Port port = 0; port < ports(); ++port) {
    if (!has_link(processor.rank, port) || (wait.port && *wait.port != port)) continue;
    const Rank rank = wiring_[processor.rank][port].rank;
    const bool ended = processors_[rank].waiting == Waiting::ended;
    if (wait.neighbour == nobody || (wait.neighbour_ended && !ended)) {
      wait.neighbour = rank;
      wait.neighbour_ended = ended;
    }
  }
  return wait;
}

/// The waits that form a cycle, from its lowest rank on: the cycle reached from the lowest rank that leads to one. If
/// there is none, the chain from the lowest rank that waits.
std::vector<Wait> Simulation::deadlock() const {
  std::vector<Wait> chain;
  for (const Processor& from : processors_) {
    std::vector<Wait> walk;
    Rank rank = from.rank;
    const auto seen = [&](const Wait& wait) { return wait.rank == rank; };
    while (rank != nobody && processors_[rank].waiting != Waiting::ended &&
           std::none_of(walk.begin(), walk.end(), seen)) {
      walk.push_back(wait_of(processors_[rank]));
      rank = walk.back().neighbour;
    }
    const auto start = std::find_if(walk.begin(), walk.end(), seen);
    if (start != walk.end()) {
      walk.erase(walk.begin(), start);
      const auto by_rank = [](const Wait& a, const Wait& b) { return a.rank < b.rank; };
      std::rotate(walk.begin(), std::min_element(walk.begin(), walk.end(), by_rank), walk.end());
      return walk;
    }
    if (chain.empty()) chain = walk;
  }
  return chain;
}

void Simulation::check_undelivered() {
  std::optional<Cycle> earliest;
  for (Rank rank = 0; rank < processors_.size(); ++rank) {
    for (Port port = 0; port < ports(); ++port) {
      const auto& messages = inbound(rank, port).messages;
      if (messages.empty()) continue;
      const Cycle sent = scenario_.medium ? messages.front().sent : messages.back().sent;
      if (earliest && *earliest <= sent) continue;
      earliest = sent;
      fail(Kind::undelivered, *earliest, rank, {port});
    }
  }
}

void Simulation::finish() {
  for (Processor& processor : processors_) outcome_.notes.push_back(std::move(processor.log.notes));
  outcome_.counts.time_asynchronous = std::max(outcome_.counts.time_asynchronous, worked_until_);
  // The nameless phase is not listed if no other phase is named or nothing was sent in it.
  const bool named = std::any_of(phases_.begin(), phases_.end(), [](const auto& phase) { return phase.first != 0; });
  std::vector<std::pair<Cycle, PhaseCounts>> in_order;
  for (auto& [number, phase] : phases_) {
    if (!named || (number == 0 && phase.counts.messages == 0)) continue;
    phase.counts.name = phase_name(number);
    in_order.emplace_back(phase.first.value_or(~Cycle{0}), phase.counts);
  }
  std::sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.name) < std::pair(b.first, b.second.name);
  });
  for (const auto& [first_step, counts] : in_order) outcome_.phases.push_back(counts);
}

}  // namespace lockstep::reference
