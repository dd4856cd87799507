// Bus and switch: what moves, what is counted, and which rules hold.
#include <algorithm>
#include <array>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::media_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;
using runs::options;

using Self = Processor<Word>;
using Words = std::vector<Word>;

Model model_of(bool multicast = true, Duplex duplex = Duplex::full) {
  return {.ports = PortModel::one, .multicast = multicast, .duplex = duplex, .cost = {.beta = 10, .tau = 1}};
}

std::vector<Rank> all_but(Rank rank, Rank processors) {
  std::vector<Rank> others;
  for (Rank other = 0; other < processors; ++other) {
    if (other != rank) others.push_back(other);
  }
  return others;
}

// Every word goes round once: in cycle c rank r forwards the word of rank r - c.
Process rotate(Self& self, Words& seen) {
  const Rank size = self.processors();
  Word word = self.rank();
  for (Rank step = 1; step < size; ++step) {
    self.send((self.rank() + 1) % size, word);
    word = co_await self.message((self.rank() + size - 1) % size);
    seen[self.rank()] += word;
  }
}

TEST(Switch, CarriesAPermutationInEveryCycle) {
  constexpr Rank size = 70;  // more than one group of visits
  const Topology crossbar = wirings::crossbar(size);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(crossbar, model_of(), executor);
    Words seen(size);
    const Report report = machine.run([&](Self& self) { return rotate(self, seen); }, options());
    for (Rank rank = 0; rank < size; ++rank) EXPECT_EQ(seen[rank], size * (size - 1) / 2 - rank);
    EXPECT_EQ(report.steps, size - 1);
    EXPECT_EQ(report.messages, size * (size - 1));
    EXPECT_EQ(report.sends, size * (size - 1));
    EXPECT_EQ(report.words, size * (size - 1));
    EXPECT_EQ(report.startups, size * (size - 1));
    EXPECT_EQ(report.longest_sum, size - 1);
    EXPECT_EQ(report.busiest_link_words, 0U);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 11.0 * (size - 1));
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 11.0 * (size - 1));
  });
}

Process swap_in_pairs(Self& self, Words& got) {
  const Word mine = 100 + self.rank();
  got[self.rank()] = co_await self.exchange(self.rank() ^ 1U, mine);
}

TEST(Switch, ExchangesByRank) {
  const Topology crossbar = wirings::crossbar(4);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(crossbar, model_of(), executor);
    Words got(4);
    EXPECT_EQ(machine.run([&](Self& self) { return swap_in_pairs(self, got); }, options()).steps, 1U);
    EXPECT_EQ(got, (Words{101, 100, 103, 102}));
  });
}

// Ranks 2 and 1 send to rank 0 one after the other, rank 2 once more; then rank 0 takes them.
Process send_to_zero_of_three(Processor<Word, 3>& self, std::vector<std::string>& log) {
  if (self.rank() == 0) {
    co_await self.until(3);
    for (const Port peer : self.arrivals()) log.push_back("from " + std::to_string(peer));
    for (int taken = 0; taken < 3; ++taken) {
      const Message<Word> message = co_await self.message();
      log.push_back(std::to_string(message.port) + ": " + std::to_string(message.payload));
    }
    co_return;
  }
  co_await self.until(self.rank() == 2 ? 0 : 1);
  self.send(0, 10 * self.rank());
  if (self.rank() != 2) co_return;
  co_await self.until(2);
  self.send(0, 21);
}

TEST(Switch, KeepsWhatArrivedBySenderAndInTheOrderOfSending) {
  const Topology crossbar = wirings::crossbar(3);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word, 3> machine(crossbar, model_of(), executor);
    std::vector<std::string> log;
    machine.run([&](Processor<Word, 3>& self) { return send_to_zero_of_three(self, log); }, options());
    EXPECT_EQ(log, (std::vector<std::string>{"from 1", "from 2", "1: 10", "2: 20", "2: 21"}));
  });
}

// Rank 1 sends 7 to all others, then rank 2 sends 8 to ranks 0 and 3.
Process say_in_turn(Self& self, Words& heard) {
  const Rank rank = self.rank();
  if (rank == 1) self.send(all_but(1, 4), 7);
  if (rank != 1) heard[rank] = co_await self.message(1);
  const std::array<Rank, 2> some{0, 3};
  if (rank == 2) self.send(some, 8);
  if (rank == 0 || rank == 3) heard[rank] += 10 * co_await self.message(2);
}

