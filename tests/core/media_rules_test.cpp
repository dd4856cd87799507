// Bus and switch: every rule, broken on its own.
#include <algorithm>
#include <array>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::media_rules_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;

using Self = Processor<Word>;

Model model_of(bool multicast = true, Duplex duplex = Duplex::full) {
  return {.ports = PortModel::one, .multicast = multicast, .duplex = duplex, .cost = {.beta = 10, .tau = 1}};
}

/// What every processor does in cycle 1.
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
       ", peer 2: no other processor has this rank: the ranks are 0 to 3"},
      {"nobody",
       bus(1),
       model_of(),
       two_sends_to_nine,
       ErrorKind::no_link,
       2,
       {9},
       ", peer 9: no other processor has this rank: the ranks are 0 to 3"},
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

}  // namespace
}  // namespace lockstep::media_rules_test
