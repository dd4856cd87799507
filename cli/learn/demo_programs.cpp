#include "demo_code.hpp"
#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::cli::learn {
namespace {

/// The run of a program on a machine of words.
template <class Program>
Report run_of_program(const char* name, const MachineSpec& spec, const Model& model, RunObserver& observer,
                      Program program) {
  const Topology topology = build(spec);
  Machine<Word> machine(topology, model);
  PayloadObserver<Word> words(observer);
  machine.observe(&words);
  return machine.run(program, {.name = name});
}

// Ports of a path and a ring.
constexpr Port next = 0, previous = 1;

/// Passes the word of rank 0 along the path; each receiver thanks its sender, in the same cycle or in the next.
Process pass_on(Processor<Word>& self, bool thanks_later) {
  Word item = 42;
  if (self.rank() > 0) item = co_await self.message(previous);
  if (self.has_link(next)) self.send(next, item);
  if (self.rank() > 0) {
    if (thanks_later && self.has_link(next)) co_await self.cycle();
    self.send(previous, item);
  }
  if (self.has_link(next)) co_await self.message(next);
}

template <bool thanks_later>
Report run_pass_on(const MachineSpec& machine, const Model& model, RunObserver& observer) {
  return run_of_program("pass-on", machine, model, observer,
                        [](Processor<Word>& self) { return pass_on(self, thanks_later); });
}

constexpr Word items = 4;

/// Rank 0 produces an item per cycle, and rank 1 needs three cycles for each. If rank 1 answers, rank 0 waits for that.
Process produce(Processor<Word>& self, bool answers) {
  if (self.rank() == 0) {
    for (Word item = 0; item < items; ++item) {
      self.send(next, item);
      if (answers) {
        co_await self.message(next);
      } else {
        co_await self.cycle();
      }
    }
  } else {
    for (Word item = 0; item < items; ++item) {
      const Word taken = co_await self.message(previous);
      co_await self.until(self.now() + 3);
      if (answers) self.send(previous, taken);
    }
  }
}

template <bool answers>
Report run_produce(const MachineSpec& machine, const Model& model, RunObserver& observer) {
  return run_of_program("produce", machine, model, observer,
                        [](Processor<Word>& self) { return produce(self, answers); });
}

/// Every processor has a word for its successor on the ring and wants that of its predecessor.
Process greet(Processor<Word>& self, Rank senders_first) {
  if (self.rank() < senders_first) self.send(next, self.rank());
  co_await self.message(previous);
  if (self.rank() >= senders_first) self.send(next, self.rank());
}

template <Rank senders_first>
Report run_greet(const MachineSpec& machine, const Model& model, RunObserver& observer) {
  return run_of_program("greet", machine, model, observer,
                        [](Processor<Word>& self) { return greet(self, senders_first); });
}

}  // namespace

std::vector<DemoProgram> port_violation_programs() {
  const DemoProgram hurried{.name = "pass-on", .machine = "path:4", .run = run_pass_on<false>};
  DemoProgram with_all_ports = hurried, patient = hurried;
  with_all_ports.model.ports = PortModel::all;
  patient.run = run_pass_on<true>;
  return {hurried, with_all_ports, patient};
}

std::vector<DemoProgram> channel_overflow_programs() {
  return {{.name = "produce", .machine = "path:2", .run = run_produce<false>},
          {.name = "produce", .machine = "path:2", .run = run_produce<true>}};
}

std::vector<DemoProgram> deadlock_programs() {
  return {{.name = "greet", .machine = "ring:4", .run = run_greet<0>},
          {.name = "greet", .machine = "ring:4", .run = run_greet<1>},
          {.name = "greet", .machine = "ring:4", .run = run_greet<4>}};
}

}  // namespace lockstep::cli::learn
