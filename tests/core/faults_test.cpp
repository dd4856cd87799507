// Faults of a machine: links and processors that fail, stragglers, and messages that an observer holds back.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::faults_test {
namespace {

using runs::Counted;
using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;
using runs::on_every_executor_and_channel;
using runs::options;

using Self = Processor<Word>;

/// Sends its rank along the path's links to the right in every cycle before `last` while they are up, and records what
/// arrives from the left.
Process stream(Self& self, Cycle last, std::vector<Word>& came) {
  const Counted alive;
  const Port right = 0;
  const Port left = 1;
  while (self.now() <= last) {
    if (self.arrived(left)) came.push_back((co_await self.message(left)).payload);
    if (self.now() < last && self.is_up(right)) self.send(right, self.now());
    co_await self.cycle();
  }
}

/// What arrived at each rank of a path of three in four cycles of streaming, with these faults.
std::vector<std::vector<Word>> streamed(Executor& executor, ChannelKind channels, const Faults& faults,
                                        Report* report = nullptr, PortModel ports = PortModel::one) {
  const Topology path = wirings::path(3);
  Machine<Word> machine(path, {.ports = ports}, executor, channels);
  machine.apply(faults);
  std::vector<std::vector<Word>> came(3);
  const Report found = machine.run([&](Self& self) { return stream(self, 4, came[self.rank()]); }, options());
  if (report != nullptr) *report = found;
  EXPECT_EQ(Counted::alive, 0);
  return came;
}

using Came = std::vector<std::vector<Word>>;

TEST(Faults, ALinkCarriesNothingFromItsCycleOn) {
  on_every_executor_and_channel(3, [](Executor& executor, ChannelKind channels) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      EXPECT_EQ(streamed(executor, channels, {}, nullptr, ports), (Came{{}, {0, 1, 2, 3}, {0, 1, 2, 3}}));
      for (Cycle from = 0; from <= 5; ++from) {
        std::vector<Word> before;
        for (Cycle cycle = 0; cycle < std::min<Cycle>(from, 4); ++cycle) before.push_back(cycle);
        EXPECT_EQ(streamed(executor, channels, {.links = {{0, 1, from}}}, nullptr, ports),
                  (Came{{}, before, {0, 1, 2, 3}}));
        EXPECT_EQ(streamed(executor, channels, {.links = {{2, 1, from}}}, nullptr, ports),
                  (Came{{}, {0, 1, 2, 3}, before}));
      }
    }
  });
}

TEST(Faults, OfSeveralOfOneLinkTheEarliestCounts) {
  const auto executor = make_executor(ExecutorKind::sequential);
  const Faults faults{.links = {{0, 1, 3}, {1, 0, 1}, {0, 1, 2}}};
  EXPECT_EQ(streamed(*executor, ChannelKind::compact, faults), (Came{{}, {0}, {0, 1, 2, 3}}));
}

TEST(Faults, AProcessorStopsWithWhatItHasNotTaken) {
  on_every_executor_and_channel(3, [](Executor& executor, ChannelKind channels) {
    Report report;
    // Rank 1 fails in cycle 2: it has sent twice, and the message that rank 0 sends in cycle 1 comes too late.
    EXPECT_EQ(streamed(executor, channels, {.processors = {{1, 2}}}, &report), (Came{{}, {0}, {0, 1}}));
    EXPECT_EQ(report.lost, std::vector<Rank>{1});
    EXPECT_EQ(report.messages, 4U);
    // Before the run begins, and after it has ended.
    EXPECT_EQ(streamed(executor, channels, {.processors = {{1, 0}}}, &report), (Came{{}, {}, {}}));
    EXPECT_EQ(report.lost, std::vector<Rank>{1});
    EXPECT_EQ(streamed(executor, channels, {.processors = {{1, 99}}}, &report), (Came{{}, {0, 1, 2, 3}, {0, 1, 2, 3}}));
    EXPECT_EQ(report.lost, std::vector<Rank>{});
  });
}

