// Every payload is destroyed exactly once: none is alive after any end of a run.
#include <memory>

#include "../threaded_processes.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::ownership_test {
namespace {

using runs::Counted;
using runs::failure_of;
using runs::on_every_executor;
using runs::on_every_executor_and_channel;
using runs::options;

/// A payload that can be copied, as shared memory and multicasts need. A moved-from payload must be destroyed, too.
struct Shared {
  Shared() { ++Counted::alive; }
  Shared(const Shared&) noexcept { ++Counted::alive; }
  Shared& operator=(const Shared&) = default;
  ~Shared() { --Counted::alive; }
};
std::uint64_t words(const Shared&) { return 1; }
[[maybe_unused]] void pack(const Shared&, ByteWriter& to) { to.put(std::uint8_t{1}); }
[[maybe_unused]] Shared unpack(ByteReader& from, std::type_identity<Shared>) {
  from.get<std::uint8_t>();
  return {};
}

using Self = Processor<Shared>;

/// Keeps the first transfers that it sees from arriving.
struct Thief : Observer<Shared> {
  explicit Thief(int count) : left(count) {}
  int left;

  void barrier(Cycle, std::vector<Transfer<Shared>>& transfers) override {
    for (; left > 0 && !transfers.empty(); --left) transfers.erase(transfers.begin());
  }
};

Process write_often(Self& self, int times) {
  if (self.rank() != 0) co_return;
  for (int time = 0; time < times; ++time) {
    self.write(0, {});
    co_await self.cycle();
  }
}

TEST(Ownership, OfAValueEndsWhenItsSlotIsWrittenAgain) {
  const Topology memory = wirings::memory(2, 2);
  on_every_executor(2, [&](Executor& executor) {
    Machine<Shared> machine(memory, {}, executor);
    for (int stolen = 0; stolen <= 5; ++stolen) {
      Thief thief(stolen);
      machine.observe(stolen == 0 ? nullptr : &thief);
      machine.run([](Self& self) { return write_often(self, 5); }, options());
      EXPECT_EQ(Counted::alive, 0) << stolen;
    }
  });
}

// Reads in the cycle in which rank 1 throws, so that no processor takes the value.
Process read_in_vain(Self& self) {
  if (self.rank() == 0) self.write(2, {});
  co_await self.cycle();
  if (self.rank() == 1) throw std::runtime_error("planned");
  co_await self.read(2);
}

TEST(Ownership, OfAValueThatWasReadAndNotTakenEndsWithTheRun) {
  const Topology memory = wirings::memory(3, 3);
  on_every_executor(2, [&](Executor& executor) {
    Machine<Shared> machine(memory, {}, executor);
    failure_of<ProgramError>(machine, read_in_vain);
    EXPECT_EQ(Counted::alive, 0);
  });
}

// Rank 0 sends twice to rank 1, which takes nothing before it fails.
Process send_to_who_sleeps(Self& self, Port port) {
  if (self.rank() == 1) co_await self.until(9);
  for (int count = 0; self.rank() == 0 && count < 2; ++count) {
    self.send(port, {});
    co_await self.cycle();
  }
}

Process read_and_fail(Self& self) {
  if (self.rank() == 0) self.write(0, {});
  co_await self.cycle();
  if (self.rank() == 1) co_await self.read(0);
}

TEST(Ownership, OfWhatWaitsForAProcessorEndsWhenItFails) {
  const Topology two = wirings::pair();
  const Faults faults{.processors = {{1, 3}}};
  on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Shared> machine(two, {}, executor, channels);
    machine.apply(faults);
    const Report report = machine.run([](Self& self) { return send_to_who_sleeps(self, 0); }, options());
    EXPECT_EQ(report.lost, std::vector<Rank>{1});
    EXPECT_EQ(Counted::alive, 0);
  });
  for (const Topology& medium : {wirings::bus(2, 1), wirings::crossbar(2)}) {
    on_every_executor(2, [&](Executor& executor) {
      Machine<Shared> machine(medium, {}, executor);
      machine.apply(faults);
      const Report report = machine.run([](Self& self) { return send_to_who_sleeps(self, 1); }, options());
      EXPECT_EQ(report.lost, std::vector<Rank>{1});
      EXPECT_EQ(Counted::alive, 0);
    });
  }
}

TEST(Ownership, OfWhatAProcessorHasReadEndsWhenItFails) {
  const Topology memory = wirings::memory(2, 2);
  on_every_executor(2, [&](Executor& executor) {
    Machine<Shared> machine(memory, {}, executor);
    machine.apply({.processors = {{1, 2}}});
    const Report report = machine.run(read_and_fail, options());
    EXPECT_EQ(report.lost, std::vector<Rank>{1});
    EXPECT_EQ(Counted::alive, 0);
  });
}

