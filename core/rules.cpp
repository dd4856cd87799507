// The rules of the machine: what a sender alone can break is refused at once, what needs both sides is judged at the
// barrier.
#include <algorithm>

#include "list_ports.hpp"
#include "lockstep/core/engine.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::detail {

namespace {

constexpr std::size_t most_of_exception = 400;  // characters

std::string queue(bool on_medium) { return on_medium ? "the inbox" : "the channel"; }

}  // namespace

std::string list_ports(std::span<const Port> ports) {
  std::string text;
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0) text += index + 1 == ports.size() ? " and " : ", ";
    text += std::to_string(ports[index]);
  }
  return text;
}

std::string Engine::text_of(Cycle cycle, const Failure& failure) const {
  std::string text = name_ + ": cycle " + std::to_string(cycle) + ", rank " + std::to_string(failure.rank);
  if (!failure.ports.empty()) {
    std::string port_name = "port";
    if (on_medium_) port_name = topology_.medium()->kind == MediumKind::memory ? "slot" : "peer";
    text += ", " + port_name + (failure.ports.size() == 1 ? " " : "s ") + list_ports(failure.ports);
  }
  return text + ": " + failure.rule;
}

void Engine::fail(Control& control, ErrorKind kind, std::vector<Port> ports, std::string rule) {
  Failure failure{control.rank, kind, std::move(ports), std::move(rule), {}};
  const RunError error(kind, control.worker->now, control.rank, failure.ports, text_of(control.worker->now, failure));
  control.worker->record(std::move(failure));
  throw error;
}

void Engine::fail_no_link(Control& control, Port port) {
  std::string rule = "the port has no link";
  if (port >= topology_.ports()) {
    rule = topology_.ports() == 0 ? "there is no such port: the machine has none"
                                  : "there is no such port: they are 0 to " + std::to_string(topology_.ports() - 1);
  }
  fail(control, ErrorKind::no_link, {port}, std::move(rule));
}

void Engine::fail_nothing_arrived(Control& control, Port port) {
  fail(control, ErrorKind::nothing_arrived, {port}, "receive, but no message has arrived");
}

void Engine::fail_second_send(Control& control, Port port) {
  std::vector<Port> ports{port};
  if (control.sent_port != Control::several_ports && control.sent_port != port)
    ports.insert(ports.begin(), control.sent_port);
  fail(control, ErrorKind::send_limit, std::move(ports),
       "a second send in one cycle (--ports " + std::string(name(model_.ports)) + ": at most one send a cycle)");
}

void Engine::begin_multicast(Control& control, std::span<const Port> ports) {
  for (const Port port : ports) outlet(control, port);
  if (ports.size() == 1) return begin_send(*control.worker, control, ports.front());
  const std::vector<Port> all(ports.begin(), ports.end());
  const Stamp now = control.worker->stamp;
  if (model_.ports == PortModel::one && !model_.multicast) {
    fail(control, ErrorKind::send_limit, all,
         "one send on several ports (--ports one without --multicast: one port a cycle)");
  }
  if (model_.ports == PortModel::one_strict) {
    fail(control, ErrorKind::send_limit, all, "one send on several ports (--ports one-strict: one port a cycle)");
  }
  if (control.last_send == now && model_.ports != PortModel::all) fail_second_send(control, ports.front());
  control.last_send = now;
  control.sent_port = Control::several_ports;
  if (model_.multicast) control.worker->saved_sends += ports.size() - 1;
}

void Engine::fail_port_used(Control& control, Port port) {
  fail(control, ErrorKind::send_limit, {port},
       "a second message on one port in one cycle (one message a port and direction)");
}

void Engine::fail_overflow(Control& control, Port port, std::size_t capacity) {
  fail(control, ErrorKind::overflow, {port},
       queue(on_medium_) + " is full: " + std::to_string(capacity) +
           (capacity == 1 ? " message sent before this cycle was not taken"
                          : " messages sent before this cycle were not taken"));
}

