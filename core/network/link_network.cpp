#include "lockstep/core/detail/link_network.hpp"

#include <cstring>
#include <stdexcept>

#include "text/failure_text.hpp"

namespace lockstep::detail {

LinkNetwork::LinkNetwork(Ground& ground, std::size_t record_bytes, PortUse use)
    : Network(ground),
      ranks_(ground.topology.processors()),
      ports_(ground.topology.ports()),
      peers_(ground.topology.peers_.data()),
      record_bytes_(record_bytes),
      records_(ground.topology.slots() * record_bytes),
      receive_clock_(use == PortUse::one ? ranks_ : 0),
      used_(ground.topology.slots() / chunk + 1) {}

std::uint64_t LinkNetwork::bytes_of_clocks(std::uint64_t processors, PortModel ports) {
  const bool one_port = !sends_on_several_ports(ports) && !is_k_ports(ports);
  return PortTallies::bytes(processors, ports) + (one_port ? processors * sizeof(double) : 0);
}

std::uint64_t LinkNetwork::bytes(std::uint64_t links, std::size_t record_bytes) {
  return links * record_bytes + links / chunk + 1;
}

bool LinkNetwork::expect(Control& control, Port port) {
  outlet(control, port);
  control.waiting_port = port;
  control.waiting_link = &link(slot(control.rank, port));
  return has_arrived(control.waiting_link->first(), control.worker->stamp);
}

bool LinkNetwork::arrived(const Control& control, Port port) const {
  return port < ports_ && has_arrived(link(slot(control.rank, port)).first(), control.worker->stamp);
}

Port LinkNetwork::next_arrival(const Control& control, Port from) const {
  Port port = from;
  while (port < ports_ && !arrived(control, port)) ++port;
  return port;
}

End LinkNetwork::outlet(Control& control, Port port) const {
  const End to = port < ports_ ? topology().peer(control.rank, port) : End{};
  if (!to) fail_no_link(control, port);
  return to;
}

double LinkNetwork::latest_arrival() const {
  const double* const clocks = receive_clock_.data();
  return receive_clock_.size() == 0 ? tallies_.latest_end() : *std::max_element(clocks, clocks + receive_clock_.size());
}

void LinkNetwork::fail_no_link(Control& control, Port port) const {
  std::string rule = "the port has no link";
  if (port >= ports_) {
    rule = ports_ == 0 ? "there is no such port: the machine has none"
                       : "there is no such port: they are 0 to " + std::to_string(ports_ - 1);
  }
  fail(control, ErrorKind::no_link, {port}, std::move(rule));
}

void LinkNetwork::refuse(Control& control, Port port) const {
  outlet(control, port);
  if (is_k_ports(model().ports)) fail_send_beyond(control, {port});
  fail_second_send(control, port);
}

End LinkNetwork::make_ready(Control& control, Port port) {
  if (!has_link(control.rank, port)) {  // no send at all
    if (is_k_ports(model().ports)) --control.sends;
    if (!sends_on_several_ports(model().ports) && control.sends == 0) control.last_send = 0;
  }
  const End to = outlet(control, port);
  if (ground_.faults) {
    if (!is_up(control, port)) fail_link_down(control, port, to.rank);
    const std::size_t own = slot(control.rank, port);
    if (!ground_.faults->concern(control.rank, to.rank)) {
      (*unfailing_)[own].store(topology().peers_[own].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
  }
  LinkHead& head = link(slot(to.rank, to.port));
  const Stamp now = control.worker->stamp;
  if (was_used(head, now)) fail_port_used(control, port);
  const Place place = head.place(head.next_in).load(std::memory_order_relaxed);
  if (place == 0) {
    begin(head);
  } else if (!is_free(place, now)) {
    fail_overflow(control, port);
  }
  return to;
}

void LinkNetwork::fail_port_used(Control& control, Port port) const {
  fail(control, ErrorKind::send_limit, {port},
       "a second message on one port in one cycle (one message a port and direction)");
}

void LinkNetwork::begin_multicast(Control& control, std::span<const Port> ports) {
  for (const Port port : ports) outlet(control, port);
  const std::vector<Port> all(ports.begin(), ports.end());
  const Model& rules = model();
  const bool several = ports.size() > 1;
  if (several && rules.ports == PortModel::one && !rules.multicast) {
    fail(control, ErrorKind::send_limit, all,
         "one send on several ports (" + in_words(rules.ports) + " without multicast: one port a cycle)");
  }
  if (several && rules.ports == PortModel::one_strict) {
    fail(control, ErrorKind::send_limit, all,
         "one send on several ports (" + in_words(rules.ports) + ": one port a cycle)");
  }
  const bool first = control.last_send != control.worker->stamp;
  if (is_k_ports(rules.ports)) {
    if (!tallies_.count_sends(control, first, rules.multicast ? 1 : ports.size())) fail_send_beyond(control, all);
  } else if (!first && !sends_on_several_ports(rules.ports)) {
    fail_second_send(control, ports.front());
  }
  control.last_send = control.worker->stamp;
  control.sent_port = several ? Control::several_ports : ports.front();
  if (rules.multicast) control.worker->saved_sends += ports.size() - 1;
}

void LinkNetwork::begin(LinkHead& head) {
  const auto slot = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&head) - records_.data()) / record_bytes_;
  AtomicRef<std::uint8_t>(used_[slot / chunk]).store(1, std::memory_order_relaxed);
  begin_channel(head);
  for (std::size_t place = 0; place < ground_.capacity * place_bytes; place += place_bytes) {
    head.place(place).store(empty(0), std::memory_order_relaxed);
  }
}

template <class Visit>
void LinkNetwork::for_used(Visit&& visit) const {
  const std::size_t slots = ground_.topology.slots();
  for (std::size_t part = 0; part < used_.size(); ++part) {
    if (used_[part] == 0) continue;
    for (std::size_t slot = part * chunk; slot < std::min(slots, (part + 1) * chunk); ++slot) visit(slot, link(slot));
  }
}

void LinkNetwork::reset(Executor& executor) {
  executor.for_ranges(used_.size(), [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      if (std::exchange(used_[part], 0) == 0) continue;
      const std::size_t from = part * chunk * record_bytes_;
      std::memset(records_.data() + from, 0, std::min(chunk * record_bytes_, records_.size() - from));
    }
  });
  if (receive_clock_.size() > 0) {
    executor.for_ranges(ranks_, [&](unsigned, std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank) {
        if (receive_clock_[rank] != 0) receive_clock_[rank] = 0;  // untouched pages stay untouched
      }
    });
  }
}

