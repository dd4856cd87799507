// The observer sees every message at the barrier and decides what arrives.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::observer_test {
namespace {

using runs::failure_of;
using runs::on_every_executor_and_channel;
using runs::options;

using Self = Processor<Word>;
using Transfers = std::vector<Transfer<Word>>;

/// Records the messages that it is shown, then changes them as the test asks.
struct Scribe : Observer<Word> {
  struct Entry {
    Cycle cycle;
    Rank from;
    Port port;
    Rank to;
    Port to_port;
    Word payload;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;
  std::function<void(Cycle, Transfers&)> change;

  void barrier(Cycle cycle, Transfers& transfers) override {
    EXPECT_FALSE(transfers.empty());
    for (const Transfer<Word>& transfer : transfers) {
      entries.push_back({cycle, transfer.from, transfer.port, transfer.to.rank, transfer.to.port, transfer.payload});
      EXPECT_EQ(transfer.words, 1U);
    }
    if (change) change(cycle, transfers);
  }
};

/// Recursive doubling on a cube: every rank ends with the sum of all.
Process all_sum(Self& self, Word& sum) {
  sum = self.rank() + 1;
  for (Port port = 0; port < self.ports(); ++port) {
    const Word mine = sum;
    sum += co_await self.exchange(port, mine);
  }
}

TEST(Observer, SeesEveryTransferOrderedBySenderAndPort) {
  const Topology cube = wirings::cube(3);
  std::vector<Scribe::Entry> expected;
  for (Port port = 0; port < 3; ++port) {
    for (Rank rank = 0; rank < 8; ++rank) {
      Word sum = 0;  // of the ranks in the subcube of the lower dimensions
      for (Rank other = 0; other < 8; ++other) sum += (other >> port) == (rank >> port) ? other + 1 : 0;
      expected.push_back({port, rank, port, rank ^ (Rank{1} << port), port, sum});
    }
  }
  on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(cube, {}, executor, channels);
    Scribe scribe;
    machine.observe(&scribe);
    std::array<Word, 8> sums{};
    machine.run([&](Self& self) { return all_sum(self, sums[self.rank()]); }, options());
    EXPECT_EQ(scribe.entries, expected);
    EXPECT_EQ(sums, (std::array<Word, 8>{36, 36, 36, 36, 36, 36, 36, 36}));
  });
}

constexpr std::array<Port, 3> all_ports{2, 0, 1};

Process tell_leaves(Self& self) {
  if (self.rank() == 0) {
    self.send(all_ports, 9);
  } else {
    co_await self.message(0);
  }
}

TEST(Observer, SeesEachTransferOfAMulticast) {
  const Topology hub = wirings::star(3);
  Machine<Word> machine(hub, {.multicast = true});
  Scribe scribe;
  machine.observe(&scribe);
  machine.run(tell_leaves);
  EXPECT_EQ(scribe.entries, (std::vector<Scribe::Entry>{{0, 0, 0, 1, 0, 9}, {0, 0, 1, 2, 0, 9}, {0, 0, 2, 3, 0, 9}}));
}

TEST(Observer, ThatChangesNothingChangesNothing) {
  const Topology cube = wirings::cube(5);
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(cube, {}, executor, channels);
    Scribe scribe;
    std::array<std::array<Word, 32>, 3> sums{};
    std::array<std::uint64_t, 3> digests{};
    for (const std::size_t round : {0U, 1U, 2U}) {
      machine.observe(round == 1 ? &scribe : nullptr);  // after nullptr it is no longer called
      digests[round] =
          machine.run([&](Self& self) { return all_sum(self, sums[round][self.rank()]); }, options()).digest();
    }
    EXPECT_EQ(scribe.entries.size(), 5U * 32U);
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(sums[0], sums[2]);
    EXPECT_EQ(digests[0], digests[1]);
    EXPECT_EQ(digests[0], digests[2]);
  });
}

/// Runs the sum on a cube of eight with the change in place of the messages of cycle 1; returns the sums.
std::array<Word, 8> sums_with(Executor& executor, ChannelKind channels, const std::function<void(Transfers&)>& change,
                              Report* report = {}) {
  const Topology cube = wirings::cube(3);
  Machine<Word> machine(cube, {}, executor, channels);
  Scribe scribe;
  scribe.change = [&](Cycle cycle, Transfers& transfers) {
    if (cycle == 1) change(transfers);
  };
  machine.observe(&scribe);
  std::array<Word, 8> sums{};
  const Report made = machine.run([&](Self& self) { return all_sum(self, sums[self.rank()]); }, options());
  if (report != nullptr) *report = made;
  return sums;
}

