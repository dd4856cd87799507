// Shared memory: slots that are written and read, the counts, and the rules.
#include <array>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::shared_memory_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;
using runs::options;

using Self = Processor<Word>;
using Words = std::vector<Word>;
using Block = std::vector<Word>;

Model model_of() { return {.ports = PortModel::one, .cost = {.beta = 10, .tau = 1}}; }

// Every rank writes its slot, then reads that of the next.
Process pass_on(Self& self, Words& got) {
  self.write(self.rank(), 100 + self.rank());
  co_await self.cycle();
  got[self.rank()] = co_await self.read((self.rank() + 1) % self.processors());
}

TEST(SharedMemory, GivesWhatWasWrittenInAnEarlierCycle) {
  constexpr Rank size = 70;
  const Topology memory = wirings::memory(size, size);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(memory, model_of(), executor);
    Words got(size);
    const Report report = machine.run([&](Self& self) { return pass_on(self, got); }, options());
    for (Rank rank = 0; rank < size; ++rank) EXPECT_EQ(got[rank], 100 + (rank + 1) % size);
    EXPECT_EQ(report.steps, 2U);
    EXPECT_EQ(report.messages, 2 * size);
    EXPECT_EQ(report.sends, 2 * size);
    EXPECT_EQ(report.words, 2 * size);
    EXPECT_EQ(report.startups, 2 * size);
    EXPECT_EQ(report.longest_sum, 2U);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 22.0);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 22.0);
  });
}

// Rank 0 writes slot 0 in every cycle; all others read it in every cycle from the second on.
Process overwrite(Self& self, Word cycles, std::vector<Words>& seen) {
  if (self.rank() == 0) {
    for (Word cycle = 0; cycle < cycles; ++cycle) {
      self.write(0, cycle);
      co_await self.cycle();
    }
  } else {
    co_await self.until(1);
    for (Word cycle = 1; cycle < cycles; ++cycle) seen[self.rank()].push_back(co_await self.read(0));
  }
}

TEST(SharedMemory, ReadsTheStateBeforeTheCycleWhileASlotIsWritten) {
  const Topology memory = wirings::memory(6, 6);
  on_every_executor(20, [&](Executor& executor) {
    Machine<Word> machine(memory, model_of(), executor);
    std::vector<Words> seen(6);
    machine.run([&](Self& self) { return overwrite(self, 30, seen); }, options());
    for (Rank rank = 1; rank < 6; ++rank) {
      ASSERT_EQ(seen[rank].size(), 29U);
      for (Word cycle = 0; cycle < 29; ++cycle) EXPECT_EQ(seen[rank][cycle], cycle);
    }
  });
}

// Rank 0 writes blocks of 1, 2 and 3 words into slots 5, 3 and 4 in one access; rank 1 reads slots 4 and 5 in one.
Process several_at_once(Processor<Block>& self, std::vector<Message<Block>>& got) {
  if (self.rank() == 0) {
    std::vector<std::pair<Slot, Block>> values;
    values.emplace_back(5, Block{1});
    values.emplace_back(3, Block{2, 2});
    values.emplace_back(4, Block{3, 3, 3});
    self.write(std::move(values));
  } else {
    co_await self.cycle();
    const std::array<Slot, 2> slots{4, 5};
    got = co_await self.read(slots);
  }
}

TEST(SharedMemory, CountsAnAccessOnceHoweverManySlotsItHas) {
  const Topology memory = wirings::memory(2, 1);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Block> machine(memory, model_of(), executor);
    machine.share(6);
    std::vector<Message<Block>> got;
    const Report report = machine.run([&](Processor<Block>& self) { return several_at_once(self, got); }, options());
    ASSERT_EQ(got.size(), 2U);
    EXPECT_EQ(got[0].payload, (Block{3, 3, 3}));
    EXPECT_EQ(got[0].port, 4U);
    EXPECT_EQ(got[1].payload, (Block{1}));
    EXPECT_EQ(got[1].port, 5U);
    EXPECT_EQ(report.messages, 2U);
    EXPECT_EQ(report.words, 6U + 4U);
    EXPECT_EQ(report.longest_sum, 6U + 4U);
    EXPECT_EQ(report.startups, 2U);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 30.0);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 30.0);
  });
}

/// What every rank does in cycle 1, when slots 0 to 2 have been written by their ranks, but not slot 3.
using Act = void (*)(Self& self);