TEST(Switch, WhoseElementsCopyTakesOneMessageToSeveral) {
  const Topology copying("switch", 4, Medium{.copies = true});
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(copying, model_of(), executor);
    Words heard(4);
    const Report report = machine.run([&](Self& self) { return say_in_turn(self, heard); }, options());
    EXPECT_EQ(heard, (Words{87, 0, 7, 87}));
    EXPECT_EQ(report.steps, 2U);
    EXPECT_EQ(report.messages, 2U);  // each is one pass, for any number of receivers
    EXPECT_EQ(report.sends, 2U);
    EXPECT_EQ(report.words, 2U);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 22);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 22);
  });
}

TEST(Media, HaveNoOtherPortModelThanOne) {
  for (const PortModel ports : {PortModel::one_strict, PortModel::all}) {
    const Topology bus = wirings::bus(4, 1);
    Model model = model_of();
    model.ports = ports;
    EXPECT_THROW(Machine<Word>(bus, model), std::invalid_argument);
  }
}

Process fill_the_inbox_of_zero(Self& self, Cycle wait) {
  if (self.rank() != 0) {
    co_await self.until(self.rank() - 1);
    self.send(0, 1);
  } else {
    co_await self.until(wait);
    for (Rank from = 1; from < self.processors(); ++from) co_await self.message(from);
  }
}

TEST(Media, HaveInboxesOfBoundedSize) {
  const Topology crossbar = wirings::crossbar(4);
  on_every_executor(10, [&](Executor& executor) {
    Machine<Word> machine(crossbar, model_of(), executor);
    // A message taken in cycle 2 frees its place from cycle 3 on; rank 3 sends in cycle 2.
    EXPECT_NO_THROW(machine.run([](Self& self) { return fill_the_inbox_of_zero(self, 1); }, options()));
    expect_failure(failure_of(machine, [](Self& self) { return fill_the_inbox_of_zero(self, 2); }),
                   {ErrorKind::overflow,
                    2,
                    3,
                    {0},
                    "test: cycle 2, rank 3, peer 0: the inbox is full: 2 messages sent before this cycle were not "
                    "taken"});
  });
}

Process broadcast_in_turn(Self& self, Words& sums) {
  for (Rank root = 0; root < self.processors(); ++root) {
    if (root == self.rank()) {
      const std::vector<Rank> others = all_but(root, self.processors());
      self.send(others, root + 1);
      co_await self.cycle();
    } else {
      sums[self.rank()] += co_await self.message(root);
    }
  }
}

TEST(Bus, CountsATransactionOnceHoweverManyReceiveIt) {
  const Topology bus = wirings::bus(5, 1);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(bus, model_of(), executor);
    Words sums(5);
    const Report report = machine.run([&](Self& self) { return broadcast_in_turn(self, sums); }, options());
    EXPECT_EQ(sums, (Words{14, 13, 12, 11, 10}));
    EXPECT_EQ(report.steps, 5U);
    EXPECT_EQ(report.messages, 5U);
    EXPECT_EQ(report.sends, 5U);
    EXPECT_EQ(report.words, 5U);
    EXPECT_EQ(report.startups, 5U);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 55.0);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 55.0);
  });
}

// Ranks 0 and 2 send to their neighbours in cycle 0, then rank 1 to rank 3.
Process two_then_one(Self& self) {
  if (self.rank() % 2 == 0) self.send(self.rank() + 1, 1);
  if (self.rank() == 1) {
    co_await self.message(0);
    self.send(3, 2);
  } else if (self.rank() == 3) {
    co_await self.message(2);
    co_await self.message(1);
  }
}

TEST(Bus, IsFreeForTheNextWhenAllOfACycleHaveEnded) {
  const Topology bus = wirings::bus(4, 2);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(bus, model_of(), executor);
    const Report report = machine.run(two_then_one, options());
    EXPECT_EQ(report.steps, 2U);
    EXPECT_EQ(report.messages, 3U);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 22.0);
  });
}

Process wait_for_the_next(Self& self) { co_await self.message((self.rank() + 1) % self.processors()); }
Process wait_for_anybody(Self& self) {
  if (self.rank() != 0) co_await self.message();
}

TEST(Media, NameThePeersOfADeadlock) {
  const Topology bus = wirings::bus(3, 1);
  Machine<Word> machine(bus, model_of());
  const auto ring = failure_of<DeadlockError>(machine, wait_for_the_next);
  EXPECT_STREQ(ring.what(),
               "test: deadlock in cycle 0: rank 0 waits for rank 1 since cycle 0; rank 1 waits for rank 2 since cycle "
               "0; rank 2 waits for rank 0 since cycle 0");
  EXPECT_EQ(ring.dot(),
            "digraph deadlock {\n  0 -> 1 [label=\"since cycle 0\"];\n  1 -> 2 [label=\"since cycle 0\"];\n"
            "  2 -> 0 [label=\"since cycle 0\"];\n}\n");
  const auto any = failure_of<DeadlockError>(machine, wait_for_anybody);
  EXPECT_STREQ(any.what(),
               "test: deadlock in cycle 0: rank 1 waits on any peer for rank 2 since cycle 0; rank 2 waits on any peer "
               "for rank 1 since cycle 0");
}