TEST(Observer, CorruptsAMessage) {
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Report report;
    // In cycle 1 rank 5 sends to its partner 7; ranks 7 and, a cycle later, 3 get a sum that is too high by 100.
    const auto sums = sums_with(
        executor, channels, [](Transfers& transfers) { transfers[5].payload += 100; }, &report);
    EXPECT_EQ(sums, (std::array<Word, 8>{36, 36, 36, 136, 36, 36, 36, 136}));
    EXPECT_EQ(report.messages, 24U);
  });
}

TEST(Observer, SwapsTwoMessages) {
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    // Rank 0's and rank 4's messages of cycle 1 change places: 2 gets the sum of 4 and 5 (11) instead of that of 0 and
    // 1 (3).
    const auto sums = sums_with(executor, channels,
                                [](Transfers& transfers) { std::swap(transfers[0].payload, transfers[4].payload); });
    EXPECT_EQ(sums, (std::array<Word, 8>{36, 36, 36 + 8 - 8, 36, 36, 36, 36 - 8 + 8, 36}));
    // Now the destinations are swapped instead of the contents.
    const auto sent_astray =
        sums_with(executor, channels, [](Transfers& transfers) { std::swap(transfers[0].to, transfers[1].to); });
    EXPECT_EQ(sent_astray, (std::array<Word, 8>{36, 36, 36, 36, 36, 36, 36, 36}));
    const auto across =
        sums_with(executor, channels, [](Transfers& transfers) { std::swap(transfers[0].to, transfers[7].to); });
    // 2 adds 7 + 8 = 15 for 3, 5 adds 3 for 15; in cycle 2 they send to 6 and 1.
    EXPECT_EQ(across, (std::array<Word, 8>{36, 24, 48, 36, 36, 24, 48, 36}));
  });
}

TEST(Observer, DropsAMessageSoThatItsReceiverIsInADeadlock) {
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    try {
      sums_with(executor, channels, [](Transfers& transfers) { transfers.erase(transfers.begin() + 3); });
      ADD_FAILURE() << "the run did not fail";
    } catch (const DeadlockError& error) {
      // In cycle 1 rank 3 sends to rank 1, which then waits on port 1; at the end 5 waits for 1 and 3 has ended.
      EXPECT_EQ(error.kind(), ErrorKind::deadlock);
      ASSERT_FALSE(error.waits().empty());
      EXPECT_EQ(error.waits().front().rank, 1U);
      EXPECT_EQ(error.waits().front().neighbour, 3U);
      EXPECT_TRUE(error.waits().front().neighbour_ended);
    }
  });
}

TEST(Observer, RepeatsAMessageSoThatOneIsLeft) {
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    try {
      sums_with(executor, channels, [](Transfers& transfers) { transfers.push_back(transfers[6]); });
      ADD_FAILURE() << "the run did not fail";
    } catch (const RunError& error) {
      runs::expect_failure(error, {ErrorKind::undelivered,
                                   1,
                                   4,
                                   {1},
                                   "test: cycle 1, rank 4, port 1: a message from rank 6 was never received (1 in "
                                   "all)"});
    }
  });
}

TEST(Observer, RepeatsAMessageUntilTheChannelOverflows) {
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    try {
      sums_with(executor, channels, [](Transfers& transfers) { transfers.insert(transfers.end(), 2, transfers[6]); });
      ADD_FAILURE() << "the run did not fail";
    } catch (const RunError& error) {
      runs::expect_failure(error, {ErrorKind::overflow,
                                   1,
                                   6,
                                   {1},
                                   "test: cycle 1, rank 6, port 1: more is delivered than the channel holds "
                                   "(2)"});
    }
  });
}

Process send_three(Self& self) {
  for (Word number = 1; number <= 3; ++number) {
    self.send(0, number);
    co_await self.cycle();
  }
}

Process collect(Self& self, std::size_t count, std::vector<Word>& got, std::vector<Cycle>& cycles) {
  while (got.size() < count) {
    got.push_back(co_await self.message());
    cycles.push_back(self.now());
  }
}

Process send_once(Self& self) {
  if (self.rank() == 0) self.send(0, 1);
  co_return;
}