/// Sends in that cycle, even if the link is down.
Process send_in(Self& self, Rank sender, Port port, Cycle cycle) {
  co_await self.until(cycle);
  if (self.rank() == sender) self.send(port, 7);
  co_await self.until(cycle + 1);
  for (const Port from : self.arrivals()) self.receive(from);
}

RunError failed(const Topology& topology, const Faults& faults, Rank sender, Port port, Cycle cycle,
                PortModel ports = PortModel::one) {
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<Word> machine(topology, {.ports = ports}, *executor);
  machine.apply(faults);
  return failure_of(machine, [=](Self& self) { return send_in(self, sender, port, cycle); });
}

TEST(Faults, ASendOverAFailedLinkIsAnError) {
  const Topology cube = wirings::cube(3);
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    expect_failure(
        failed(cube, {.links = {{5, 1, 2}}}, 1, 2, 4, ports),
        {ErrorKind::link_down, 4, 1, {2}, "test: cycle 4, rank 1, port 2: the link to rank 5 failed in cycle 2"});
    expect_failure(failed(cube, {.processors = {{5, 3}}}, 1, 2, 3, ports),
                   {ErrorKind::link_down, 3, 1, {2}, "test: cycle 3, rank 1, port 2: rank 5 failed in cycle 3"});
  }
  expect_failure(failed(wirings::crossbar(4), {.processors = {{2, 1}}}, 0, 2, 1),
                 {ErrorKind::link_down, 1, 0, {2}, "test: cycle 1, rank 0, peer 2: rank 2 failed in cycle 1"});
}

Process send_on_two_ports(Self& self) {
  const std::vector<Port> both{0, 1};
  if (self.rank() == 0) self.send(both, 3);
  co_await self.cycle();
  for (const Port port : self.arrivals()) self.receive(port);
}

TEST(Faults, AMulticastMeetsThemToo) {
  const Topology cube = wirings::cube(2);
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<Word> machine(cube, {.ports = PortModel::all, .multicast = true}, *executor);
  machine.apply({.links = {{0, 2, 0}}});
  EXPECT_EQ(failure_of(machine, send_on_two_ports).kind(), ErrorKind::link_down);
}

/// Rank 0 waits for rank 1, which sleeps.
Process wait_for_a_sleeper(Self& self, Cycle until) {
  const Counted alive;
  if (self.rank() == 0) co_await self.message(0);
  if (self.rank() == 1) co_await self.until(until);
  if (self.rank() == 1) self.send(1, 1);
}

TEST(Faults, WhoWaitsForAFailedProcessorIsInADeadlock) {
  on_every_executor_and_channel(2, [](Executor& executor, ChannelKind channels) {
    const Topology path = wirings::path(2);
    Machine<Word> machine(path, {}, executor, channels);
    machine.apply({.processors = {{1, 50}}});
    const auto error = failure_of<DeadlockError>(machine, [](Self& self) { return wait_for_a_sleeper(self, 1000); });
    EXPECT_EQ(error.cycle(), 50U);
    ASSERT_EQ(error.waits().size(), 1U);
    EXPECT_EQ(error.waits().front().rank, 0U);
    EXPECT_TRUE(error.waits().front().neighbour_ended);
    EXPECT_EQ(error.waits().front().neighbour_failed, 50U);
    EXPECT_STREQ(error.what(),
                 "test: deadlock in cycle 50: rank 0 waits on port 0 for rank 1 since cycle 0, which failed in cycle "
                 "50");
    EXPECT_EQ(Counted::alive, 0);
    machine.apply({.processors = {{0, 50}}});  // its receiver
    EXPECT_EQ(failure_of(machine, [](Self& self) { return wait_for_a_sleeper(self, 1000); }).kind(),
              ErrorKind::link_down);
    machine.apply({.processors = {{0, 50}, {1, 51}}});
    const Report report = machine.run([](Self& self) { return wait_for_a_sleeper(self, 1000); }, options());
    EXPECT_EQ(report.lost, (std::vector<Rank>{0, 1}));
    EXPECT_EQ(report.messages, 0U);
    machine.apply({});
    EXPECT_EQ(machine.run([](Self& self) { return wait_for_a_sleeper(self, 1000); }, options()).messages, 1U);
  });
}