void LinkNetwork::clear() {
  if (ground_.payload.destroy == nullptr) return;
  for_used([&](std::size_t slot, const LinkHead&) {
    if (is_here(ground_.division, static_cast<Rank>(slot % ranks_))) drain(link(slot), 0);  // the others have left
  });
}

std::uint64_t LinkNetwork::drain(LinkHead& head, Stamp now) {
  std::uint64_t messages = 0;
  for (; is_filled(head.first()); ++messages) {
    destroy(head, head.next_out);
    head.place(head.next_out).store(empty(now), std::memory_order_relaxed);
    head.next_out = after(head.next_out);
  }
  return messages;
}

void LinkNetwork::faults_changed() {
  unfailing_.reset();
  peers_ = topology().peers_.data();
  if (!ground_.faults) return;
  peers_ = unfailing_.emplace(topology().slots()).data();
}

std::uint64_t LinkNetwork::lose(Rank rank, Stamp now) {
  std::uint64_t messages = 0;
  for (Port port = 0; port < ports_; ++port) messages += drain(link(slot(rank, port)), now);
  return messages;
}

std::vector<Sent> LinkNetwork::sent(std::span<const Worker>, std::span<const Rank> senders, Stamp now) const {
  std::vector<Sent> all;
  for (const Rank rank : senders) {
    for (Port port = 0; port < ports_; ++port) {
      if (sent_on(rank, port, now)) all.push_back({rank, port, topology().peer(rank, port)});
    }
  }
  return all;
}

double LinkNetwork::take_back(const Sent& sent, Stamp, void* into) {
  LinkHead& head = link(slot(sent.to.rank, sent.to.port));
  const std::size_t place = before(head.next_in);
  head.next_in = static_cast<std::uint16_t>(place);
  head.place(place).store(empty(0), std::memory_order_relaxed);
  return take_newest(head, place, into);
}