Process act_in_cycle_one(Self& self, Act act, bool catches) {
  if (self.rank() < 3) self.write(self.rank(), 7);
  co_await self.until(1);
  if (!catches) {
    act(self);
  } else {
    try {
      act(self);
    } catch (const RunError&) {  // must not help
    }
  }
  co_await self.until(100);
}

/// What every rank does in cycle 3, when slots 0 to 2 have been written one after the other, as banks require.
Process act_beside_banks(Self& self, Act act, bool catches) {
  if (self.rank() < 3) {
    co_await self.until(self.rank());
    self.write(self.rank(), 7);
  }
  co_await self.until(3);
  if (!catches) {
    act(self);
  } else {
    try {
      act(self);
    } catch (const RunError&) {  // must not help
    }
  }
  co_await self.until(100);
}

void one_and_three_write_two(Self& self) {
  if (self.rank() % 2 == 1) self.write(2, self.rank());
}
void two_accesses_twice(Self& self) {
  if (self.rank() != 2) return;
  self.write(1, 1);
  static_cast<void>(self.read(0));
}
void two_reads_what_nobody_wrote(Self& self) {
  if (self.rank() == 2) static_cast<void>(self.read(3));
}
void two_reads_what_three_writes(Self& self) {
  if (self.rank() == 3) self.write(3, 1);
  if (self.rank() == 2) static_cast<void>(self.read(3));
}
void two_writes_slot_four(Self& self) {
  if (self.rank() == 2) self.write(4, 1);
}
void two_sends(Self& self) {
  if (self.rank() == 2) self.send(1, 1);
}
void all_read(Self& self) { static_cast<void>(self.read(0)); }
void three_reads_what_nobody_wrote_as_the_fourth(Self& self) { static_cast<void>(self.read(self.rank() == 3 ? 3 : 0)); }

TEST(SharedMemory, RefusesWhatBreaksItsRules) {
  struct Violation {
    Act act;
    ErrorKind kind;
    Rank rank;
    std::vector<Port> ports;
    std::string rest;
  };
  const std::vector<Violation> violations{
      {one_and_three_write_two, ErrorKind::write_conflict, 1, {2}, ", slot 2: written by ranks 1 and 3 in one cycle"},
      {two_accesses_twice, ErrorKind::send_limit, 2, {0}, ", slot 0: a second access to the memory in one cycle"},
      {two_reads_what_nobody_wrote,
       ErrorKind::nothing_arrived,
       2,
       {3},
       ", slot 3: read, but it was not written before this cycle"},
      {two_reads_what_three_writes,
       ErrorKind::nothing_arrived,
       2,
       {3},
       ", slot 3: read, but it was not written before this cycle"},
      {two_writes_slot_four, ErrorKind::no_link, 2, {4}, ", slot 4: there is no such slot: they are 0 to 3"},
      {two_sends, ErrorKind::no_link, 2, {}, ": processors that share a memory write and read its slots"},
      {all_read,
       ErrorKind::medium_limit,
       3,
       {},
       ": 4 accesses to the memory in one cycle, of ranks 0, 1, 2 and 3 (kstar 3)"},
      {three_reads_what_nobody_wrote_as_the_fourth,
       ErrorKind::medium_limit,
       3,
       {},
       ": 4 accesses to the memory in one cycle, of ranks 0, 1, 2 and 3 (kstar 3)"},
  };
  const Topology memory = wirings::memory(4, 3);
  for (const Violation& violation : violations) {
    SCOPED_TRACE(violation.rest);
    on_every_executor(10, [&](Executor& executor) {
      Machine<Word> machine(memory, model_of(), executor);
      for (const bool catches : {false, true}) {
        const RunError error =
            failure_of(machine, [&](Self& self) { return act_in_cycle_one(self, violation.act, catches); });
        expect_failure(error, {violation.kind, 1, violation.rank, violation.ports,
                               "test: cycle 1, rank " + std::to_string(violation.rank) + violation.rest});
      }
    });
  }
}

void zero_writes_and_two_reads_even_slots(Self& self) {
  if (self.rank() == 0) self.write({{0, 5}, {2, 5}});
  const std::array<Slot, 2> slots{1, 2};
  if (self.rank() == 2) static_cast<void>(self.read(slots));
}
void all_but_two_read_odd_slots(Self& self) {
  if (self.rank() != 2) static_cast<void>(self.read(1));
}
void zero_reads_beside_one_in_vain(Self& self) {
  if (self.rank() == 0) static_cast<void>(self.read(1));
  if (self.rank() == 1) static_cast<void>(self.read(3));
}