using Words = std::vector<Word>;

/// Ranks 1 and 2 send to rank 0, one after the other.
Process send_to_a_sleeper(Processor<Words>& self) {
  co_await self.until(self.rank());
  if (self.rank() != 0) self.send(0, Words(100, self.rank()));
  if (self.rank() == 0) co_await self.until(9);
}

/// Two messages to rank 0 of a star, or of a switch, wait there when it fails.
TEST(Faults, WhatWaitsForAFailedProcessorIsLost) {
  for (const bool on_medium : {false, true}) {
    on_every_executor_and_channel(1, [on_medium](Executor& executor, ChannelKind channels) {
      const Topology topology = on_medium ? wirings::crossbar(3) : wirings::star(2);
      Machine<Words> machine(topology, {}, executor, channels);
      machine.apply({.processors = {{0, 3}}});
      const Report report = machine.run(send_to_a_sleeper, options());
      EXPECT_EQ(report.messages, 2U);
      EXPECT_EQ(report.lost, std::vector<Rank>{0});
    });
  }
}

/// From left to right, each with a copy of two words.
Process pass_on(Self& self) {
  Word word = 1;
  if (self.rank() > 0) word = co_await self.message(1);
  self.charge(2);
  if (self.rank() < 3) self.send(0, word);
}

TEST(Faults, AStragglerTakesItsTimeOnTheAsynchronousClock) {
  // 0 to 1 to 2 to 3: a message of one word takes 5.
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    const Topology path = wirings::path(4);
    const auto executor = make_executor(ExecutorKind::sequential);
    Model model{.ports = ports};
    model.cost = {.beta = 3, .tau = 2, .copy_cost = 0.5};
    Machine<Word> machine(path, model, *executor);
    const Report before = machine.run(pass_on, options());
    EXPECT_DOUBLE_EQ(before.time_asynchronous, 3 * 5 + 4 * 1);
    machine.apply({.stragglers = {{1, 10}}});
    const Report report = machine.run(pass_on, options());
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 5 + 50 + 5 + 1 + 10 + 1 + 1);
    EXPECT_DOUBLE_EQ(report.time_synchronous, before.time_synchronous);
    EXPECT_EQ(report.cycles, before.cycles);
  }
}

Process send_twice(Self& self) {
  if (self.rank() == 0) self.send(0, 1);
  co_await self.cycle();
  if (self.rank() == 0) self.send(0, 2);
  if (self.rank() == 1) self.receive(1);
  co_await self.cycle();
  if (self.rank() == 1) self.receive(1);
}

TEST(Faults, APortOfAStragglerIsBusyAllTheTime) {
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    const Topology path = wirings::path(2);
    const auto executor = make_executor(ExecutorKind::sequential);
    Machine<Word> machine(path, {.ports = ports, .cost = {.beta = 3, .tau = 2}}, *executor);
    machine.apply({.stragglers = {{0, 10}}});
    EXPECT_DOUBLE_EQ(machine.run(send_twice, options()).time_asynchronous, 50 + 50);
  }
}

TEST(Faults, OnAMediumAStragglerDoesSoToo) {
  const Topology crossbar = wirings::crossbar(3);
  const auto executor = make_executor(ExecutorKind::sequential);
  Model model;
  model.cost = {.beta = 3, .tau = 2};
  Machine<Word> machine(crossbar, model, *executor);
  machine.apply({.stragglers = {{0, 0.5}}});
  const Report report = machine.run([](Self& self) { return send_in(self, 0, 2, 1); }, options());
  EXPECT_DOUBLE_EQ(report.time_asynchronous, 2.5);
}

