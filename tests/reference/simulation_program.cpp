// One processor: continues its program, operation by operation, until it waits or ends.
#include <algorithm>

#include "simulation.hpp"

namespace lockstep::reference {

bool Simulation::is_due(const Processor& processor) const {
  return (processor.asked && processor.wake == now_) || woken_.contains(processor.rank);
}

bool Simulation::may_go_on(const Processor& processor) const {
  switch (processor.waiting) {
    case Waiting::cycle:
      return processor.wake <= now_;
    case Waiting::message:
      return processor.wake <= now_ && arrived(processor.rank, processor.port);
    case Waiting::values:
      return processor.wake <= now_;
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

/// Continues the program until it waits or ends.
void Simulation::run_program(Processor& processor) {
  const Waiting awaited = processor.waiting;
  processor.waiting = Waiting::nothing;
  if (awaited == Waiting::cycle) {
    note(processor, processor.verb);
  } else if (awaited == Waiting::message) {
    receive(processor, processor.port, processor.verb);
  } else if (awaited == Waiting::any_message) {
    receive(processor, first_arrival(processor.rank), processor.verb);
  } else if (awaited == Waiting::values) {
    take_values(processor);
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
  const Parcel parcel = make_parcel(scenario_, operation, processor.log.state);
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
      if (!arrivals(rank).empty()) return receive(processor, first_arrival(rank), operation.verb);
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
    case Verb::write:
      write(processor, operation);
      return note(processor, operation.verb, port);
    case Verb::read:
      read(processor, operation.ports);
      sleep(processor, operation.verb, now_ + 1);
      processor.waiting = Waiting::values;
      return;
    case Verb::cycle:
      return sleep(processor, operation.verb, now_ + 1);
    case Verb::until:
      if (operation.number <= now_) return note(processor, operation.verb);
      return sleep(processor, operation.verb, operation.number);
    case Verb::charge:
      processor.copied += operation.number;
      processor.ready = end_of_copy(processor, operation.number);
      worked_until_ = std::max(worked_until_, processor.ready);
      return note(processor, operation.verb);
    case Verb::compute:
      processor.computed += operation.number;
      processor.ready = end_of_arithmetic(processor, operation.number);
      worked_until_ = std::max(worked_until_, processor.ready);
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

}  // namespace lockstep::reference