void zero_writes_in_both_banks_beside_one_and_three(Self& self) {
  if (self.rank() == 0) self.write({{0, 5}, {1, 5}});
  if (self.rank() == 1) self.write(2, 5);
  if (self.rank() == 3) self.write(3, 5);
}
void zero_reads_one_slot_twice_beside_two(Self& self) {
  const std::array<Slot, 2> slots{1, 1};
  if (self.rank() == 0) static_cast<void>(self.read(slots));
  if (self.rank() == 2) static_cast<void>(self.read(1));
}

TEST(SharedMemory, RefusesABankThatIsInUse) {
  struct Violation {
    Act act;
    ErrorKind kind;
    Rank rank;
    std::vector<Port> ports;
    std::string rest;
  };
  const std::vector<Violation> violations{
      {zero_writes_and_two_reads_even_slots,
       ErrorKind::bank_conflict,
       0,
       {0, 2},
       ", slots 0 and 2: ranks 0 and 2 had access to bank 0 in one cycle (banks 2: each serves one processor a cycle)"},
      {all_but_two_read_odd_slots,
       ErrorKind::bank_conflict,
       0,
       {1},
       ", slot 1: ranks 0, 1 and 3 had access to bank 1 in one cycle (banks 2: each serves one processor a cycle)"},
      // The lower of two banks is reported, and each slot once.
      {zero_writes_in_both_banks_beside_one_and_three,
       ErrorKind::bank_conflict,
       0,
       {0},
       ", slot 0: ranks 0 and 1 had access to bank 0 in one cycle (banks 2: each serves one processor a cycle)"},
      {zero_reads_one_slot_twice_beside_two,
       ErrorKind::bank_conflict,
       0,
       {1},
       ", slot 1: ranks 0 and 2 had access to bank 1 in one cycle (banks 2: each serves one processor a cycle)"},
      // A rank that breaks two rules is reported for the kind that comes first.
      {one_and_three_write_two, ErrorKind::write_conflict, 1, {2}, ", slot 2: written by ranks 1 and 3 in one cycle"},
      // An access that is refused at once does not use the bank.
      {zero_reads_beside_one_in_vain,
       ErrorKind::nothing_arrived,
       1,
       {3},
       ", slot 3: read, but it was not written before this cycle"},
  };
  const Topology memory("memory", 4, Medium{.kind = MediumKind::memory, .users = 4, .banks = 2});
  for (const Violation& violation : violations) {
    SCOPED_TRACE(violation.rest);
    on_every_executor(10, [&](Executor& executor) {
      Machine<Word> machine(memory, model_of(), executor);
      for (const bool catches : {false, true}) {
        const RunError error =
            failure_of(machine, [&](Self& self) { return act_beside_banks(self, violation.act, catches); });
        expect_failure(error, {violation.kind, 3, violation.rank, violation.ports,
                               "test: cycle 3, rank " + std::to_string(violation.rank) + violation.rest});
      }
    });
  }
}

// Every rank writes two slots of its own bank at once, then reads two of the next.
Process go_round_banks(Self& self, std::vector<Word>& sums) {
  const Slot rank = self.rank();
  self.write({{rank, 1 + rank}, {rank + 3, 10 + rank}});
  co_await self.cycle();
  const Slot next = (rank + 1) % 3;
  const std::array<Slot, 2> slots{next, next + 3};
  const auto values = co_await self.read(slots);
  sums[rank] = values[0].payload + values[1].payload;
}

TEST(SharedMemory, ServesOneProcessorABankInACycle) {
  const Topology memory("memory", 3, Medium{.kind = MediumKind::memory, .users = 3, .banks = 3});
  on_every_executor(6, [&](Executor& executor) {
    Machine<Word> machine(memory, model_of(), executor);
    machine.share(6);
    std::vector<Word> sums(3);
    const Report report = machine.run([&](Self& self) { return go_round_banks(self, sums); }, options());
    EXPECT_EQ(sums, (std::vector<Word>{13, 15, 11}));
    EXPECT_EQ(report.steps, 2U);
    EXPECT_EQ(report.messages, 6U);
    EXPECT_EQ(report.words, 12U);
  });
}

Process write_here(Self& self) {
  self.write(0, 1);
  co_return;
}

TEST(SharedMemory, IsOnNoOtherMachine) {
  const Topology path = wirings::path(2);
  Machine<Word> machine(path);
  expect_failure(failure_of(machine, write_here),
                 {ErrorKind::no_link, 0, 0, {}, "test: cycle 0, rank 0: the machine has no shared memory"});
  machine.share(7);  // which makes it none
  expect_failure(failure_of(machine, write_here),
                 {ErrorKind::no_link, 0, 0, {}, "test: cycle 0, rank 0: the machine has no shared memory"});
}