/// Holds back all messages of one cycle and delivers them in another.
struct Delay : Observer<Word> {
  Cycle from = 0;
  Cycle to = 0;
  std::vector<Transfer<Word>> kept{};
  std::vector<Cycle> called{};

  void barrier(Cycle cycle, std::vector<Transfer<Word>>& transfers) override {
    called.push_back(cycle);
    if (cycle == from) std::swap(kept, transfers);
    if (cycle != to) return;
    transfers.insert(transfers.end(), kept.begin(), kept.end());
    kept.clear();
  }
  bool holds_messages() const override { return !kept.empty(); }
};

/// Rank 0 sends to rank 1, which records when the message arrives.
Process send_once(Self& self, Port out, Port in, Cycle& came) {
  if (self.rank() == 0) {
    self.send(out, 5);
    co_return;
  }
  const Word word = co_await self.message(in);
  EXPECT_EQ(word, 5U);
  came = self.now();
}

TEST(Faults, AnObserverMayKeepMessagesForLater) {
  for (const bool on_medium : {false, true}) {
    on_every_executor_and_channel(2, [on_medium](Executor& executor, ChannelKind channels) {
      const Topology topology = on_medium ? wirings::crossbar(2) : wirings::path(2);
      Machine<Word> machine(topology, {}, executor, channels);
      Delay delay;
      delay.from = 0;
      delay.to = 4;
      machine.observe(&delay);
      const Port out = on_medium ? 1 : 0;
      const Port in = 1 - out;
      Cycle came = 0;
      const Report report = machine.run([&](Self& self) { return send_once(self, out, in, came); }, options());
      EXPECT_EQ(came, 5U);
      EXPECT_EQ(report.messages, 1U);
      EXPECT_EQ(delay.called, (std::vector<Cycle>{0, 1, 2, 3, 4}));
    });
  }
}

/// Rank 0 sends to rank 1, which sleeps, and stays until the message has been held back and delivered.
Process send_and_stay(Self& self, Port out) {
  if (self.rank() == 0) self.send(out, 5);
  co_await self.until(6);
}

void expect_lost_on_the_way(const Topology& topology, Port out, Cycle failed) {
  on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(topology, {}, executor, channels);
    machine.apply({.processors = {{1, failed}}});
    Delay delay;
    delay.from = 0;
    delay.to = 4;
    machine.observe(&delay);
    const Report report = machine.run([out](Self& self) { return send_and_stay(self, out); }, options());
    EXPECT_EQ(delay.called.back(), 4U);
    EXPECT_EQ(report.lost, std::vector<Rank>{1});
  });
}

TEST(Faults, WhatAnObserverHandsToAFailedProcessorIsLost) {
  for (const Cycle failed : {2U, 4U, 5U}) {  // while the message is held back, as it is delivered, and as it arrives
    expect_lost_on_the_way(wirings::path(2), 0, failed);
    expect_lost_on_the_way(wirings::crossbar(2), 1, failed);
  }
}

TEST(Faults, OfSeveralProcessorsComeInTheirOrder) {
  on_every_executor_and_channel(2, [](Executor& executor, ChannelKind channels) {
    // Rank 2 fails before any message of rank 1 reaches it, rank 0 after three sends.
    Report report;
    EXPECT_EQ(streamed(executor, channels, {.processors = {{0, 3}, {2, 1}}}, &report), (Came{{}, {0, 1, 2}, {}}));
    EXPECT_EQ(report.lost, (std::vector<Rank>{2, 0}));
  });
}

/// In every cycle from the first on, rank 0 reads how many programs of other ranks hold something.
Process look_around(Self& self, std::vector<int>& alive) {
  for (int cycle = 0; cycle < 3; ++cycle) {
    co_await self.cycle();
    alive.push_back(Counted::alive);
  }
}

Process hold_until(Self& self, Cycle cycle) {
  const Counted held;
  co_await self.until(cycle);
}

