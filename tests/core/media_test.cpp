// Bus and switch: what moves, what is counted, and which rules hold.
#include <algorithm>
#include <array>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep {
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

// Everybody's word goes once round: in cycle c rank r sends on what was rank r - c's.
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

// Ranks 2 and 1 send to rank 0 one after the other, rank 2 once more; then it looks.
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

// Rank 1 says 7 to all others, rank 2 then 8 to ranks 0 and 3.
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
    EXPECT_EQ(report.messages, 2U);  // each a pass, however many receive it
    EXPECT_EQ(report.sends, 2U);
    EXPECT_EQ(report.words, 2U);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 22);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, 22);
  });
}

/// What everybody does in cycle 1.
using Act = void (*)(Self& self);

Process act_in_cycle_one(Self& self, Act act, bool catches) {
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

struct Violation {
  std::string name;
  Medium medium;
  Model model;
  Act act;
  ErrorKind kind;
  Rank rank;
  std::vector<Port> ports;
  std::string rest;  ///< of the text, after "test: cycle 1, rank R"
};

constexpr std::array<Rank, 2> one_and_three{1, 3};
constexpr std::array<Rank, 2> three_twice{3, 3};

void all_but_zero_send_to_zero(Self& self) {
  if (self.rank() != 0) self.send(0, 1);
}
void two_send_twice(Self& self) {
  if (self.rank() != 2) return;
  self.send(1, 1);
  self.send(3, 1);
}
void two_sends_to_several(Self& self) {
  if (self.rank() == 2) self.send(one_and_three, 1);
}
void two_sends_to_one_twice(Self& self) {
  if (self.rank() == 2) self.send(three_twice, 1);
}
void two_sends_to_itself(Self& self) {
  if (self.rank() == 2) self.send(2, 1);
}
void two_sends_to_nine(Self& self) {
  if (self.rank() == 2) self.send(9, 1);
}
void two_receives(Self& self) {
  if (self.rank() == 2) self.receive(3);
}
void two_reads(Self& self) {
  if (self.rank() == 2) static_cast<void>(self.read(0));
}
void zero_and_one_to_two_and_zero(Self& self) {
  if (self.rank() == 0) self.send(2, 1);
  if (self.rank() == 1) self.send(0, 1);
}
void three_broadcast(Self& self) {
  if (self.rank() != 1) self.send((self.rank() + 1) % 4, 1);
}
void three_to_two_and_zero_to_one(Self& self) {
  if (self.rank() == 3) self.send(2, 1);
  if (self.rank() == 0) self.send(1, 1);
}

std::optional<Blocking> no_way_to_two(std::uint32_t processors, std::span<const Crossing> crossings) {
  EXPECT_EQ(processors, 4U);
  EXPECT_TRUE(std::is_sorted(crossings.begin(), crossings.end()));
  for (const Crossing& crossing : crossings) {
    if (crossing.to == 2) return Blocking{1, crossings.front(), crossing};
  }
  return std::nullopt;
}

std::optional<Blocking> no_way_for_three(std::uint32_t, std::span<const Crossing> crossings) {
  if (crossings.size() < 3) return std::nullopt;
  return Blocking{2, crossings.front(), crossings.back()};
}

std::vector<Violation> violations() {
  const auto bus = [](std::uint64_t kstar) { return Medium{MediumKind::bus, kstar, nullptr}; };
  const auto crossbar = [](Medium::Network network = nullptr) {
    return Medium{MediumKind::crossbar, ~std::uint64_t{0}, network};
  };
  const auto half = [](Duplex duplex) { return model_of(true, duplex); };
  return {
      {"two to one over a switch",
       crossbar(),
       model_of(),
       all_but_zero_send_to_zero,
       ErrorKind::receive_limit,
       0,
       {1, 2, 3},
       ", peers 1, 2 and 3: 3 messages sent to one processor in one cycle (at most one receive a cycle)"},
      {"two to one over a bus",
       bus(4),
       model_of(),
       all_but_zero_send_to_zero,
       ErrorKind::receive_limit,
       0,
       {1, 2, 3},
       ", peers 1, 2 and 3: 3 messages sent to one processor in one cycle (at most one receive a cycle)"},
      {"one payload to one processor twice",
       bus(1),
       model_of(),
       two_sends_to_one_twice,
       ErrorKind::receive_limit,
       3,
       {2, 2},
       ", peers 2 and 2: 2 messages sent to one processor in one cycle (at most one receive a cycle)"},
      {"two sends",
       crossbar(),
       model_of(),
       two_send_twice,
       ErrorKind::send_limit,
       2,
       {1, 3},
       ", peers 1 and 3: a second send in one cycle (port model one: at most one send a cycle)"},
      {"several over a switch",
       crossbar(),
       model_of(),
       two_sends_to_several,
       ErrorKind::send_limit,
       2,
       {1, 3},
       ", peers 1 and 3: one send to several processors (a switch connects each with one)"},
      {"several without multicast",
       bus(1),
       model_of(false),
       two_sends_to_several,
       ErrorKind::send_limit,
       2,
       {1, 3},
       ", peers 1 and 3: one send to several processors (no multicast)"},
      {"oneself",
       crossbar(),
       model_of(),
       two_sends_to_itself,
       ErrorKind::no_link,
       2,
       {2},
       ", peer 2: there is no such other processor: the ranks are 0 to 3"},
      {"nobody",
       bus(1),
       model_of(),
       two_sends_to_nine,
       ErrorKind::no_link,
       2,
       {9},
       ", peer 9: there is no such other processor: the ranks are 0 to 3"},
      {"nothing arrived",
       bus(1),
       model_of(),
       two_receives,
       ErrorKind::nothing_arrived,
       2,
       {3},
       ", peer 3: receive, but no message has arrived"},
      {"no memory", bus(1), model_of(), two_reads, ErrorKind::no_link, 2, {}, ": the machine has no shared memory"},
      {"more than kstar",
       bus(2),
       model_of(),
       three_broadcast,
       ErrorKind::medium_limit,
       3,
       {},
       ": 3 transactions on the bus in one cycle, of ranks 0, 2 and 3 (kstar 2)"},
      {"half-node",
       crossbar(),
       half(Duplex::half_node),
       zero_and_one_to_two_and_zero,
       ErrorKind::half_node,
       0,
       {1},
       ", peer 1: received from there, but sent in the same cycle (duplex half-node: either send or receive)"},
      {"half-link",
       bus(2),
       half(Duplex::half_link),
       zero_and_one_to_two_and_zero,
       ErrorKind::half_link,
       0,
       {1},
       ", peer 1: received from there, but sent in the same cycle (duplex half-link: either send or receive)"},
      {"blocked",
       crossbar(no_way_to_two),
       model_of(),
       three_to_two_and_zero_to_one,
       ErrorKind::blocked,
       0,
       {1},
       ", peer 1: the messages of rank 0 to 1 and rank 3 to 2 want the same output of stage 1 of the network"},
      {"blocked with others",
       crossbar(no_way_for_three),
       model_of(),
       three_broadcast,
       ErrorKind::blocked,
       0,
       {1},
       ", peer 1: the messages of rank 0 to 1 and rank 3 to 0 cannot pass stage 2 of the network together with those "
       "of "
       "the ranks between them"},
      {"several over a switch whose elements copy, without multicast",
       Medium{.copies = true},
       model_of(false),
       two_sends_to_several,
       ErrorKind::send_limit,
       2,
       {1, 3},
       ", peers 1 and 3: one send to several processors (no multicast)"},
  };
}

TEST(Media, RefuseWhatBreaksTheirRules) {
  for (const Violation& violation : violations()) {
    SCOPED_TRACE(violation.name);
    const Topology medium("medium", 4, violation.medium);
    on_every_executor(10, [&](Executor& executor) {
      Machine<Word> machine(medium, violation.model, executor);
      for (const bool catches : {false, true}) {
        const RunError error =
            failure_of(machine, [&](Self& self) { return act_in_cycle_one(self, violation.act, catches); });
        expect_failure(error, {violation.kind, 1, violation.rank, violation.ports,
                               "test: cycle 1, rank " + std::to_string(violation.rank) + violation.rest});
      }
    });
  }
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
    // What is taken in cycle 2 makes room from cycle 3 on; rank 3 sends in cycle 2.
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

TEST(Media, NameWhatNobodyReceived) {
  const Topology crossbar = wirings::crossbar(3);
  Machine<Word> machine(crossbar, model_of());
  expect_failure(failure_of(machine, send_in_vain),
                 {ErrorKind::undelivered,
                  1,
                  0,
                  {1},
                  "test: cycle 1, rank 0, peer 1: a message from there was never received (2 such in all)"});
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
    // Rank 0 is left with a message of rank 1, and what it takes in cycle 2 makes room only later.
    const RunError error = failure_of(machine, [&](Self& self) { return broadcast_in_turn(self, sums); });
    expect_failure(error, {ErrorKind::overflow,
                           2,
                           2,
                           {0},
                           "test: cycle 2, rank 2, peer 0: the inbox is full: 2 messages sent before this cycle were "
                           "not taken"});
    meddler.copies = 2;
    expect_failure(failure_of(machine, [&](Self& self) { return broadcast_in_turn(self, sums); }),
                   {ErrorKind::overflow,
                    0,
                    0,
                    {1},
                    "test: cycle 0, rank 0, peer 1: the observer delivers more than the inbox holds (2)"});
  });
}

TEST(Media, OfOneProcessorHaveNobodyToTalkTo) {
  for (const MediumKind kind : {MediumKind::bus, MediumKind::crossbar}) {
    const Topology alone("alone", 1, Medium{kind, 1, nullptr});
    Machine<Word> machine(alone, model_of());
    Words seen(1);
    EXPECT_EQ(machine.run([&](Self& self) { return rotate(self, seen); }, options()).cycles, 0U);
  }
}

}  // namespace
}  // namespace lockstep
