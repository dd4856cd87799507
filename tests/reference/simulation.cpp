#include "simulation.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::reference {

namespace {

constexpr std::size_t most_phases = 63;

}  // namespace

Simulation::Simulation(const Scenario& scenario) : scenario_(scenario) {
  for (Rank rank = 0; rank < scenario.wiring.size(); ++rank) {
    Processor& processor = processors_.emplace_back();
    processor.rank = rank;
    processor.frames.push_back({&scenario.programs[rank], 0, false});
    links_.emplace_back(scenario.ports());
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

// ---- the rules of channels, ports and clocks

bool Simulation::has_link(Rank rank, Port port) const {
  return port < scenario_.ports() && scenario_.wiring[rank][port].rank != nobody;
}

void Simulation::require_link(const Processor& processor, Port port) const {
  if (!has_link(processor.rank, port)) throw Violation{Kind::no_link, {port}};
}

bool Simulation::arrived(Rank rank, Port port) const {
  if (!has_link(rank, port)) return false;
  const auto& messages = inbound(rank, port).messages;
  return std::any_of(messages.begin(), messages.end(), [this](const Message& message) { return has_arrived(message); });
}

std::vector<Port> Simulation::arrivals(Rank rank) const {
  std::vector<Port> ports;
  for (Port port = 0; port < scenario_.ports(); ++port) {
    if (arrived(rank, port)) ports.push_back(port);
  }
  return ports;
}

bool Simulation::is_full(const Link& link) const {
  // What is taken in this cycle leaves its place at the barrier, so it is still among the messages.
  const auto sent_before = [this](const Message& message) { return message.sent < now_; };
  const auto waiting = std::count_if(link.messages.begin(), link.messages.end(), sent_before);
  return static_cast<std::size_t>(waiting) >= scenario_.rules.capacity;
}

std::vector<Port> Simulation::received_on(Rank rank) const {
  std::vector<Port> ports;
  for (Port port = 0; port < scenario_.ports(); ++port) {
    const auto& messages = inbound(rank, port).messages;
    if (!messages.empty() && messages.back().sent == now_) ports.push_back(port);
  }
  return ports;
}

double Simulation::start(const Processor& sender, const Link& link, const Processor& receiver, double data) const {
  if (!one_port()) return std::max(data, link.clock);
  return std::max({data, sender.send_clock, receiver.receive_clock});
}

std::uint64_t Simulation::startups(const Parcel& parcel) const {
  const std::uint64_t packet = scenario_.rules.max_packet;
  std::uint64_t sum = 0;
  for (const std::uint64_t block : parcel.blocks) {
    sum += packet == 0 ? 1 : std::max<std::uint64_t>(1, (block + packet - 1) / packet);
  }
  return std::max<std::uint64_t>(1, sum);
}

void Simulation::send(Processor& processor, const std::vector<Port>& ports, const Parcel& parcel, double data) {
  const Rules& rules = scenario_.rules;
  for (const Port port : ports) require_link(processor, port);
  const bool several = ports.size() > 1;
  if (several && (rules.ports == Ports::one_strict || (rules.ports == Ports::one && !rules.multicast))) {
    throw Violation{Kind::send_limit, ports};
  }
  if (one_port() && !processor.sends.empty()) {
    const bool other_port = processor.sends.size() == 1 && processor.sends[0] != ports[0];
    throw Violation{Kind::send_limit,
                    other_port ? std::vector<Port>{processor.sends[0], ports[0]} : std::vector<Port>{ports[0]}};
  }
  processor.sends.insert(processor.sends.end(), ports.begin(), ports.end());
  outcome_.counts.sends += rules.multicast ? 1 : ports.size();
  // All messages of a multicast may start at once; the next send waits for the last of them.
  double end = processor.send_clock;
  for (const Port port : ports) end = std::max(end, transmit(processor, port, parcel, data));
  processor.send_clock = end;
}

/// Sends one message; returns when its transfer ends.
double Simulation::transmit(Processor& processor, Port port, const Parcel& parcel, double data) {
  const End to = scenario_.wiring[processor.rank][port];
  Link& link = inbound(to.rank, to.port);
  Processor& receiver = processors_[to.rank];
  if (!link.messages.empty() && link.messages.back().sent == now_) throw Violation{Kind::send_limit, {port}};
  if (is_full(link)) throw Violation{Kind::overflow, {port}};

  const std::uint64_t words = parcel.content.size();
  const double time =
      static_cast<double>(startups(parcel)) * scenario_.rules.beta + static_cast<double>(words) * scenario_.rules.tau;
  const double end = start(processor, link, receiver, data) + time;
  link.clock = end;
  receiver.receive_clock = end;
  link.words += words;
  link.messages.push_back({parcel, now_, end});
  sent_to_.insert(to.rank);

  ++cycle_counts_.messages;
  cycle_counts_.words += words;
  cycle_counts_.longest = std::max(cycle_counts_.longest, words);
  dearest_ = std::max(dearest_, time);
  Counts& counts = outcome_.counts;
  counts.startups += startups(parcel);
  counts.busiest_link_words = std::max(counts.busiest_link_words, link.words);
  counts.time_asynchronous = std::max(counts.time_asynchronous, end);
  Phase& phase = phases_[processor.phase];
  ++phase.counts.messages;
  phase.counts.words += words;
  phase.longest = std::max(phase.longest, words);
  phase.moved = true;
  return end;
}

void Simulation::receive(Processor& processor, Port port, Verb verb) {
  require_link(processor, port);
  if (!arrived(processor.rank, port)) throw Violation{Kind::nothing_arrived, {port}};
  auto& messages = inbound(processor.rank, port).messages;
  Message& message = *std::find_if(messages.begin(), messages.end(), [](const Message& other) { return !other.taken; });
  message.taken = true;
  processor.ready = std::max(processor.ready, message.arrival);
  processor.kept.push_back({message.parcel, message.arrival});
  note(processor, verb, port, fingerprint(message.parcel), message.arrival);
}

// ---- one processor

bool Simulation::is_due(const Processor& processor) const {
  return (processor.asked && processor.wake == now_) || woken_.contains(processor.rank);
}

bool Simulation::may_go_on(const Processor& processor) const {
  switch (processor.waiting) {
    case Waiting::cycle:
      return processor.wake <= now_;
    case Waiting::message:
      return processor.wake <= now_ && arrived(processor.rank, processor.port);
    case Waiting::any_message:
      return !arrivals(processor.rank).empty();
    case Waiting::nothing:
      return true;
    case Waiting::ended:
      break;
  }
  return false;
}

void Simulation::look_at(Processor& processor) {
  ++cycle_counts_.visited;
  if (processor.wake == now_) processor.asked = false;
  if (may_go_on(processor)) run_program(processor);
}

/// Goes on with the program until it waits or ends.
void Simulation::run_program(Processor& processor) {
  const Waiting awaited = processor.waiting;
  processor.waiting = Waiting::nothing;
  if (awaited == Waiting::cycle) {
    note(processor, processor.verb);
  } else if (awaited == Waiting::message) {
    receive(processor, processor.port, processor.verb);
  } else if (awaited == Waiting::any_message) {
    receive(processor, arrivals(processor.rank).front(), processor.verb);
  }
  while (processor.waiting == Waiting::nothing) {
    Frame& frame = processor.frames.back();
    if (frame.next < frame.program->size()) {
      perform_or_unwind(processor, (*frame.program)[frame.next++]);
      continue;
    }
    processor.frames.pop_back();
    if (processor.frames.empty()) {
      processor.waiting = Waiting::ended;
    } else {
      note(processor, Verb::call);
    }
  }
}

void Simulation::perform_or_unwind(Processor& processor, const Operation& operation) {
  try {
    perform(processor, operation);
  } catch (const Violation& violation) {
    failures_.push_back({violation.kind, now_, processor.rank, violation.ports, {}});
    unwind(processor, operation, violation.kind, violation.ports);
  } catch (const Thrown&) {
    unwind(processor, operation, Kind::exception, {});
  }
}

/// An operation threw: leaves the sub-programs up to one that catches.
void Simulation::unwind(Processor& processor, const Operation& operation, Kind kind, const std::vector<Port>& ports) {
  bool caught = operation.catches;
  Verb verb = operation.verb;
  while (!caught) {
    caught = processor.frames.back().catches;
    verb = Verb::call;
    processor.frames.pop_back();
    if (processor.frames.empty()) {
      processor.waiting = Waiting::ended;
      failures_.push_back({Kind::exception, now_, processor.rank, {}, {}});
      return;
    }
  }
  note(processor, verb, ports.empty() ? 0 : ports[0], Log::caught(static_cast<unsigned>(kind), ports.size()));
}

void Simulation::perform(Processor& processor, const Operation& operation) {
  const Rank rank = processor.rank;
  const Port port = operation.ports.empty() ? 0 : operation.ports[0];
  const Parcel parcel = make_parcel(processor.log.state, operation.blocks);
  switch (operation.verb) {
    case Verb::send:
      send(processor, {port}, parcel, processor.ready);
      return note(processor, operation.verb, port);
    case Verb::multicast:
      if (!operation.ports.empty()) send(processor, operation.ports, parcel, processor.ready);
      return note(processor, operation.verb, port);
    case Verb::forward:
      if (operation.number < processor.kept.size()) {
        const Taken message = *(processor.kept.rbegin() + static_cast<std::ptrdiff_t>(operation.number));
        send(processor, {port}, message.parcel, time_of_forward(processor, message));
      }
      return note(processor, operation.verb, port);
    case Verb::exchange:
      send(processor, {port}, parcel, processor.ready);
      sleep(processor, operation.verb, now_ + 1);
      processor.waiting = Waiting::message;
      processor.port = port;
      return;
    case Verb::message:
      require_link(processor, port);
      if (arrived(rank, port)) return receive(processor, port, operation.verb);
      processor.waiting = Waiting::message;
      processor.verb = operation.verb;
      processor.port = port;
      processor.since = now_;
      return;
    case Verb::any_message:
      if (!arrivals(rank).empty()) return receive(processor, arrivals(rank).front(), operation.verb);
      processor.waiting = Waiting::any_message;
      processor.verb = operation.verb;
      processor.since = now_;
      return;
    case Verb::receive:
      return receive(processor, port, operation.verb);
    case Verb::poll:
      if (arrived(rank, port)) return receive(processor, port, operation.verb);
      return note(processor, operation.verb, port);
    case Verb::drain:
      for (const Port from : arrivals(rank)) {
        while (arrived(rank, from)) receive(processor, from, operation.verb);
      }
      return note(processor, operation.verb);
    case Verb::look:
      return note(processor, operation.verb, port, arrived(rank, port) ? 1 : 0);
    case Verb::look_around:
      for (const Port from : arrivals(rank)) note(processor, operation.verb, from, 1);
      return note(processor, operation.verb);
    case Verb::cycle:
      return sleep(processor, operation.verb, now_ + 1);
    case Verb::until:
      if (operation.number <= now_) return note(processor, operation.verb);
      return sleep(processor, operation.verb, operation.number);
    case Verb::charge:
      processor.copied += operation.number;
      return note(processor, operation.verb);
    case Verb::hold:
      outcome_.counts.peak_words_held = std::max(outcome_.counts.peak_words_held, operation.number);
      return note(processor, operation.verb);
    case Verb::phase:
      processor.phase = operation.number;
      phases_[operation.number];
      return note(processor, operation.verb);
    case Verb::fail:
      throw Thrown{};
    case Verb::call:
      processor.frames.push_back({&operation.body, 0, operation.catches});
      return;
  }
}

void Simulation::sleep(Processor& processor, Verb verb, Cycle wake) {
  processor.waiting = Waiting::cycle;
  processor.verb = verb;
  processor.wake = wake;
  processor.asked = true;
  processor.since = now_;
}

void Simulation::note(Processor& processor, Verb verb, Port port, Word value, double arrival) {
  processor.log.add({now_, verb, port, value, arrival});
}

// ---- all processors

bool Simulation::all_ended() const { return first_running() == nobody; }

Rank Simulation::first_running() const {
  for (const Processor& processor : processors_) {
    if (processor.waiting != Waiting::ended) return processor.rank;
  }
  return nobody;
}

/// Goes to the next cycle in which a processor is to be looked at; false if there is none.
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
  if (!failures_.empty()) {
    outcome_.failure = first(failures_);
    return;
  }
  const auto names = std::count_if(phases_.begin(), phases_.end(), [](const auto& phase) { return phase.first != 0; });
  if (static_cast<std::size_t>(names) > most_phases) return fail(Kind::too_many_phases, now_, nobody);

  Counts& counts = outcome_.counts;
  std::uint64_t most_copied = 0;
  for (Processor& processor : processors_) {
    counts.copied_words += processor.copied;
    most_copied = std::max(most_copied, processor.copied);
    processor.copied = 0;
    processor.sends.clear();
    for (Link& link : links_[processor.rank]) {
      std::erase_if(link.messages, [](const Message& message) { return message.taken; });
    }
  }
  counts.time_synchronous += dearest_ + static_cast<double>(most_copied) * scenario_.rules.copy_cost;
  dearest_ = 0;
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

/// The rules that have two sides.
void Simulation::judge(Rank rank) {
  const Rules& rules = scenario_.rules;
  const std::vector<Port> received = received_on(rank);
  std::vector<Port> sent;
  std::vector<Port> both;
  for (Port port = 0; port < scenario_.ports(); ++port) {
    if (!has_link(rank, port)) continue;
    const End to = scenario_.wiring[rank][port];
    const auto& messages = inbound(to.rank, to.port).messages;
    if (messages.empty() || messages.back().sent != now_) continue;
    sent.push_back(port);
    if (std::count(received.begin(), received.end(), port) > 0) both.push_back(port);
  }
  const auto found = [&](Kind kind, const std::vector<Port>& ports) {
    failures_.push_back({kind, now_, rank, ports, {}});
  };
  if (one_port() && received.size() > 1) found(Kind::receive_limit, received);
  if (sent.empty() || received.empty()) return;
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
  // Of those that could help, the first that still runs, else the first.
  for (Port port = 0; port < scenario_.ports(); ++port) {
    if (!has_link(processor.rank, port) || (wait.port && *wait.port != port)) continue;
    const Rank rank = scenario_.wiring[processor.rank][port].rank;
    const bool ended = processors_[rank].waiting == Waiting::ended;
    if (wait.neighbour == nobody || (wait.neighbour_ended && !ended)) {
      wait.neighbour = rank;
      wait.neighbour_ended = ended;
    }
  }
  return wait;
}

/// The waits that form a cycle, from its lowest rank on: the cycle that the lowest rank leads to which leads to one. If
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
    for (Port port = 0; port < scenario_.ports(); ++port) {
      const auto& messages = inbound(rank, port).messages;
      if (messages.empty() || (earliest && *earliest <= messages.back().sent)) continue;
      earliest = messages.back().sent;
      fail(Kind::undelivered, *earliest, rank, {port});
    }
  }
}

void Simulation::finish() {
  for (Processor& processor : processors_) outcome_.notes.push_back(std::move(processor.log.notes));
  // The nameless phase is none of its own where nothing else is named, or nothing was sent in it.
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