void Engine::record_overflow(Rank sender, Port port, std::size_t capacity) {
  workers_[0].record(
      {sender,
       ErrorKind::overflow,
       {port},
       "the observer delivers more than " + queue(on_medium_) + " holds (" + std::to_string(capacity) + ")",
       {}});
}

std::vector<Port> Engine::ports_received_on(Rank rank) const {
  std::vector<Port> ports;
  for (Port port = 0; port < topology_.ports(); ++port) {
    const Sent sent = flows_[topology_.slot(rank, port)].sent.load(std::memory_order_relaxed);
    if (sent.latest() == workers_[0].stamp) ports.push_back(port);
  }
  return ports;
}

bool Engine::sent_on(Rank rank, Port port) const {
  const End to = topology_.peer(rank, port);
  if (!to) return false;
  return flows_[topology_.slot(to.rank, to.port)].sent.load(std::memory_order_relaxed).latest() == workers_[0].stamp;
}

void Engine::judge() {
  if (on_medium_) return judge_medium();
  // Every message marks its receiver, so two to one receiver leave fewer receivers than messages.
  const bool received_twice = model_.ports != PortModel::all && receivers_ != moved_;
  const bool two_sided = model_.ports == PortModel::one_strict || model_.duplex != Duplex::full;
  if (moved_ == 0 || !(received_twice || two_sided)) return;
  for (const Visits& group : visits_) {
    for (std::uint64_t ranks = group.ranks; ranks != 0; ranks &= ranks - 1) {
      judge_receiver(group.group * 64 + static_cast<Rank>(std::countr_zero(ranks)));
    }
  }
}

void Engine::judge_receiver(Rank rank) {
  const std::vector<Port> received = ports_received_on(rank);
  if (received.empty()) return;
  Worker& recorder = workers_[0];
  if (model_.ports != PortModel::all && received.size() > 1) {
    recorder.record({rank,
                     ErrorKind::receive_limit,
                     received,
                     std::to_string(received.size()) + " messages sent to one processor in one cycle (--ports " +
                         std::string(name(model_.ports)) + ": at most one receive a cycle)",
                     {}});
  }
  if (control(rank).last_send != workers_[0].stamp) return;

  std::vector<Port> sent;
  std::vector<Port> both;
  for (Port port = 0; port < topology_.ports(); ++port) {
    if (!sent_on(rank, port)) continue;
    sent.push_back(port);
    if (std::find(received.begin(), received.end(), port) != received.end()) both.push_back(port);
  }
  if (model_.ports == PortModel::one_strict && sent != received) {
    recorder.record({rank,
                     ErrorKind::one_strict,
                     received,
                     "received there, but sent on port " + list_ports(sent) +
                         " in the same cycle (--ports one-strict: both on one port)",
                     {}});
  }
  if (model_.duplex == Duplex::half_link && !both.empty()) {
    recorder.record({rank,
                     ErrorKind::half_link,
                     both,
                     "sent and received over one link in one cycle (--duplex half-link: one direction a cycle)",
                     {}});
  }
  if (model_.duplex == Duplex::half_node) {
    recorder.record({rank,
                     ErrorKind::half_node,
                     received,
                     "received there, but sent on port " + list_ports(sent) +
                         " in the same cycle (--duplex half-node: either send or receive)",
                     {}});
  }
}

void Engine::throw_failure() {
  std::optional<Failure> first;
  for (Worker& worker : active_) {
    if (worker.failure && (!first || worker.failure->before(*first))) first = std::move(worker.failure);
  }
  if (!first) return;
  const Cycle cycle = workers_[0].now;
  if (first->kind != ErrorKind::exception) {
    throw RunError(first->kind, cycle, first->rank, first->ports, text_of(cycle, *first));
  }
  first->rule = "the program threw an exception of unknown type";
  try {
    std::rethrow_exception(first->cause);
  } catch (const std::exception& exception) {
    first->rule = "the program threw: " + printable(exception.what(), most_of_exception);
  } catch (...) {
  }
  throw ProgramError(cycle, first->rank, text_of(cycle, *first), first->cause);
}

}  // namespace lockstep::detail