Process send_in_vain(Self& self) {
  co_await self.until(self.rank());
  if (self.rank() > 0) self.send(0, 1);
}

Process send_to_the_lower_in_vain(Self& self) {
  if (self.rank() % 2 == 1) self.send(self.rank() - 1, 1);
  co_return;
}

TEST(Media, NameTheLowestRanksMessageOfACycleThatWasNotReceived) {
  const Topology crossbar = wirings::crossbar(4);
  Machine<Word> machine(crossbar, model_of());
  expect_failure(failure_of(machine, send_to_the_lower_in_vain),
                 {ErrorKind::undelivered,
                  0,
                  0,
                  {1},
                  "test: cycle 0, rank 0, peer 1: a message from there was never received (2 in all)"});
}

TEST(Media, NameMessagesThatWereNotReceived) {
  const Topology crossbar = wirings::crossbar(3);
  Machine<Word> machine(crossbar, model_of());
  expect_failure(failure_of(machine, send_in_vain),
                 {ErrorKind::undelivered,
                  1,
                  0,
                  {1},
                  "test: cycle 1, rank 0, peer 1: a message from there was never received (2 in all)"});
  Words seen(3);
  EXPECT_EQ(machine.run([&](Self& self) { return rotate(self, seen); }, options()).messages, 6U);
}

/// Delivers more copies of a cycle's first message.
struct Meddler : Observer<Word> {
  std::size_t copies = 0;
  std::vector<std::string> log;

  void barrier(Cycle cycle, std::vector<Transfer<Word>>& transfers) override {
    for (const Transfer<Word>& transfer : transfers) {
      log.push_back(std::to_string(cycle) + ": " + std::to_string(transfer.from) + " port " +
                    std::to_string(transfer.port) + " to " + std::to_string(transfer.to.rank) + " port " +
                    std::to_string(transfer.to.port));
    }
    const Transfer<Word> first = transfers.front();
    transfers.insert(transfers.end(), copies, first);
  }
};

TEST(Media, ShowAnObserverATransferForEveryReceiver) {
  const Topology bus = wirings::bus(3, 1);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(bus, model_of(), executor);
    Meddler meddler;
    machine.observe(&meddler);
    Words sums(3);
    const Report report = machine.run([&](Self& self) { return broadcast_in_turn(self, sums); }, options());
    EXPECT_EQ(sums, (Words{5, 4, 3}));
    EXPECT_EQ(report.messages, 3U);
    EXPECT_EQ(meddler.log, (std::vector<std::string>{"0: 0 port 1 to 1 port 0", "0: 0 port 2 to 2 port 0",
                                                     "1: 1 port 0 to 0 port 1", "1: 1 port 2 to 2 port 1",
                                                     "2: 2 port 0 to 0 port 2", "2: 2 port 1 to 1 port 2"}));
    meddler.copies = 1;
    // Rank 0 never takes one message of rank 1, and the one that it takes in cycle 2 frees its place only later.
    const RunError error = failure_of(machine, [&](Self& self) { return broadcast_in_turn(self, sums); });
    expect_failure(error, {ErrorKind::overflow,
                           2,
                           2,
                           {0},
                           "test: cycle 2, rank 2, peer 0: the inbox is full: 2 messages sent before this cycle were "
                           "not taken"});
    meddler.copies = 2;
    expect_failure(
        failure_of(machine, [&](Self& self) { return broadcast_in_turn(self, sums); }),
        {ErrorKind::overflow, 0, 0, {1}, "test: cycle 0, rank 0, peer 1: more is delivered than the inbox holds (2)"});
  });
}

TEST(Media, OfOneProcessorCarryNoMessages) {
  for (const MediumKind kind : {MediumKind::bus, MediumKind::crossbar}) {
    const Topology alone("alone", 1, Medium{kind, 1, nullptr});
    Machine<Word> machine(alone, model_of());
    Words seen(1);
    EXPECT_EQ(machine.run([&](Self& self) { return rotate(self, seen); }, options()).cycles, 0U);
  }
}

}  // namespace
}  // namespace lockstep::media_test
