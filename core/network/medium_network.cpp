#include "network/medium_network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "lockstep/core/observer.hpp"
#include "text/failure_text.hpp"

namespace lockstep::detail {

namespace {

/// A copy of a payload, on the stack.
class CopyOf {
 public:
  CopyOf(const PayloadOperations& payload, const void* original)
      : payload_(payload), memory_(::operator new (payload.bytes, std::align_val_t{payload.alignment})) {
    payload.copy(memory_, original);
  }
  CopyOf(const CopyOf&) = delete;
  CopyOf& operator=(const CopyOf&) = delete;
  ~CopyOf() {
    if (payload_.destroy != nullptr) payload_.destroy(memory_);
    ::operator delete (memory_, std::align_val_t{payload_.alignment});
  }
  void* get() const { return memory_; }

 private:
  const PayloadOperations& payload_;
  void* memory_;
};

}  // namespace

HeldValue::HeldValue(const PayloadOperations& payload, Slot of, double arrives)
    : slot(of),
      arrival(arrives),
      memory_(::operator new (payload.bytes, std::align_val_t{payload.alignment}),
              Free{std::align_val_t{payload.alignment}}) {}

MediumNetwork::MediumNetwork(Ground& ground)
    : Network(ground),
      medium_(*ground.topology.medium()),
      receive_clock_(ground.topology.processors()),
      slots_(ground.topology.processors()) {
  if (is_memory()) return;
  const Rank processors = ground.topology.processors();
  const std::size_t in_a_cycle = most_receipts(processors, ground.model.ports);
  inboxes_ = Inboxes(processors, ground.capacity * in_a_cycle, in_a_cycle);
  letters_.emplace(inboxes_.places(), ground.payload);
}

std::uint64_t MediumNetwork::bytes(std::uint64_t processors, std::uint64_t memory_slots, std::size_t capacity,
                                   const PayloadOperations& payload) {
  constexpr std::uint64_t of_deque = 512 + 64 + 32;  // of libstdc++, while it is empty
  const std::uint64_t readers = memory_slots == 0 ? 0 : processors * (sizeof(Reader) + of_deque);
  return readers + processors * sizeof(double) + Inboxes::bytes(processors, capacity) +
         Letters::bytes(processors * capacity, payload) + SharedMemory::bytes(memory_slots, payload);
}

// Bus and switch.

bool MediumNetwork::has_link(Rank rank, Port port) const {
  return !is_memory() && port < ground_.topology.processors() && port != rank;
}

void MediumNetwork::require_peer(Control& control, Rank peer) const {
  if (has_link(control.rank, peer)) return;
  if (is_memory()) fail(control, ErrorKind::no_link, {}, "processors that share a memory write and read its slots");
  fail(control, ErrorKind::no_link, {peer},
       "no other processor has this rank: the ranks are 0 to " + std::to_string(ground_.topology.processors() - 1));
}

void MediumNetwork::send(Control& control, Port port, Passed passed, double data_time) {
  void* const payload = ground_.payload.as_bits ? &passed : std::bit_cast<void*>(passed);
  post(control, port, payload, begin_transaction(control, {&port, 1}, payload, data_time));
}

void MediumNetwork::exchange(Control& control, Port port, Passed payload) {
  send(control, port, payload, control.ready_time);
  continue_next_cycle(*control.worker, control);
  suspend(control, Waiting::message);
  control.waiting_port = port;
}

void MediumNetwork::multicast(Control& control, std::span<const Port> on, const void* payload, double data_time) {
  const double arrival = begin_transaction(control, on, payload, data_time);
  for (const Rank peer : on) post(control, peer, CopyOf(ground_.payload, payload).get(), arrival);
}

std::vector<Port> MediumNetwork::ports_sent_on(const Control& control) const {
  std::vector<Port> peers;
  if (tallies_.empty()) return peers;
  const std::vector<Crossing>& crossings = control.worker->crossings;
  for (auto last = crossings.rbegin(); last != crossings.rend() && last->from == control.rank; ++last) {
    peers.push_back(last->to);
  }
  return peers;
}

void MediumNetwork::count_send(Control& control, std::span<const Rank> to) {
  const bool first = control.last_send != control.worker->stamp;
  if (tallies_.empty()) {
    if (!first) fail_second_send(control, to.front());
    return;
  }
  if (!tallies_.count_sends(control, first)) fail_send_beyond(control, {to.front()});
  if (std::ranges::count(ports_sent_on(control), to.front()) > 0) {
    fail(control, ErrorKind::send_limit, {to.front()},
         "a second message to one processor in one cycle (one message a pair and direction)");
  }
}

double MediumNetwork::begin_transaction(Control& control, std::span<const Rank> to, const void* payload,
                                        double data_time) {
  for (const Rank peer : to) {
    require_peer(control, peer);
    if (!is_up(control, peer)) fail_link_down(control, peer, peer);
  }
  const std::vector<Rank> all(to.begin(), to.end());
  if (to.size() > 1 && medium_.kind == MediumKind::crossbar && !medium_.copies) {
    fail(control, ErrorKind::send_limit, all, "one send to several processors (a switch connects each with one)");
  }
  if (to.size() > 1 && !model().multicast) {
    fail(control, ErrorKind::send_limit, all, "one send to several processors (no multicast)");
  }
  count_send(control, to);
  control.last_send = control.worker->stamp;
  control.sent_port = to.size() == 1 ? to.front() : Control::several_ports;

  // All receive it at the same time. Two senders reach one receiver only in a run that ends at this barrier.
  double start = std::max({control.send_clock, data_time, clock_});
  for (const Rank peer : to) {
    start = std::max(start, AtomicRef<double>(receive_clock_[peer]).load(std::memory_order_relaxed));
  }
  if (!tallies_.empty()) start = tallies_.start(control, to.front(), data_time);
  const double end =
      count_transfer(control, ground_.payload.words(payload), ground_.payload.startups(payload, model().cost), start);
  if (!tallies_.empty()) {
    tallies_.book_send(control.rank, end);
    return end;
  }
  for (const Rank peer : to) AtomicRef<double>(receive_clock_[peer]).store(end, std::memory_order_relaxed);
  control.send_clock = end;
  return end;
}

double MediumNetwork::count_transfer(const Control& control, std::uint64_t words, std::uint64_t startup_count,
                                     double start) const {
  Worker& worker = *control.worker;
  ++worker.messages[control.phase];
  Tally& tally = worker.phases[control.phase];
  tally.words += words;
  tally.longest = std::max(tally.longest, words);
  worker.extra_startups += startup_count - 1;
  const double time = model().cost.time(startup_count, words);
  worker.costliest = std::max(worker.costliest, time);
  const double end = start + time * slowness(control.rank);
  worker.latest_arrival = std::max(worker.latest_arrival, end);
  return end;
}

/// Delivers the message of a transaction to one of its receivers.
void MediumNetwork::post(Control& control, Rank to, void* payload, double arrival) {
  Worker& worker = *control.worker;
  if (inboxes_.was_full(to, worker.stamp)) fail_overflow(control, to);
  ++worker.delivered;
  worker.crossings.push_back({control.rank, to});
  marks_.mark_received(to);
  if (claim(to, arrival, worker.stamp)) {
    letters_->put(inboxes_.fill(to, control.rank, worker.stamp), payload, arrival);
  } else {
    worker.collided = true;
  }
}

bool MediumNetwork::expect(Control& control, Port port) {
  require_peer(control, port);
  control.waiting_port = port;
  return arrived(control, port);
}

bool MediumNetwork::arrived(const Control& control, Port port) const {
  return has_link(control.rank, port) &&
         inboxes_.arrived(control.rank, port, control.worker->stamp) != Inboxes::nowhere;
}

Port MediumNetwork::next_arrival(const Control& control, Port from) const {
  if (is_memory()) return sources();
  return std::min(inboxes_.first_sender(control.rank, from, control.worker->stamp), sources());
}

Taken MediumNetwork::take(Control& control) {
  const std::size_t place = inboxes_.arrived(control.rank, control.waiting_port, control.worker->stamp);
  ++control.worker->taken;
  inboxes_.empty(place, control.worker->stamp);
  Passed payload = 0;
  if (ground_.payload.as_bits) {
    std::memcpy(&payload, letters_->payload(place), ground_.payload.bytes);
  } else {
    payload = reinterpret_cast<Passed>(letters_->payload(place));
  }
  return {payload, letters_->arrival(place)};
}

bool MediumNetwork::is_there(const Control& control) const {
  if (control.waiting == Waiting::values) return readers_[control.rank].values.size() >= control.waiting_values;
  if (control.waiting == Waiting::any_message) return next_arrival(control, 0) != sources();
  return arrived(control, control.waiting_port);
}

// Memory.

void MediumNetwork::begin_access(Control& control, std::span<const Slot> slots) const {
  if (!is_memory()) fail(control, ErrorKind::no_link, {}, "the machine has no shared memory");
  for (const Slot slot : slots) {
    if (slot >= memory_->slots()) {
      fail(control, ErrorKind::no_link, {slot},
           "there is no such slot: they are 0 to " + std::to_string(memory_->slots() - 1));
    }
  }
  if (control.last_send == control.worker->stamp) {
    fail(control, ErrorKind::send_limit, {slots.begin(), slots.end()}, "a second access to the memory in one cycle");
  }
  control.last_send = control.worker->stamp;
}

double MediumNetwork::end_access(Control& control, std::uint64_t words, std::uint64_t startup_count, double data_time) {
  const double start = std::max({control.send_clock, data_time, clock_});
  return control.send_clock = count_transfer(control, words, startup_count, start);
}

void MediumNetwork::write(Control& control, std::span<const Slot> slots, std::span<void* const> payloads) {
  begin_access(control, slots);
  std::uint64_t length = 0;
  for (const void* payload : payloads) length += ground_.payload.words(payload);
  const CostModel& cost = model().cost;
  const std::uint64_t startup_count =
      payloads.size() == 1 ? ground_.payload.startups(payloads.front(), cost) : cost.startups(length);
  const double end = end_access(control, length, startup_count, control.ready_time);
  Worker& worker = *control.worker;
  for (std::size_t index = 0; index < slots.size(); ++index) {
    worker.crossings.push_back({control.rank, slots[index]});
    if (memory_->claim(slots[index], worker.stamp)) {
      memory_->write(slots[index], worker.stamp, payloads[index], end);
    } else {
      worker.collided = true;
    }
  }
}

void MediumNetwork::read(Control& control, std::span<const Slot> slots) {
  begin_access(control, slots);
  Worker& worker = *control.worker;
  const CostModel& cost = model().cost;
  std::vector<std::size_t> places;
  std::uint64_t length = 0;
  std::uint64_t startup_count = 0;
  double ready = 0;
  for (const Slot slot : slots) {
    const std::size_t place = memory_->newest(slot, worker.stamp);
    if (place == SharedMemory::nowhere) {
      count_transfer(control, 0, 1, 0);  // an access all the same: kstar includes it
      fail(control, ErrorKind::nothing_arrived, {slot}, "read, but it was not written before this cycle");
    }
    const void* value = memory_->values().payload(place);
    length += ground_.payload.words(value);
    startup_count = slots.size() == 1 ? ground_.payload.startups(value, cost) : cost.startups(length);
    ready = std::max(ready, memory_->values().arrival(place));
    places.push_back(place);
  }
  const double end = end_access(control, length, startup_count, ready);
  worker.delivered += slots.size();
  worker.readers.push_back(control.rank);
  Reader& reader = readers_[control.rank];
  reader.fresh = slots.size();
  for (std::size_t index = 0; index < slots.size(); ++index) {
    HeldValue value(ground_.payload, slots[index], end);
    ground_.payload.copy(value.payload(), memory_->values().payload(places[index]));
    reader.values.push_back(std::move(value));
  }
}

void MediumNetwork::take_values(Control& control, std::size_t count, const TakeValue& take) {
  std::deque<HeldValue>& values = readers_[control.rank].values;
  for (std::size_t taken = 0; taken < count; ++taken) {
    const HeldValue value = std::move(values.front());
    values.pop_front();
    ++control.worker->taken;
    take({value.payload(), value.slot, value.arrival});
  }
}

// The barrier.

void MediumNetwork::reset(Executor&) {
  clock_ = 0;
  read_elsewhere_.clear();
  std::fill(receive_clock_.begin(), receive_clock_.end(), 0.0);
  if (is_memory()) {
    memory_.emplace(slots_, ground_.payload);
    readers_ = std::vector<Reader>(ground_.topology.processors());
  } else {
    inboxes_.clear();
  }
}

std::uint64_t MediumNetwork::lose(Rank rank, Stamp now) {
  std::uint64_t messages = 0;
  if (is_memory()) {
    std::deque<HeldValue>& values = readers_[rank].values;
    for (const HeldValue& value : values) destroy(value.payload());
    messages = values.size();
    values.clear();
    return messages;
  }
  inboxes_.for_occupied(rank, [&](std::size_t place, Rank, Stamp) {
    letters_->destroy(place);
    inboxes_.empty(place, now);
    ++messages;
  });
  return messages;
}

void MediumNetwork::clear() {
  if (is_memory()) {
    if (!memory_) return;
    memory_->clear();
    for (Reader& reader : readers_) {
      for (const HeldValue& value : reader.values) destroy(value.payload());
      reader.values.clear();
    }
    return;
  }
  inboxes_.for_occupied([&](std::size_t place, Rank owner, Rank, Stamp) {
    if (is_here(ground_.division, owner)) letters_->destroy(place);
  });
  inboxes_.clear();
}

std::vector<Crossing> MediumNetwork::crossings(std::span<const Worker> workers) {
  std::vector<Crossing> all;
  for (const Worker& worker : workers) all.insert(all.end(), worker.crossings.begin(), worker.crossings.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Crossing> MediumNetwork::accesses(std::span<const Worker> workers) const {
  std::vector<Crossing> all = crossings(workers);
  for (const auto& some : {reads(workers), read_elsewhere_}) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Crossing> MediumNetwork::reads(std::span<const Worker> workers) const {
  std::vector<Crossing> all;
  for (const Worker& worker : workers) {
    for (const Rank rank : worker.readers) {
      const Reader& reader = readers_[rank];
      const auto fresh = static_cast<std::ptrdiff_t>(reader.fresh);
      std::for_each(reader.values.end() - fresh, reader.values.end(), [&](const HeldValue& value) {
        all.push_back({rank, value.slot});
      });
    }
  }
  return all;
}

std::vector<Sent> MediumNetwork::sent(std::span<const Worker> workers, std::span<const Rank>, Stamp) const {
  std::vector<Sent> all;
  for (const Crossing& crossing : crossings(workers)) {
    const End to = is_memory() ? End{memory_rank, crossing.to} : End{crossing.to, crossing.from};
    all.push_back({crossing.from, crossing.to, to});
  }
  std::vector<Rank> ranks;
  for (const Worker& worker : workers) ranks.insert(ranks.end(), worker.readers.begin(), worker.readers.end());
  std::sort(ranks.begin(), ranks.end());
  for (const Rank rank : ranks) {
    const Reader& reader = readers_[rank];
    for (std::size_t index = reader.values.size() - reader.fresh; index < reader.values.size(); ++index) {
      const Slot slot = reader.values[index].slot;
      all.push_back({memory_rank, slot, {rank, slot}});
    }
  }
  return all;
}

double MediumNetwork::take_back(const Sent& sent, Stamp now, void* into) {
  const auto move_out = [&](void* payload) {
    ground_.payload.move(into, payload);
    destroy(payload);
  };
  if (sent.from == memory_rank) {
    Reader& reader = readers_[sent.to.rank];
    const auto first = reader.values.end() - static_cast<std::ptrdiff_t>(reader.fresh--);
    const double arrival = first->arrival;
    move_out(first->payload());
    reader.values.erase(first);
    return arrival;
  }
  if (is_memory()) {
    const std::size_t place = memory_->written_in(sent.port, now);
    move_out(memory_->values().payload(place));
    memory_->forget(place);
    return memory_->values().arrival(place);
  }
  const std::size_t place = inboxes_.filled_by(sent.to.rank, sent.from, now);
  move_out(letters_->payload(place));
  inboxes_.forget(place);
  return letters_->arrival(place);
}

void MediumNetwork::deliver(Worker& recorder, Rank sender, Port, End to, void* payload, double arrival) {
  const Stamp now = recorder.stamp;
  if (is_memory() && to.rank == memory_rank && to.port < memory_->slots()) {
    if (memory_->written_in(to.port, now) != SharedMemory::nowhere) {
      return recorder.record(
          {sender, ErrorKind::write_conflict, {to.port}, "two values are delivered to it in one cycle", {}});
    }
    return memory_->write(to.port, now, payload, arrival);
  }
  if (to.rank >= ground_.topology.processors()) {
    throw std::out_of_range("an observer sends a message to a processor or slot that does not exist");
  }
  if (is_gone(to.rank, now)) return;
  if (is_memory()) {
    HeldValue value(ground_.payload, to.port, arrival);
    ground_.payload.move(value.payload(), payload);
    readers_[to.rank].values.push_back(std::move(value));
  } else {
    const std::size_t place = inboxes_.fill_late(to.rank, to.port, now);
    if (place == Inboxes::nowhere) return record_overflow(recorder, sender, to.rank);
    letters_->put(place, payload, arrival);
  }
  ++recorder.delivered;
  marks_.mark_again(to.rank);
}

void MediumNetwork::end_cycle(std::span<const Worker> workers) {
  if (medium_.kind == MediumKind::crossbar) return;
  for (const Worker& worker : workers) clock_ = std::max(clock_, worker.latest_arrival);
}

MediumNetwork::Undelivered MediumNetwork::first_undelivered() const {
  Undelivered first{no_rank, no_rank, ~Stamp{0}};
  if (is_memory()) {
    first.rank = 0;
    while (first.rank < readers_.size() && readers_[first.rank].values.empty()) ++first.rank;
    return first;
  }
  inboxes_.for_occupied([&](std::size_t, Rank owner, Rank from, Stamp filled_in) {
    if (filled_in < first.sent) first = {owner, from, filled_in};
  });
  return first;
}

}  // namespace lockstep::detail