TEST(Faults, OfAProcessorDestroyItsProgramInTheirCycle) {
  const Topology path = wirings::path(2);
  on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(path, {}, executor, channels);
    machine.apply({.processors = {{1, 2}}});
    std::vector<int> alive;
    machine.run([&](Self& self) { return self.rank() == 0 ? look_around(self, alive) : hold_until(self, 9); },
                options());
    EXPECT_EQ(alive, (std::vector<int>{1, 0, 0}));
  });
}

Process wait_for_the_other(Self& self) { co_await self.message(self.rank() == 0 ? 0 : 1); }

TEST(Faults, InTheLastCycleOfARunComeYetAndLaterOnesNot) {
  const Topology path = wirings::path(2);
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<Word> machine(path, {}, *executor);
  machine.apply({.processors = {{1, 50}}});
  RunOptions chosen = options();
  for (const Cycle limit : {50U, 49U}) {
    chosen.max_cycles = limit;
    const auto error = failure_of<DeadlockError>(machine, wait_for_the_other, chosen);
    EXPECT_EQ(error.cycle(), limit == 50 ? 50U : 0U);
    EXPECT_EQ(error.waits().size(), limit == 50 ? 1U : 2U);
  }
}

std::string refused(const Topology& topology, const Faults& faults) {
  try {
    verify(faults, topology);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Faults, ThoseOfWhatIsNotThereAreRefused) {
  const Topology path = wirings::path(3);
  EXPECT_EQ(refused(path, {.links = {{0, 1, 0}, {2, 1, 9}}, .processors = {{2, 4}}, .stragglers = {{0, 0.1}}}), "");
  EXPECT_EQ(refused(path, {.links = {{0, 2, 0}}}), "path has no link between ranks 0 and 2");
  EXPECT_EQ(refused(path, {.links = {{0, 3, 0}}}), "path has no rank 3: they are 0 to 2");
  EXPECT_EQ(refused(path, {.processors = {{7, 0}}}), "path has no rank 7: they are 0 to 2");
  EXPECT_EQ(refused(path, {.stragglers = {{3, 2}}}), "path has no rank 3: they are 0 to 2");
  for (const double factor : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_EQ(refused(path, {.stragglers = {{1, factor}}}), "the factor of a straggler must be a positive number");
  }
  EXPECT_EQ(refused(wirings::crossbar(3), {.links = {{0, 1, 0}}}), "switch has no links that could fail");
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<Word> machine(path, {}, *executor);
  EXPECT_THROW(machine.apply({.links = {{0, 2, 0}}}), std::invalid_argument);
}

/// Rank 0 ends at once, the others sleep for a while.
Process end_early(Self& self) {
  if (self.rank() > 0) co_await self.until(9);
}

TEST(Faults, AProcessorThatHasEndedMayFailToo) {
  const Topology path = wirings::path(3);
  on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(path, {}, executor, channels);
    machine.apply({.processors = {{0, 5}}});
    EXPECT_EQ(machine.run(end_early, options()).lost, std::vector<Rank>{0});
  });
}

/// Rank 1 writes slot 0, which rank 0 begins to read in cycle 1.
Process read_and_fail(Processor<Words>& self) {
  const Counted alive;
  if (self.rank() == 1) self.write(0, Words(100, 1));
  co_await self.cycle();
  if (self.rank() == 0) co_await self.read(0);
}

TEST(Faults, ValuesThatAFailedProcessorHasReadAreLost) {
  const Topology memory = wirings::memory(2, 2);
  on_every_executor(2, [&](Executor& executor) {
    Machine<Words> machine(memory, {}, executor);
    machine.apply({.processors = {{0, 2}}});
    const Report report = machine.run(read_and_fail, options());
    EXPECT_EQ(report.lost, std::vector<Rank>{0});
    EXPECT_EQ(report.messages, 2U);  // the write, and the read that never completes
    EXPECT_EQ(Counted::alive, 0);
  });
}

}  // namespace
}  // namespace lockstep::faults_test