TEST(Observer, RedirectsAMessageWhichWakesItsNewReceiver) {
  // Rank 0 sends three numbers to rank 1 of a path; the second goes to rank 3 instead.
  const Topology row = wirings::path(4);
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(row, {}, executor, channels);
    Scribe scribe;
    scribe.change = [](Cycle cycle, Transfers& transfers) {
      if (cycle == 1) transfers[0].to = {3, 1};
    };
    machine.observe(&scribe);
    std::array<std::vector<Word>, 4> got;
    std::array<std::vector<Cycle>, 4> cycles;
    machine.run(
        [&](Self& self) {
          const Rank rank = self.rank();
          const std::size_t count = rank == 1 ? 2 : rank == 3 ? 1 : 0;
          return rank == 0 ? send_three(self) : collect(self, count, got[rank], cycles[rank]);
        },
        options());
    EXPECT_EQ(got[1], (std::vector<Word>{1, 3}));
    EXPECT_EQ(cycles[1], (std::vector<Cycle>{1, 3}));
    EXPECT_EQ(got[3], (std::vector<Word>{2}));
    EXPECT_EQ(cycles[3], (std::vector<Cycle>{2}));
  });
}

TEST(Observer, RedirectsAMessageOverALinkOnWhichItIsNotTaken) {
  const Topology cube = wirings::cube(6);  // more links than share one mark of their use
  on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(cube, {}, executor, channels);
    Scribe scribe;
    scribe.change = [](Cycle, Transfers& transfers) { transfers[0].to = {63, 5}; };
    machine.observe(&scribe);
    runs::expect_failure(runs::failure_of(machine, send_once),
                         {ErrorKind::undelivered,
                          0,
                          63,
                          {5},
                          "test: cycle 0, rank 63, port 5: a message from rank 31 was never received (1 in all)"});
  });
}

/// In cycle 0 rank 0 sends on ports 0 and 1 in one phase and on port 2 in another, then names a third.
Process two_phases(Self& self) {
  if (self.rank() == 0) {
    self.phase("first");
    self.send(0, 1);
    self.send(1, 2);
    self.phase("second");
    self.send(2, 3);
    self.phase("third");
  } else if (std::popcount(self.rank()) == 1) {
    co_await self.message();
  }
  co_await self.cycle();
}

TEST(Observer, SeesThePhaseInWhichAMessageWasSent) {
  const Topology cube = wirings::cube(3);
  on_every_executor_and_channel(1, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(cube, {.ports = PortModel::all}, executor, channels);
    Scribe scribe;
    std::vector<std::string> phases;
    scribe.change = [&](Cycle, Transfers& transfers) {
      for (const Transfer<Word>& transfer : transfers) phases.emplace_back(transfer.phase);
    };
    machine.observe(&scribe);
    const Report report = machine.run(two_phases);
    EXPECT_EQ(phases, (std::vector<std::string>{"first", "first", "second"}));
    EXPECT_EQ(report.phases.front().name, "first");
    EXPECT_EQ(report.phases.front().messages, 2U);
  });
}

/// Every processor sends in a phase of its own and leaves it in the same cycle.
Process phase_of_its_own(Self& self) {
  self.phase("phase " + std::to_string(self.rank()));
  self.send(0, 1);
  self.phase("other");
  co_await self.message();
}

TEST(Observer, SeesThePhasesOfManyProcessorsThatLeaveThem) {
  const Topology cube = wirings::cube(5);
  on_every_executor_and_channel(1, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(cube, {}, executor, channels);
    Scribe scribe;
    scribe.change = [](Cycle, Transfers& transfers) {
      for (const Transfer<Word>& transfer : transfers) {
        EXPECT_EQ(transfer.phase, "phase " + std::to_string(transfer.from));
      }
    };
    machine.observe(&scribe);
    EXPECT_EQ(machine.run(phase_of_its_own).messages, 32U);
  });
}

/// Rank 0 sends in a phase that it leaves in the same cycle, and in the next cycle in the other one.
Process send_early_and_late(Self& self, Port out, Port in) {
  if (self.rank() == 0) {
    self.phase("early");
    self.send(out, 1);
    self.phase("late");
    co_await self.cycle();
    self.send(out, 2);
  } else {
    co_await self.message(in);
    co_await self.message(in);
  }
}

TEST(Observer, SeesAPhaseThatWasLeftInThatCycleOnly) {
  for (const Topology& two : {wirings::pair(), wirings::crossbar(2)}) {
    const Port out = two.medium() ? 1 : 0;
    on_every_executor_and_channel(1, [&](Executor& executor, ChannelKind channels) {
      Machine<Word> machine(two, {}, executor, channels);
      Scribe scribe;
      std::vector<std::string> phases;
      scribe.change = [&](Cycle, Transfers& transfers) {
        for (const Transfer<Word>& transfer : transfers) phases.emplace_back(transfer.phase);
      };
      machine.observe(&scribe);
      machine.run([out](Self& self) { return send_early_and_late(self, out, 0); }, options());
      EXPECT_EQ(phases, (std::vector<std::string>{"early", "late"}));
    });
  }
}