// No message is taken, so that the run ends in an error unless the observer removes all of them.
Process send_in_vain(Self& self, Port port) {
  if (self.rank() == 0) self.send(port, {});
  co_return;
}

TEST(Ownership, OfWhatNobodyTakesEndsWithTheRun) {
  for (const Topology& medium : {wirings::bus(3, 1), wirings::crossbar(3), wirings::ring(3)}) {
    const Port port = medium.medium() ? 1 : 0;
    on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
      Machine<Shared> machine(medium, {}, executor, channels);
      const auto program = [port](Self& self) { return send_in_vain(self, port); };
      EXPECT_EQ(failure_of(machine, program).kind(), ErrorKind::undelivered);
      EXPECT_EQ(Counted::alive, 0);
      Thief thief(1);
      machine.observe(&thief);
      machine.run(program, options());
      EXPECT_EQ(thief.left, 0);
      EXPECT_EQ(Counted::alive, 0);
    });
  }
}

constexpr std::array<Rank, 2> others{1, 2};

Process tell_others(Self& self) {
  if (self.rank() == 0) {
    self.send(others, {});
  } else {
    co_await self.message(0);
  }
}

TEST(Ownership, OfCopiesForSeveralReceiversIsTheirs) {
  const Topology bus = wirings::bus(3, 1);
  on_every_executor(2, [&](Executor& executor) {
    Machine<Shared> machine(bus, {.multicast = true}, executor);
    EXPECT_EQ(machine.run(tell_others, options()).messages, 1U);
    EXPECT_EQ(Counted::alive, 0);
  });
}

// Every rank sends to the next and takes the message that arrived before; the last one is never taken.
Process pass_around(Self& self, Port to, Port from) {
  for (int round = 0; round < 4; ++round) {
    self.send(to, {});
    co_await self.cycle();
    if (round < 3) self.receive(from);
  }
}

Process share_slots(Self& self) {
  for (int round = 0; round < 4; ++round) {
    self.write(self.rank(), {});
    co_await self.cycle();
    co_await self.read((self.rank() + 1) % self.processors());
  }
}

void expect_none_alive_over_two_processes(const Topology& topology, const std::function<Process(Self&)>& program,
                                          bool fails) {
  const Placement placement(topology.processors(), 2);
  const auto thrown = test::ThreadedProcesses(2).run([&](Processes& own) {
    const auto executor = make_executor(ExecutorKind::sequential);
    const Division division{own, placement};
    Machine<Shared> machine(topology, {}, *executor, ChannelKind::compact, &division);
    if (fails) {
      EXPECT_EQ(failure_of(machine, program).kind(), ErrorKind::undelivered);
    } else {
      machine.run(program, options());
    }
  });
  for (const std::exception_ptr& none : thrown) EXPECT_EQ(none, nullptr);
  EXPECT_EQ(Counted::alive, 0) << topology.name();
}

TEST(Ownership, OfWhatGoesToAnotherProcessEndsInTheFirst) {
  const Topology ring = wirings::ring(4);
  expect_none_alive_over_two_processes(
      ring, [](Self& self) { return pass_around(self, 0, 1); }, true);
  const Topology crossbar = wirings::crossbar(4);
  expect_none_alive_over_two_processes(
      crossbar, [](Self& self) { return pass_around(self, (self.rank() + 1) % 4, (self.rank() + 3) % 4); }, true);
  const Topology memory = wirings::memory(4, 4);
  expect_none_alive_over_two_processes(memory, share_slots, false);
}

/// Rank 0 returns at once; rank 1 counts the owners that are left.
// NOLINTNEXTLINE(performance-unnecessary-value-param): the copy is what ends
Process share(Processor<Word>& self, const std::shared_ptr<int>, const std::shared_ptr<int>& all) {
  if (self.rank() == 0) co_return;
  co_await self.until(3);
  EXPECT_EQ(all.use_count(), 2) << "the test's copy and the rank's own";
}

TEST(Ownership, OfWhatAProgramWasGivenEndsWhenItReturns) {
  const Topology two = wirings::pair();
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(two, {}, executor);
    const auto all = std::make_shared<int>(1);
    machine.run([&](Processor<Word>& self) { return share(self, all, all); }, options());
    EXPECT_EQ(all.use_count(), 1);
  });
}

}  // namespace
}  // namespace lockstep::ownership_test
