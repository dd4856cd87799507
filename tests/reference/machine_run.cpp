#include "machine_run.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <thread>

#include "lockstep/core/machine.hpp"
#include "lockstep/machines/omega.hpp"

namespace lockstep::reference {

// The length of a parcel for the core.
std::uint64_t words(const Parcel& parcel) { return parcel.content.size(); }
const std::vector<std::uint64_t>& blocks(const Parcel& parcel) { return parcel.blocks; }
void pack(const Parcel& parcel, ByteWriter& to) {
  lockstep::pack(parcel.content, to);
  lockstep::pack(parcel.blocks, to);
}
Parcel unpack(ByteReader& from, std::type_identity<Parcel>) {
  Parcel parcel;
  parcel.content = lockstep::unpack(from, std::type_identity<std::vector<Word>>{});
  parcel.blocks = lockstep::unpack(from, std::type_identity<std::vector<std::uint64_t>>{});
  return parcel;
}

namespace {

/// The exception that a program throws.
struct Thrown : std::runtime_error {
  Thrown() : std::runtime_error("thrown by the program") {}
};

// A machine whose messages are all one word long carries numbers, which the core treats separately.
template <class Payload>
Payload payload_of(Parcel parcel) {
  if constexpr (std::is_same_v<Payload, Parcel>) {
    return parcel;
  } else {
    return parcel.content.at(0);
  }
}
const Parcel& parcel_of(const Parcel& payload) { return payload; }
Parcel parcel_of(Word payload) { return {{payload}, {1}}; }

/// The state of a program and its sub-programs between operations.
template <class T>
struct State {
  using Payload = T;

  const Scenario& scenario;
  std::optional<std::uint64_t> pauses{};
  Log log{};
  std::vector<Message<Payload>> kept{};

