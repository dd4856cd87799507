// The rules of media: inboxes, kstar, slots, networks and the clock of the medium.
#include <algorithm>
#include <map>
#include <set>

#include "simulation.hpp"

namespace lockstep::reference {

bool Simulation::inbox_is_full(Rank rank) const {
  // One inbox for the messages of all senders; a message taken in this cycle frees its place at the barrier.
  std::size_t waiting = 0;
  for (const Link& from : links_[rank]) {
    for (const Message& message : from.messages) waiting += message.sent < now_ ? 1U : 0U;
  }
  const std::size_t others = std::max<std::size_t>(processors_.size() - 1, 1);
  const std::size_t in_a_cycle = is_limited() ? std::min<std::size_t>(scenario_.rules.limit, others) : 1;
  return waiting + in_a_cycle > scenario_.rules.capacity * in_a_cycle;
}

Port Simulation::first_arrival(Rank rank) const { return arrivals(rank).front(); }

const Simulation::Value* Simulation::content(Port slot) const {
  const auto& values = slots_[slot];
  const auto latest =
      std::find_if(values.rbegin(), values.rend(), [this](const Value& value) { return value.written < now_; });
  return latest == values.rend() ? nullptr : &*latest;
}

double Simulation::medium_clock() const { return scenario_.on(Shared::crossbar) ? 0 : ended_; }

double Simulation::start_of_transaction(const Processor& sender, const std::vector<Rank>& receivers,
                                        double data) const {
  double start = std::max({sender.send_clock, data, medium_clock()});
  for (const Rank receiver : receivers) start = std::max(start, processors_[receiver].receive_clock);
  return start;
}

/// Several parcels are gathered into one block.
std::uint64_t Simulation::startups_of_access(const std::vector<Parcel>& parcels) const {
  if (parcels.size() == 1) return startups(parcels[0]);
  std::uint64_t words = 0;
  for (const Parcel& parcel : parcels) words += parcel.content.size();
  return startups({{}, {words}});
}

/// A send on a bus or a crossbar.
void Simulation::transact(Processor& processor, const std::vector<Rank>& receivers, const Parcel& parcel, double data) {
  for (const Rank receiver : receivers) require_link(processor, receiver);
  const bool connects_pairs = scenario_.on(Shared::crossbar) && !scenario_.medium->copies;
  if (receivers.size() > 1 && (connects_pairs || !scenario_.rules.multicast)) {
    throw Violation{Kind::send_limit, receivers};
  }
  begin_send(processor, receivers);
  for (const Rank receiver : receivers) {  // under `limited`
    const auto& messages = inbound(receiver, processor.rank).messages;
    if (!messages.empty() && messages.back().sent == now_) throw Violation{Kind::send_limit, {receiver}};
  }
  ++outcome_.counts.sends;
  const double start = start_of_transaction(processor, receivers, data);
  const double end = start + count_transfer(processor, parcel.content.size(), startups(parcel));
  end_transfer(end);
  double& sends = is_limited() ? processor.sent_until : processor.send_clock;
  sends = std::max(sends, end);
  for (const Rank receiver : receivers) {
    if (inbox_is_full(receiver)) throw Violation{Kind::overflow, {receiver}};
    inbound(receiver, processor.rank).messages.push_back({parcel, now_, end});
    double& receives = is_limited() ? processors_[receiver].received_until : processors_[receiver].receive_clock;
    receives = std::max(receives, end);
    sent_to_.insert(receiver);
  }
}

void Simulation::begin_access(Processor& processor, const std::vector<Port>& slots) {
  if (!scenario_.on(Shared::memory)) throw Violation{Kind::no_link, {}};
  for (const Port slot : slots) {
    if (slot >= slots_.size()) throw Violation{Kind::no_link, {slot}};
  }
  if (!processor.sends.empty()) throw Violation{Kind::send_limit, slots};
  processor.sends = slots;
}

/// Returns when the access ends, to the slots that processor.sends names.
double Simulation::access(Processor& processor, const std::vector<Parcel>& parcels, double data) {
  processor.accesses = processor.sends;
  std::uint64_t words = 0;
  for (const Parcel& parcel : parcels) words += parcel.content.size();
  ++outcome_.counts.sends;
  const double start = std::max({processor.send_clock, data, medium_clock()});
  processor.send_clock = start + count_transfer(processor, words, startups_of_access(parcels));
  end_transfer(processor.send_clock);
  return processor.send_clock;
}

void Simulation::write(Processor& processor, const Operation& operation) {
  begin_access(processor, operation.ports);
  const std::vector<Parcel> parcels = make_parcels(scenario_, operation, processor.log.state);
  const double end = access(processor, parcels, processor.ready);
  for (std::size_t index = 0; index < parcels.size(); ++index) {
    slots_[operation.ports[index]].push_back({processor.rank, now_, parcels[index], end});
  }
}

/// Finds the values in the slots now; the processor gets them in the next cycle.
void Simulation::read(Processor& processor, const std::vector<Port>& slots) {
  begin_access(processor, slots);
  processor.reads = slots;
  processor.values.clear();
  std::vector<Parcel> parcels;
  double ready = 0;
  for (const Port slot : slots) {
    const Value* value = content(slot);
    if (value == nullptr) throw Violation{Kind::nothing_arrived, {slot}};
    processor.values.push_back({value->parcel, value->arrival});
    parcels.push_back(value->parcel);
    ready = std::max(ready, value->arrival);
  }
  const double end = access(processor, parcels, ready);
  for (Taken& value : processor.values) value.arrival = end;
}

void Simulation::take_values(Processor& processor) {
  for (std::size_t index = 0; index < processor.reads.size(); ++index) {
    const Taken& value = processor.values[index];
    processor.ready = std::max(processor.ready, value.arrival);
    processor.kept.push_back(value);
    note(processor, processor.verb, processor.reads[index], fingerprint(value.parcel), value.arrival);
  }
}

std::optional<Failure> Simulation::both_ways(Rank rank, const std::vector<Rank>& senders) const {
  if (scenario_.rules.duplex == Duplex::full) return std::nullopt;
  const Kind kind = scenario_.rules.duplex == Duplex::half_link ? Kind::half_link : Kind::half_node;
  return Failure{kind, now_, rank, {senders.front()}, {}};
}

std::optional<Failure> Simulation::blocked(const std::vector<Crossing>& crossings) const {
  const auto first = first_blocked(scenario_.processors(), crossings);
  if (!first) return std::nullopt;
  return Failure{Kind::blocked, now_, first->from, {first->to}, {}};
}

/// The lowest processor with access to the bank in this cycle, if there are several.
std::optional<Failure> Simulation::bank_in_use(Port bank) const {
  std::map<Rank, std::set<Port>> slots;
  for (const Processor& processor : processors_) {
    for (const Port slot : processor.accesses) {
      if (slot % scenario_.medium->banks == bank) slots[processor.rank].insert(slot);
    }
  }
  if (slots.size() < 2) return std::nullopt;
  const auto& [rank, own] = *slots.begin();
  return Failure{Kind::bank_conflict, now_, rank, {own.begin(), own.end()}, {}};
}

std::optional<Failure> Simulation::written_by_several(Port slot) const {
  std::vector<Rank> writers;
  for (const Value& value : slots_[slot]) {
    if (value.written == now_) writers.push_back(value.writer);
  }
  if (writers.size() < 2) return std::nullopt;
  return Failure{Kind::write_conflict, now_, *std::min_element(writers.begin(), writers.end()), {slot}, {}};
}

/// The rules that concern more than one processor.
void Simulation::judge_medium() {
  std::vector<Rank> senders;
  for (const Processor& processor : processors_) {
    if (!processor.sends.empty()) senders.push_back(processor.rank);
  }
  if (!scenario_.on(Shared::crossbar) && senders.size() > users()) {
    failures_.push_back({Kind::medium_limit, now_, senders[users()], {}, {}});
  }
  for (Port slot = 0; slot < slots_.size(); ++slot) {
    const auto failure = written_by_several(slot);
    if (failure) failures_.push_back(*failure);
  }
  for (Port bank = 0; bank < scenario_.medium->banks; ++bank) {
    const auto failure = bank_in_use(bank);
    if (failure) failures_.push_back(*failure);
  }
  if (!scenario_.medium->omega) return;
  // Where two messages go to one processor, no set of paths through the network exists.
  std::vector<Crossing> crossings;
  std::set<Rank> receivers;
  for (Rank to = 0; to < ports(); ++to) {
    for (const Rank from : received_on(to)) {
      crossings.push_back({from, to});
      if (!receivers.insert(to).second) return;
    }
  }
  std::sort(crossings.begin(), crossings.end(),
            [](const Crossing& a, const Crossing& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  const auto failure = blocked(crossings);
  if (failure) failures_.push_back(*failure);
}

}  // namespace lockstep::reference
