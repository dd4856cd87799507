#include "lockstep/core/detail/network.hpp"

#include <algorithm>

#include "text/failure_text.hpp"

namespace lockstep::detail {

namespace {

std::string queue(bool on_medium) { return on_medium ? "the inbox" : "the channel"; }

}  // namespace

void Network::fail(Control& control, ErrorKind kind, std::vector<Port> ports, std::string rule) const {
  Failure failure{control.rank, kind, std::move(ports), std::move(rule), {}};
  const Cycle cycle = control.worker->now;
  const RunError error(kind, cycle, control.rank, failure.ports, text_of(ground_, cycle, failure));
  control.worker->record(std::move(failure));
  throw error;
}

void Network::fail_nothing_arrived(Control& control, Port port) {
  fail(control, ErrorKind::nothing_arrived, {port}, "receive, but no message has arrived");
}

void Network::fail_second_send(Control& control, Port port) const {
  std::vector<Port> ports{port};
  if (control.sent_port != Control::several_ports && control.sent_port != port) {
    ports.insert(ports.begin(), control.sent_port);
  }
  fail(control, ErrorKind::send_limit, std::move(ports),
       "a second send in one cycle (" + in_words(model().ports) + ": at most one send a cycle)");
}

void Network::fail_send_beyond(Control& control, std::vector<Port> ports) const {
  const std::string limit = std::to_string(port_limit(model().ports));
  fail(control, ErrorKind::send_limit, std::move(ports),
       "more than " + limit + " sends in one cycle (" + in_words(model().ports) + ": at most " + limit +
           " sends a cycle)");
}

void Network::fail_overflow(Control& control, Port port) const {
  std::string waiting = std::to_string(ground_.capacity) + (ground_.capacity == 1 ? " message" : " messages");
  if (on_medium() && !tallies_.empty()) waiting = "too many messages";  // for as many more as a cycle may bring
  fail(control, ErrorKind::overflow, {port},
       queue(on_medium()) + " is full: " + waiting + " sent before this cycle " +
           (ground_.capacity == 1 && tallies_.empty() ? "was" : "were") + " not taken");
}

void Network::fail_link_down(Control& control, Port port, Rank peer) const {
  const FaultTable& faults = *ground_.faults;
  const bool of_processor = faults.fails(peer) <= control.worker->now;
  const Cycle since = of_processor ? faults.fails(peer) : faults.fails(control.rank, peer);
  fail(control, ErrorKind::link_down, {port},
       (of_processor ? "rank " + std::to_string(peer) + " failed in cycle "
                     : "the link to rank " + std::to_string(peer) + " failed in cycle ") +
           std::to_string(since));
}

bool Network::is_up(const Control& control, Port port) const {
  if (!has_link(control.rank, port)) return false;
  return !ground_.faults || control.worker->now < ground_.faults->fails(control.rank, peer_of(control.rank, port));
}

void Network::record_overflow(Worker& recorder, Rank sender, Port port) const {
  recorder.record({sender,
                   ErrorKind::overflow,
                   {port},
                   "more is delivered than " + queue(on_medium()) + " holds (" + std::to_string(ground_.capacity) + ")",
                   {}});
}

void Network::charged(Control& control, double start, std::uint64_t, double CostModel::*) {
  if (control.ready_time > start) control.worker->charges.push_back({control.rank, start, control.ready_time});
}

void Network::write(Control& control, std::span<const Slot>, std::span<void* const>) {
  fail(control, ErrorKind::no_link, {}, "the machine has no shared memory");
}

void Network::read(Control& control, std::span<const Slot>) {
  fail(control, ErrorKind::no_link, {}, "the machine has no shared memory");
}

void Network::take_values(Control&, std::size_t, const TakeValue&) {}

}  // namespace lockstep::detail