/// Rank 0 sends in a phase that it names twice and so stays in, rank 1 in one that it leaves.
Process stay_or_leave(Self& self) {
  self.phase(self.rank() == 0 ? "stays" : "leaves");
  if (self.rank() < 2) self.send(self.rank() + 2, 1);
  self.phase(self.rank() == 0 ? "stays" : "other");
  if (self.rank() >= 2) co_await self.message(self.rank() - 2);
}

TEST(Observer, SeesThePhasesOnAMediumToo) {
  const Topology crossbar = wirings::crossbar(4);
  runs::on_every_executor(1, [&](Executor& executor) {
    Machine<Word> machine(crossbar, {}, executor);
    Scribe scribe;
    std::vector<std::string> phases;
    scribe.change = [&](Cycle, Transfers& transfers) {
      for (const Transfer<Word>& transfer : transfers) phases.emplace_back(transfer.phase);
    };
    machine.observe(&scribe);
    machine.run(stay_or_leave, options());
    EXPECT_EQ(phases, (std::vector<std::string>{"stays", "leaves"}));
  });
}

/// Rank 0 sends to rank 1.
Process send_one(Self& self) {
  const bool on_medium = self.topology().medium().has_value();
  if (self.rank() == 0) self.send(on_medium ? 1 : 0, 5);
  if (self.rank() == 1) co_await self.message(on_medium ? 0 : 1);
}

Process write_one(Self& self) {
  if (self.rank() == 0) self.write(0, 5);
  co_return;
}

/// The error of a run whose observer redirects the first message to that end.
std::string sent_to(const Topology& topology, End end) {
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<Word> machine(topology, {}, *executor);
  Scribe scribe;
  scribe.change = [end](Cycle, Transfers& transfers) { transfers[0].to = end; };
  machine.observe(&scribe);
  const bool is_memory = topology.medium() && topology.medium()->kind == MediumKind::memory;
  try {
    machine.run([&](Self& self) { return is_memory ? write_one(self) : send_one(self); }, options());
  } catch (const std::out_of_range& error) {
    return error.what();
  }
  return "nothing";
}

/// Records when each rank computed, and the later cycles in which messages moved.
struct Timekeeper : Observer<Word> {
  std::vector<std::string> entries;

  void barrier(Cycle cycle, Transfers&) override { entries.push_back(std::to_string(cycle) + ": messages"); }
  void charged(Cycle cycle, std::span<const Charge> charges) override {
    for (const auto& [rank, start, end] : charges) {
      entries.push_back(std::to_string(cycle) + ": rank " + std::to_string(rank) + ", " + std::to_string(start) +
                        " to " + std::to_string(end));
    }
  }
};

Process work_and_tell(Self& self) {
  if (self.rank() == 0) {
    self.charge(4);  // 0.5 each
    self.send(0, 1);
    co_await self.cycle();
    self.scan(3);     // for nothing
    self.compute(8);  // 0.25 each
  } else {
    co_await self.cycle();
    self.receive(0);  // from 2 on, for 5
    self.charge(2);
    self.charge(6);
    co_await self.until(5);
    self.compute(4);
  }
}

TEST(Observer, SeesTheLocalWorkOfProcessors) {
  const Topology two = wirings::pair();
  const Model model{.cost = {.beta = 2, .tau = 3, .copy_cost = 0.5, .flop = 0.25}};
  const std::vector<std::string> expected{"0: rank 0, 0.000000 to 2.000000",  "0: messages",
                                          "1: rank 0, 2.000000 to 4.000000",  "1: rank 1, 7.000000 to 8.000000",
                                          "1: rank 1, 8.000000 to 11.000000", "5: rank 1, 11.000000 to 12.000000"};
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, model, executor, channels);
    Timekeeper timekeeper;
    machine.observe(&timekeeper);
    const Report report = machine.run(work_and_tell, options());
    EXPECT_EQ(timekeeper.entries, expected);
    EXPECT_EQ(report.time_asynchronous, 12);
  });
}

Process work_longer_by_rank(Self& self) {
  self.charge(self.rank());
  self.charge(1);
  co_return;
}