void LinkNetwork::deliver(Worker& recorder, Rank sender, Port port, End to, void* payload, double arrival) {
  if (to.rank >= ranks_ || to.port >= ports_) {
    throw std::out_of_range("an observer sends a message to a processor or port that does not exist");
  }
  if (is_gone(to.rank, recorder.stamp)) return;
  LinkHead& head = link(slot(to.rank, to.port));
  const std::size_t place = head.next_in;
  const Place state = head.place(place).load(std::memory_order_relaxed);
  if (is_filled(state)) return record_overflow(recorder, sender, port);
  if (state == 0) begin(head);
  put(head, place, payload, arrival);
  head.next_in = after(place);
  head.place(place).store(filled(recorder.stamp), std::memory_order_relaxed);
  ++recorder.delivered;
  marks_.mark_again(to.rank);
}

double LinkNetwork::lift(End to, void* into) {
  LinkHead& head = link(slot(to.rank, to.port));
  return take_newest(head, before(head.next_in), into);
}

std::uint32_t LinkNetwork::emptied(End to, Stamp now) const {
  const LinkHead& head = link(slot(to.rank, to.port));
  std::uint32_t count = 0;
  for (std::size_t place = 0; place < ground_.capacity * place_bytes; place += place_bytes) {
    if (head.place(place).load(std::memory_order_relaxed) == empty(now)) ++count;
  }
  return count;
}

void LinkNetwork::free_places(End to, std::uint32_t count, Stamp now) {
  LinkHead& head = link(slot(to.rank, to.port));
  for (; count > 0; --count) {
    if (!is_filled(head.place(head.next_out).load(std::memory_order_relaxed))) {
      throw std::runtime_error("more messages were taken in another process than were sent there");
    }
    head.place(head.next_out).store(empty(now), std::memory_order_relaxed);
    head.next_out = after(head.next_out);
  }
}

void LinkNetwork::arrive(End to, void* payload, double arrival, Stamp now) {
  LinkHead& head = link(slot(to.rank, to.port));
  const std::size_t place = head.next_in;
  const Place state = head.place(place).load(std::memory_order_relaxed);
  if (is_filled(state)) {
    if (ground_.payload.destroy != nullptr) ground_.payload.destroy(payload);
    throw std::runtime_error("another process sent more messages than there is room for");
  }
  if (state == 0) begin(head);
  put(head, place, payload, arrival);
  if (ground_.payload.destroy != nullptr) ground_.payload.destroy(payload);
  head.next_in = after(place);
  head.place(place).store(filled(now), std::memory_order_relaxed);
  marks_.mark_received(to.rank);
}

std::vector<Port> LinkNetwork::ports_sent_on(const Control& control) const {
  std::vector<Port> ports;
  for (Port port = 0; port < ports_; ++port) {
    if (sent_on(control.rank, port, control.worker->stamp)) ports.push_back(port);
  }
  return ports;
}

std::vector<Port> LinkNetwork::received_on(Rank rank, Stamp now) const {
  std::vector<Port> ports;
  for (Port port = 0; port < ports_; ++port) {
    if (was_used(link(slot(rank, port)), now)) ports.push_back(port);
  }
  return ports;
}

bool LinkNetwork::sent_on(Rank rank, Port port, Stamp now) const {
  const End to = topology().peer(rank, port);
  return to && was_used(link(slot(to.rank, to.port)), now);
}

LinkNetwork::Undelivered LinkNetwork::first_undelivered() const {
  Undelivered first{no_rank, 0, ~Stamp{0}, 0};
  for_used([&](std::size_t slot, const LinkHead& head) {
    std::size_t messages = 0;
    for (std::size_t place = 0; place < ground_.capacity * place_bytes; place += place_bytes) {
      if (is_filled(head.place(place).load(std::memory_order_relaxed))) ++messages;
    }
    if (messages == 0 || !is_here(ground_.division, static_cast<Rank>(slot % ranks_))) return;
    const Stamp latest = sent_in(head.place(before(head.next_in)).load(std::memory_order_relaxed));
    const auto rank = static_cast<Rank>(slot % ranks_);
    const auto port = static_cast<Port>(slot / ranks_);
    if (std::tuple(latest, rank, port) < std::tuple(first.sent, first.rank, first.port)) {
      first = {rank, port, latest, messages};
    }
  });
  return first;
}

}  // namespace lockstep::detail
