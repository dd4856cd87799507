// The rules of channels, ports and clocks, and the movement of messages.
#include <algorithm>

#include "simulation.hpp"

namespace lockstep::reference {

bool Simulation::has_link(Rank rank, Port port) const { return port < ports() && wiring_[rank][port].rank != nobody; }

void Simulation::require_link(const Processor& processor, Port port) const {
  if (scenario_.on(Shared::memory)) throw Violation{Kind::no_link, {}};
  if (!has_link(processor.rank, port)) throw Violation{Kind::no_link, {port}};
}

bool Simulation::arrived(Rank rank, Port port) const {
  if (!has_link(rank, port)) return false;
  const auto& messages = inbound(rank, port).messages;
  return std::any_of(messages.begin(), messages.end(), [this](const Message& message) { return has_arrived(message); });
}

std::vector<Port> Simulation::arrivals(Rank rank) const {
  std::vector<Port> from;
  for (Port port = 0; port < ports(); ++port) {
    if (arrived(rank, port)) from.push_back(port);
  }
  return from;
}

bool Simulation::is_full(const Link& link) const {
  // A message taken in this cycle frees its place at the barrier, so it is still in the list.
  const auto sent_before = [this](const Message& message) { return message.sent < now_; };
  const auto waiting = std::count_if(link.messages.begin(), link.messages.end(), sent_before);
  return static_cast<std::size_t>(waiting) >= scenario_.rules.capacity;
}

std::vector<Port> Simulation::received_on(Rank rank) const {
  std::vector<Port> from;
  for (Port port = 0; port < ports(); ++port) {
    for (const Message& message : inbound(rank, port).messages) {
      if (message.sent == now_) from.push_back(port);
    }
  }
  return from;
}

double Simulation::start(const Processor& sender, const Link& link, const Processor& receiver, double data) const {
  if (!sends_one() && !is_limited()) return std::max(data, link.clock);
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
  if (scenario_.medium) return transact(processor, ports, parcel, data);
  for (const Port port : ports) require_link(processor, port);
  const bool several = ports.size() > 1;
  if (several && (rules.ports == Ports::one_strict || (rules.ports == Ports::one && !rules.multicast))) {
    throw Violation{Kind::send_limit, ports};
  }
  begin_send(processor, ports);
  outcome_.counts.sends += rules.multicast ? 1 : ports.size();
  // All messages of a multicast may start at once; the next send waits for the last of them.
  double end = is_limited() ? processor.sent_until : processor.send_clock;
  for (const Port port : ports) end = std::max(end, transmit(processor, port, parcel, data));
  // Under `limited` the transfers of one cycle start together.
  (is_limited() ? processor.sent_until : processor.send_clock) = end;
}

/// One-port: only one send in a cycle. Limited: most_sends(), of which a multicast is one.
void Simulation::begin_send(Processor& processor, const std::vector<Port>& ports) {
  if (is_limited()) {
    const std::size_t more = scenario_.rules.multicast ? 1 : ports.size();
    if (processor.sends_made + more > most_sends()) throw Violation{Kind::send_limit, ports};
    processor.sends_made += more;
  }
  if (sends_one() && !processor.sends.empty()) {
    const bool other_port = processor.sends.size() == 1 && processor.sends[0] != ports[0];
    throw Violation{Kind::send_limit,
                    other_port ? std::vector<Port>{processor.sends[0], ports[0]} : std::vector<Port>{ports[0]}};
  }
  processor.sends.insert(processor.sends.end(), ports.begin(), ports.end());
}

/// Sends one message; returns when its transfer ends.
double Simulation::transmit(Processor& processor, Port port, const Parcel& parcel, double data) {
  const End to = wiring_[processor.rank][port];
  Link& link = inbound(to.rank, to.port);
  Processor& receiver = processors_[to.rank];
  if (!link.messages.empty() && link.messages.back().sent == now_) throw Violation{Kind::send_limit, {port}};
  if (is_full(link)) throw Violation{Kind::overflow, {port}};

  const std::uint64_t words = parcel.content.size();
  const double time = count_transfer(processor, words, startups(parcel));
  const double end = start(processor, link, receiver, data) + time;
  end_transfer(end);
  link.clock = end;
  double& receives = is_limited() ? receiver.received_until : receiver.receive_clock;
  receives = is_limited() ? std::max(receives, end) : end;
  link.words += words;
  link.messages.push_back({parcel, now_, end});
  sent_to_.insert(to.rank);
  outcome_.counts.busiest_link_words = std::max(outcome_.counts.busiest_link_words, link.words);
  outcome_.counts.busiest_link_messages = std::max(outcome_.counts.busiest_link_messages, ++link.sent);
  return end;
}

/// Returns how long the transfer takes.
double Simulation::count_transfer(const Processor& processor, std::uint64_t words, std::uint64_t startup_count) {
  const double time =
      static_cast<double>(startup_count) * scenario_.rules.beta + static_cast<double>(words) * scenario_.rules.tau;
  ++cycle_counts_.messages;
  cycle_counts_.words += words;
  cycle_counts_.longest = std::max(cycle_counts_.longest, words);
  costliest_ = std::max(costliest_, time);
  outcome_.counts.startups += startup_count;
  Phase& phase = phases_[processor.phase];
  ++phase.counts.messages;
  phase.counts.words += words;
  phase.longest = std::max(phase.longest, words);
  phase.moved = true;
  return time;
}

void Simulation::end_transfer(double end) {
  outcome_.counts.time_asynchronous = std::max(outcome_.counts.time_asynchronous, end);
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

}  // namespace lockstep::reference