/// Changes the list of transfers.
struct Meddler : Observer<Word> {
  using Change = void (*)(std::vector<Transfer<Word>>&);
  Change change = nullptr;
  std::vector<std::string> log;

  static std::string end(Rank rank) { return rank == memory_rank ? "memory" : std::to_string(rank); }
  void barrier(Cycle cycle, std::vector<Transfer<Word>>& transfers) override {
    for (const Transfer<Word>& transfer : transfers) {
      log.push_back(std::to_string(cycle) + ": " + end(transfer.from) + " to " + end(transfer.to.rank) + ", slot " +
                    std::to_string(transfer.port) + ", " + std::to_string(transfer.payload));
    }
    if (change != nullptr) change(transfers);
  }
};

TEST(SharedMemory, ShowsAnObserverEveryAccess) {
  const Topology memory = wirings::memory(2, 2);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(memory, model_of(), executor);
    Meddler meddler;
    machine.observe(&meddler);
    Words got(2);
    const auto run = [&] { machine.run([&](Self& self) { return pass_on(self, got); }, options()); };
    const auto kind = [&](Meddler::Change change) {
      meddler.change = change;
      return failure_of(machine, [&](Self& self) { return pass_on(self, got); }).kind();
    };
    run();
    EXPECT_EQ(got, (Words{101, 100}));
    EXPECT_EQ(meddler.log, (std::vector<std::string>{"0: 0 to memory, slot 0, 100", "0: 1 to memory, slot 1, 101",
                                                     "1: memory to 0, slot 1, 101", "1: memory to 1, slot 0, 100"}));
    meddler.change = [](std::vector<Transfer<Word>>& transfers) { transfers[0].payload = 5; };
    run();
    EXPECT_EQ(got, (Words{5, 5}));
    EXPECT_EQ(kind([](auto& transfers) { transfers.pop_back(); }), ErrorKind::nothing_arrived);
    EXPECT_EQ(kind([](auto& transfers) { transfers.push_back(transfers[0]); }), ErrorKind::write_conflict);
    EXPECT_EQ(kind([](auto& transfers) {
                if (transfers[0].from == memory_rank) transfers.pop_back();
              }),
              ErrorKind::deadlock);
    EXPECT_EQ(kind([](auto& transfers) {
                if (transfers[0].from == memory_rank) transfers.push_back(transfers[0]);
              }),
              ErrorKind::undelivered);
  });
}

// Both ranks read both slots, each in its own order.
Process read_both(Self& self, std::vector<Words>& got) {
  self.write(self.rank(), 100 + self.rank());
  co_await self.cycle();
  const std::array<Slot, 3> slots{1 - self.rank(), self.rank(), 1 - self.rank()};
  const std::vector<Message<Word>> values = co_await self.read(slots);
  for (const Message<Word>& value : values) got[self.rank()].push_back(value.payload);
}

TEST(SharedMemory, GivesValuesInTheOrderAskedForUnderAnObserverToo) {
  const Topology memory = wirings::memory(2, 2);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(memory, model_of(), executor);
    Meddler meddler;
    machine.observe(&meddler);
    std::vector<Words> got(2);
    machine.run([&](Self& self) { return read_both(self, got); }, options());
    EXPECT_EQ(got, (std::vector<Words>{{101, 100, 101}, {100, 101, 100}}));
    EXPECT_EQ(meddler.log, (std::vector<std::string>{"0: 0 to memory, slot 0, 100", "0: 1 to memory, slot 1, 101",
                                                     "1: memory to 0, slot 1, 101", "1: memory to 0, slot 0, 100",
                                                     "1: memory to 0, slot 1, 101", "1: memory to 1, slot 0, 100",
                                                     "1: memory to 1, slot 1, 101", "1: memory to 1, slot 0, 100"}));
  });
}

Process read_at_once(Self& self) { co_await self.read(0); }

TEST(SharedMemory, ForgetsAllBetweenRuns) {
  const Topology memory = wirings::memory(2, 2);
  Machine<Word> machine(memory, model_of());
  Words got(2);
  machine.run([&](Self& self) { return pass_on(self, got); }, options());
  EXPECT_EQ(failure_of(machine, read_at_once).kind(), ErrorKind::nothing_arrived);
}

}  // namespace
}  // namespace lockstep::shared_memory_test