  Payload make_payload(const Operation& operation) const {
    return payload_of<Payload>(make_parcel(scenario, operation, log.state));
  }
};

template <class State>
void pause(State& state) {
  if (!state.pauses) return;
  const std::uint64_t random = *state.pauses = *state.pauses * 6364136223846793005U + 1442695040888963407U;
  if (random >> 60 == 0) {
    std::this_thread::yield();
  } else if (random >> 60 < 4) {
    for (std::atomic<std::uint64_t> left = random >> 32 & 0x3ff; left > 0; --left) {
    }
  }
}

template <class Self, class State>
void note(Self& self, State& state, Verb verb, Port port = 0, Word value = 0, double arrival = 0) {
  state.log.add({self.now(), verb, port, value, arrival});
}

template <class Self, class State>
void note_taken(Self& self, State& state, Verb verb, Message<typename State::Payload> message) {
  note(self, state, verb, message.port, fingerprint(parcel_of(message.payload)), message.arrival);
  state.kept.push_back(std::move(message));
}

template <class Self, class State>
void write(Self& self, const Operation& operation, State& state) {
  std::vector<Parcel> parcels = make_parcels(state.scenario, operation, state.log.state);
  if (parcels.size() == 1) {
    return self.write(operation.ports[0], payload_of<typename State::Payload>(std::move(parcels[0])));
  }
  std::vector<std::pair<Slot, typename State::Payload>> values;
  for (std::size_t index = 0; index < parcels.size(); ++index) {
    values.emplace_back(operation.ports[index], payload_of<typename State::Payload>(std::move(parcels[index])));
  }
  self.write(std::move(values));
}

/// The operations that await nothing.
template <class Self, class State>
void act(Self& self, const Operation& operation, State& state) {
  const Port port = operation.ports.empty() ? 0 : operation.ports[0];
  const Verb verb = operation.verb;
  switch (verb) {
    case Verb::send:
      self.send(port, state.make_payload(operation));
      break;
    case Verb::multicast:
      self.send(operation.ports, state.make_payload(operation));
      break;
    case Verb::forward:
      if (operation.number < state.kept.size()) {
        Message<typename State::Payload> copy = state.kept[state.kept.size() - 1 - operation.number];
        self.forward(port, std::move(copy));
      }
      break;
    case Verb::receive:
      return note_taken(self, state, verb, self.receive(port));
    case Verb::poll:
      if (self.arrived(port)) return note_taken(self, state, verb, self.receive(port));
      break;
    case Verb::drain:
      for (const Port from : self.arrivals()) {
        while (self.arrived(from)) note_taken(self, state, verb, self.receive(from));
      }
      return note(self, state, verb);
    case Verb::look:
      return note(self, state, verb, port, self.arrived(port) ? 1 : 0);
    case Verb::look_around:
      for (const Port from : self.arrivals()) note(self, state, verb, from, 1);
      return note(self, state, verb);
    case Verb::write:
      write(self, operation, state);
      break;
    case Verb::charge:
      self.charge(operation.number);
      return note(self, state, verb);
    case Verb::compute:
      self.compute(operation.number);
      return note(self, state, verb);
    case Verb::hold:
      self.hold(operation.number);
      return note(self, state, verb);
    case Verb::phase:
      self.phase(phase_name(operation.number));
      return note(self, state, verb);
    default:
      throw Thrown();
  }
  note(self, state, verb, port);
}

Kind kind_of(ErrorKind kind) {
  const auto place = std::find(kind_names.begin(), kind_names.end(), name(kind));
  return static_cast<Kind>(place - kind_names.begin());
}

template <class Self, class State>
void note_caught(Self& self, State& state, Verb verb, Kind kind, const std::vector<Port>& ports) {
  note(self, state, verb, ports.empty() ? 0 : ports[0], Log::caught(static_cast<unsigned>(kind), ports.size()));
}

template <class Self, class State>
Process execute(Self& self, const Program& program, State& state) {
  for (const Operation& operation : program) {
    const Port port = operation.ports.empty() ? 0 : operation.ports[0];
    pause(state);
    try {
      switch (operation.verb) {
        case Verb::exchange: {
          auto payload = state.make_payload(operation);
          auto message = co_await self.exchange(port, std::move(payload));
          note_taken(self, state, operation.verb, std::move(message));
          break;
        }
        case Verb::message: {
          auto message = co_await self.message(port);
          note_taken(self, state, operation.verb, std::move(message));
          break;
        }
        case Verb::any_message: {
          auto message = co_await self.message();
          note_taken(self, state, operation.verb, std::move(message));
          break;
        }
        case Verb::read: {
          if (operation.ports.size() == 1) {
            auto value = co_await self.read(port);
            note_taken(self, state, operation.verb, std::move(value));
          } else {
            auto values = co_await self.read(operation.ports);
            for (auto& value : values) note_taken(self, state, operation.verb, std::move(value));
          }
          break;
        }
        case Verb::cycle:
          co_await self.cycle();
          note(self, state, operation.verb);
          break;
        case Verb::until:
          co_await self.until(operation.number);
          note(self, state, operation.verb);
          break;
        case Verb::call:
          co_await execute(self, operation.body, state);
          note(self, state, operation.verb);
          break;
        default:
          act(self, operation, state);
      }
    } catch (const RunError& error) {
      if (!operation.catches) throw;
      note_caught(self, state, operation.verb, kind_of(error.kind()), error.ports());
    } catch (const Thrown&) {
      if (!operation.catches) throw;
      note_caught(self, state, operation.verb, Kind::exception, {});
    }
  }
}

std::optional<Blocking> omega_of_enough_lines(Rank processors, std::span<const lockstep::Crossing> crossings) {
  return omega_blocking(std::bit_ceil(processors), crossings);
}

lockstep::Medium medium_of(const Medium& medium) {
  constexpr std::array<MediumKind, 3> kinds{MediumKind::bus, MediumKind::memory, MediumKind::crossbar};
  return {kinds.at(static_cast<std::size_t>(medium.kind)), medium.users, medium.omega ? omega_of_enough_lines : nullptr,
          medium.copies, medium.banks};
}

Topology topology_of(const Scenario& scenario) {
  if (scenario.medium) return Topology("scenario", scenario.processors(), medium_of(*scenario.medium));
  return Topology("scenario", scenario.processors(), scenario.addresses(), [&](Rank rank, Port port) {
    const End& end = scenario.wiring[rank][port];
    return end.rank == nobody ? lockstep::End{} : lockstep::End{end.rank, end.port};
  });
}

Model model_of(const Rules& rules) {
  const std::array<PortModel, 5> port_models{PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring,
                                             k_ports(rules.limit)};
  constexpr std::array<lockstep::Duplex, 3> duplexes{lockstep::Duplex::full, lockstep::Duplex::half_link,
                                                     lockstep::Duplex::half_node};
  Model model;
  model.ports = port_models.at(static_cast<std::size_t>(rules.ports));
  model.duplex = duplexes.at(static_cast<std::size_t>(rules.duplex));
  model.multicast = rules.multicast;
  model.cost = {.beta = rules.beta,
                .tau = rules.tau,
                .max_packet_words = rules.max_packet,
                .copy_cost = rules.copy_cost,
                .flop = rules.flop};
  return model;
}

Failure failure_of(const RunError& error) {
  return {kind_of(error.kind()), error.cycle(), error.rank(), error.ports(), {}};
}

Wait wait_of(const lockstep::Wait& wait) {
  Wait same{wait.rank, wait.port, wait.since, wait.neighbour, wait.neighbour_ended};
  if (wait.any_port) same.port.reset();
  return same;
}

void convert(const Report& report, Outcome& outcome) {
  outcome.counts = {report.cycles,
                    report.steps,
                    report.messages,
                    report.sends,
                    report.words,
                    report.longest_sum,
                    report.startups,
                    report.busiest_link_words,
                    report.busiest_link_messages,
                    report.peak_words_held,
                    report.copied_words,
                    report.operations,
                    report.visits,
                    report.time_synchronous,
                    report.time_asynchronous,
                    report.time_arithmetic};
  for (const lockstep::PhaseCounts& phase : report.phases) {
    outcome.phases.push_back({phase.name, phase.steps, phase.messages, phase.words, phase.longest_sum});
  }
  for (const lockstep::CycleCounts& cycle : report.per_cycle) {
    outcome.per_cycle.push_back({cycle.cycle, cycle.messages, cycle.words, cycle.longest, cycle.visited});
  }
}

template <class Payload, std::size_t Capacity>
MachineOutcome run_once(Machine<Payload, Capacity>& machine, const Scenario& scenario, const MachineOptions& chosen) {
  using Self = Processor<Payload, Capacity>;
  std::atomic<bool> stop{false};
  RunOptions options;
  options.name = "scenario";
  options.max_cycles = scenario.max_cycles;
  options.record_cycles = true;
  options.share_from = 1;
  options.oversubscribe_from = 1;
  options.stop = &stop;
  options.on_barrier = [&](const Progress& progress) {
    stop = scenario.stop_after && progress.cycle >= *scenario.stop_after;
  };

  std::vector<State<Payload>> states(scenario.programs.size(), State<Payload>{scenario});
  std::atomic<std::size_t> made{0};
  MachineOutcome result;
  try {
    const Report report = machine.run(
        [&](Self& self) {
          State<Payload>& state = states[self.rank()];
          if (chosen.pauses) state.pauses = *chosen.pauses + self.rank();
          if (++made == states.size() && chosen.when_made) chosen.when_made();
          return execute(self, scenario.programs[self.rank()], state);
        },
        options);
    result.digest = report.digest();
    convert(report, result.outcome);
  } catch (const DeadlockError& error) {
    result.outcome.failure = failure_of(error);
    for (const lockstep::Wait& wait : error.waits()) result.outcome.failure->waits.push_back(wait_of(wait));
    result.text = error.what();
    result.dot = error.dot();
  } catch (const RunError& error) {
    result.outcome.failure = failure_of(error);
    result.text = error.what();
  }
  for (auto& state : states) result.outcome.notes.push_back(std::move(state.log.notes));
  return result;
}

template <class Payload>
struct Onlooker : Observer<Payload> {
  void barrier(Cycle, std::vector<Transfer<Payload>>&) override {}
};

template <class Payload, std::size_t Capacity>
MachineOutcome run(const Scenario& scenario, Executor& executor, const MachineOptions& options) {
  const Topology topology = topology_of(scenario);
  topology.verify();
  Machine<Payload, Capacity> machine(topology, model_of(scenario.rules), executor, options.channels, options.division);
  Onlooker<Payload> onlooker;
  if (scenario.on(Shared::memory)) machine.share(scenario.medium->slots);
  if (options.observed) machine.observe(&onlooker);
  for (unsigned before = 1; before < options.runs; ++before) run_once(machine, scenario, options);
  return run_once(machine, scenario, options);
}

template <class Payload>
MachineOutcome run_with_capacity(const Scenario& scenario, Executor& executor, const MachineOptions& options) {
  switch (scenario.rules.capacity) {
    case 1:
      return run<Payload, 1>(scenario, executor, options);
    case 2:
      return run<Payload, 2>(scenario, executor, options);
    case 3:
      return run<Payload, 3>(scenario, executor, options);
    default:
      throw std::invalid_argument("a scenario has a capacity of 1, 2 or 3");
  }
}

}  // namespace

std::vector<ChannelKind> channel_kinds(const Scenario& scenario) {
  if (scenario.medium) return {ChannelKind::lockfree};
  return {ChannelKind::lockfree, ChannelKind::compact};
}

MachineOutcome run_on_machine(const Scenario& scenario, Executor& executor, const MachineOptions& options) {
  return scenario.single_words ? run_with_capacity<Word>(scenario, executor, options)
                               : run_with_capacity<Parcel>(scenario, executor, options);
}

}  // namespace lockstep::reference