TEST(Observer, SeesWorkByRanks) {
  const Topology row = wirings::path(300);
  const Model model{.cost = {.copy_cost = 1}};
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(row, model, executor, channels);
    Timekeeper timekeeper;
    machine.observe(&timekeeper);
    machine.run(work_longer_by_rank, options());
    std::vector<std::string> expected{"0: rank 0, 0.000000 to 1.000000"};
    for (Rank rank = 1; rank < 300; ++rank) {
      const std::string own = "0: rank " + std::to_string(rank) + ", ";
      const std::string middle = std::to_string(rank) + ".000000";
      expected.push_back(own + "0.000000 to " + middle);
      expected.push_back(own + middle + " to " + std::to_string(rank + 1) + ".000000");
    }
    EXPECT_EQ(timekeeper.entries, expected);
  });
}

TEST(Observer, CannotSendToWhatDoesNotExist) {
  const std::string no_port = "an observer sends a message to a processor or port that does not exist";
  EXPECT_EQ(sent_to(wirings::path(3), {1, 1}), "nothing");
  EXPECT_EQ(sent_to(wirings::path(3), {3, 0}), no_port);
  EXPECT_EQ(sent_to(wirings::path(3), {1, 2}), no_port);
  const std::string no_slot = "an observer sends a message to a processor or slot that does not exist";
  EXPECT_EQ(sent_to(wirings::crossbar(3), {1, 0}), "nothing");
  EXPECT_EQ(sent_to(wirings::crossbar(3), {3, 0}), no_slot);
  EXPECT_EQ(sent_to(wirings::memory(3, 3), {memory_rank, 2}), "nothing");
  EXPECT_EQ(sent_to(wirings::memory(3, 3), {memory_rank, 3}), no_slot);
}

/// A message of two blocks that are sent without being gathered.
struct Blocks {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
std::uint64_t words(const Blocks& payload) { return payload.first + payload.second; }
std::array<std::uint64_t, 2> blocks(const Blocks& payload) { return {payload.first, payload.second}; }

Process send_blocks(Processor<Blocks>& self) {
  if (self.rank() == 0) self.send(0, Blocks{5, 3});
  if (self.rank() == 1) co_await self.message(0);
  co_await self.cycle();
}

TEST(Observer, SeesTheStartUpsOfAMessage) {
  struct Counter : Observer<Blocks> {
    std::uint64_t startups = 0;
    void barrier(Cycle, std::vector<Transfer<Blocks>>& transfers) override { startups += transfers[0].startups; }
  };
  const Topology two = wirings::pair();
  Machine<Blocks> machine(two, {.cost = {.max_packet_words = 2}});
  Counter counter;
  machine.observe(&counter);
  machine.run(send_blocks);
  EXPECT_EQ(counter.startups, 3U + 2U);  // 5 words in packets of 2, and 3 words
}

struct Planned : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(Observer, MayThrowAndLeavesNothingBehind) {
  const Topology cube = wirings::cube(3);
  Machine<Word> machine(cube);
  Scribe scribe;
  scribe.change = [](Cycle cycle, Transfers&) {
    if (cycle == 2) throw Planned("seen enough");
  };
  machine.observe(&scribe);
  std::array<Word, 8> sums{};
  const auto program = [&](Self& self) { return all_sum(self, sums[self.rank()]); };
  EXPECT_THROW(machine.run(program), Planned);
  machine.observe(nullptr);
  machine.run(program);
  EXPECT_EQ(sums[5], 36U);
}

Process break_a_rule(Self& self) {
  self.send(0, 1);
  if (self.rank() == 1) self.send(0, 2);
  co_await self.cycle();
}

TEST(Observer, CannotRepairAViolation) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  Scribe scribe;
  scribe.change = [](Cycle, Transfers& transfers) { transfers.clear(); };
  machine.observe(&scribe);
  EXPECT_EQ(failure_of(machine, break_a_rule).kind(), ErrorKind::send_limit);
}

/// All send round the ring in cycle 0; in cycle 1 ranks 1 and 2 of three send to rank 0.
Process crowd(Self& self) {
  self.send(0, 1);
  co_await self.message(1);
  self.send(self.rank() == 1 ? 1 : 0, 2);
  co_await self.cycle();
}

TEST(Observer, IsNotShownTheCycleThatFails) {
  // The order of two messages affects the modelled arrivals of both.
  const Topology circle = wirings::ring(3);
  on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(circle, {}, executor, channels);
    Scribe scribe;
    machine.observe(&scribe);
    EXPECT_EQ(failure_of(machine, crowd).kind(), ErrorKind::receive_limit);
    EXPECT_EQ(scribe.entries, (std::vector<Scribe::Entry>{{0, 0, 0, 1, 1, 1}, {0, 1, 0, 2, 1, 1}, {0, 2, 0, 0, 1, 1}}));
  });
}

}  // namespace
}  // namespace lockstep::observer_test
