// Rules that involve both sides of a message: checked at the barrier of the cycle in which it was sent.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::two_sided_rules_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;

using Self = Processor<Word>;

Process send_on(Self& self, Cycle cycle, Port port) {
  co_await self.until(cycle);
  self.send(port, Word{self.rank()});
}

/// How the receiver of two messages takes them.
enum class Reading { never, at_once, late, both_in_one_cycle, asleep };

Process read(Self& self, Reading reading, unsigned messages) {
  if (reading == Reading::never) co_return;
  if (reading == Reading::late || reading == Reading::asleep) co_await self.until(reading == Reading::late ? 3 : 50);
  if (reading == Reading::both_in_one_cycle) {
    co_await self.until(6);
    for (const Port port : self.arrivals()) self.receive(port);
    co_return;
  }
  for (unsigned message = 0; message < messages; ++message) {
    co_await self.message();
    co_await self.cycle();
  }
}

Process send_and_send_again(Self& self) {
  self.send(0, 1);
  co_await self.cycle();
  self.send(0, 2);
}

// As many messages as there have been receivers over all cycles.
TEST(TwoSidedRules, CountTheReceiversOfEveryCycleAnew) {
  const Topology hub = wirings::star(2);
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(hub, {}, executor);
    const RunError error = failure_of(machine, [&](Self& self) {
      if (self.rank() == 0) return read(self, Reading::asleep, 3);
      return self.rank() == 1 ? send_and_send_again(self) : send_on(self, 1, 0);
    });
    EXPECT_EQ(error.kind(), ErrorKind::receive_limit);
    EXPECT_EQ(error.cycle(), 1U);
    EXPECT_EQ(error.rank(), 0U);
  });
}

TEST(TwoSidedRules, TwoMessagesToOneProcessorBreakOnePortInAnyOrderOfReads) {
  const Topology hub = wirings::star(3);
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    for (const Reading reading :
         {Reading::never, Reading::at_once, Reading::late, Reading::both_in_one_cycle, Reading::asleep}) {
      on_every_executor(5, [&](Executor& executor) {
        Machine<Word> machine(hub, {.ports = ports}, executor);
        const RunError error = failure_of(machine, [&](Self& self) {
          // Leaves 1 and 3 send in cycle 1, leaf 2 in cycle 5.
          return self.rank() == 0 ? read(self, reading, 3) : send_on(self, self.rank() == 2 ? 5 : 1, 0);
        });
        expect_failure(error, {ErrorKind::receive_limit,
                               1,
                               0,
                               {0, 2},
                               "test: cycle 1, rank 0, ports 0 and 2: 2 messages sent to one processor in one cycle "
                               "(port model " +
                                   std::string(name(ports)) + ": at most one receive a cycle)"});
      });
    }
  }
}

TEST(TwoSidedRules, AllPortsReceivedOnAreNamed) {
  const Topology hub = wirings::star(4);
  on_every_executor(20, [&](Executor& executor) {
    Machine<Word> machine(hub, {}, executor);
    const RunError error = failure_of(machine, [&](Self& self) {
      return self.rank() == 0 ? read(self, Reading::at_once, 4) : send_on(self, self.rank() == 2 ? 5 : 3, 0);
    });
    expect_failure(error, {ErrorKind::receive_limit,
                           3,
                           0,
                           {0, 2, 3},
                           "test: cycle 3, rank 0, ports 0, 2 and 3: 3 messages sent to one processor in one cycle "
                           "(port model one: at most one receive a cycle)"});
  });
}

TEST(TwoSidedRules, MessagesOfDifferentCyclesMayBeReadInOne) {
  const Topology hub = wirings::star(3);
  Machine<Word> machine(hub);
  const Report report = machine.run([](Self& self) {
    return self.rank() == 0 ? read(self, Reading::both_in_one_cycle, 3) : send_on(self, self.rank(), 0);
  });
  EXPECT_EQ(report.messages, 3U);
}

TEST(TwoSidedRules, AllPortsMayReceiveAtOnceUnderAll) {
  const Topology hub = wirings::star(5);
  Machine<Word> machine(hub, {.ports = PortModel::all});
  const Report report =
      machine.run([](Self& self) { return self.rank() == 0 ? read(self, Reading::at_once, 5) : send_on(self, 1, 0); });
  EXPECT_EQ(report.steps, 1U);
  EXPECT_EQ(report.messages, 5U);
}

/// Sends on one port and takes a message on another in every cycle.
Process rotate(Self& self, Port out, Port in, Cycle start) {
  co_await self.until(start);
  self.send(out, Word{self.rank()});
  co_await self.message(in);
}

struct Flows {
  std::string name;
  Model model;
  Port out;
  Port in;
  ErrorKind kind;
  std::vector<Port> ports;
  std::string rule;
};

TEST(TwoSidedRules, DirectionsAndPortsOfOneCycleAreJudged) {
  const Topology ring = wirings::ring(3);
  const Topology two = wirings::pair();
  const std::vector<Flows> broken{
      {"rotation under one-strict",
       {.ports = PortModel::one_strict},
       0,
       1,
       ErrorKind::one_strict,
       {1},
       "received there, but sent on port 0 in the same cycle (port model one-strict: both on one port)"},
      {"rotation under half-node",
       {.duplex = Duplex::half_node},
       1,
       0,
       ErrorKind::half_node,
       {0},
       "received there, but sent on port 1 in the same cycle (duplex half-node: either send or receive)"},
      {"rotation under all, half-node",
       {.ports = PortModel::all, .duplex = Duplex::half_node},
       0,
       1,
       ErrorKind::half_node,
       {1},
       "received there, but sent on port 0 in the same cycle (duplex half-node: either send or receive)"},
      {"exchange under half-link",
       {.duplex = Duplex::half_link},
       0,
       0,
       ErrorKind::half_link,
       {0},
       "sent and received over one link in one cycle (duplex half-link: one direction a cycle)"},
      {"exchange under all, half-link",
       {.ports = PortModel::all, .duplex = Duplex::half_link},
       0,
       0,
       ErrorKind::half_link,
       {0},
       "sent and received over one link in one cycle (duplex half-link: one direction a cycle)"},
      {"exchange under half-node",
       {.duplex = Duplex::half_node},
       0,
       0,
       ErrorKind::half_node,
       {0},
       "received there, but sent on port 0 in the same cycle (duplex half-node: either send or receive)"},
  };
  for (const Flows& flows : broken) {
    SCOPED_TRACE(flows.name);
    on_every_executor(20, [&](Executor& executor) {
      const Topology& topology = flows.out == flows.in ? two : ring;
      Machine<Word> machine(topology, flows.model, executor);
      const RunError error = failure_of(machine, [&](Self& self) { return rotate(self, flows.out, flows.in, 2); });
      expect_failure(error, {flows.kind, 2, 0, flows.ports,
                             "test: cycle 2, rank 0, port " + std::to_string(flows.ports[0]) + ": " + flows.rule});
    });
  }
}

TEST(TwoSidedRules, AllowWhatTheDirectionsAllow) {
  const Topology ring = wirings::ring(3);
  const Topology two = wirings::pair();
  Machine<Word> strict(two, {.ports = PortModel::one_strict});
  EXPECT_EQ(strict.run([](Self& self) { return rotate(self, 0, 0, 0); }).steps, 1U);
  Machine<Word> half_link(ring, {.duplex = Duplex::half_link});
  EXPECT_EQ(half_link.run([](Self& self) { return rotate(self, 0, 1, 0); }).steps, 1U);
  Machine<Word> full(two);
  EXPECT_EQ(full.run([](Self& self) { return rotate(self, 0, 0, 0); }).steps, 1U);
  // One after the other, whatever the duplex.
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    Machine<Word> half(two, {.duplex = duplex});
    EXPECT_EQ(half.run([](Self& self) { return rotate(self, 0, 0, self.rank()); }).steps, 2U);
  }
}

// The ring's own rule: two sends, or a send and a receive.

/// Sends on `ports` and takes `messages` messages.
Process send_and_take(Self& self, std::vector<Port> ports, unsigned messages) {
  for (const Port port : ports) self.send(port, Word{self.rank()});
  for (unsigned message = 0; message < messages; ++message) {
    co_await self.message();
    co_await self.cycle();
  }
}

struct RingCase {
  std::string name;
  std::vector<std::vector<Port>> sends;  ///< of each rank
  std::vector<unsigned> receipts;
  std::vector<Port> ports;  ///< of rank 1, which breaks the rule; empty if no rank does
  std::string rule;
};

Process send_and_take(Self& self, const RingCase& one) {
  return send_and_take(self, one.sends[self.rank()], one.receipts[self.rank()]);
}

TEST(TwoSidedRules, OfARingAreTwoSendsOrASendAndAReceive) {
  const Topology ring = wirings::ring(4);
  const Model model{.ports = PortModel::ring};
  const std::string receipts =
      "2 messages sent to one processor in one cycle (port model ring: at most one receive a "
      "cycle)";
  const std::string both =
      "received there, but sent on ports 0 and 1 in the same cycle (port model ring: two sends, "
      "or a send and a receive)";
  const std::vector<RingCase> cases{
      {"two sends", {{}, {0, 1}, {}, {}}, {1, 0, 1, 0}, {}, ""},
      {"all round", {{0}, {0}, {0}, {0}}, {1, 1, 1, 1}, {}, ""},
      {"a send back to whom it receives from", {{0}, {1}, {}, {}}, {1, 1, 0, 0}, {}, ""},
      {"two receives", {{0}, {}, {1}, {}}, {0, 2, 0, 0}, {0, 1}, receipts},
      {"two receives and a send", {{0}, {0}, {1}, {}}, {0, 2, 1, 0}, {0, 1}, receipts},
      {"two sends and a receive", {{}, {0, 1}, {1}, {}}, {1, 1, 1, 0}, {0}, both},
      {"two sends and a receive from the other", {{0}, {0, 1}, {}, {}}, {1, 1, 1, 0}, {1}, both},
  };
  for (const RingCase& one : cases) {
    SCOPED_TRACE(one.name);
    on_every_executor(20, [&](Executor& executor) {
      Machine<Word> machine(ring, model, executor);
      if (one.ports.empty()) {
        EXPECT_EQ(machine.run([&](Self& self) { return send_and_take(self, one); }).steps, 1U);
        return;
      }
      const RunError error = failure_of(machine, [&](Self& self) { return send_and_take(self, one); });
      const std::string where = one.ports.size() == 1 ? "port " + std::to_string(one.ports[0]) : "ports 0 and 1";
      expect_failure(error,
                     {ErrorKind::receive_limit, 0, 1, one.ports, "test: cycle 0, rank 1, " + where + ": " + one.rule});
    });
  }
}

TEST(TwoSidedRules, OfARingGoWithThoseOfHalfDuplex) {
  const Topology ring = wirings::ring(4);
  const RingCase back{"a send back", {{0}, {1}, {}, {}}, {1, 1, 0, 0}, {}, ""};
  Machine<Word> half_link(ring, {.ports = PortModel::ring, .duplex = Duplex::half_link});
  EXPECT_EQ(failure_of(half_link, [&](Self& self) { return send_and_take(self, back); }).kind(), ErrorKind::half_link);
  const RingCase round{"all round", {{0}, {0}, {0}, {0}}, {1, 1, 1, 1}, {}, ""};
  EXPECT_EQ(half_link.run([&](Self& self) { return send_and_take(self, round); }).steps, 1U);
  Machine<Word> half_node(ring, {.ports = PortModel::ring, .duplex = Duplex::half_node});
  EXPECT_EQ(failure_of(half_node, [&](Self& self) { return send_and_take(self, round); }).kind(), ErrorKind::half_node);
  const RingCase spread{"two sends", {{}, {0, 1}, {}, {}}, {1, 0, 1, 0}, {}, ""};
  EXPECT_EQ(half_node.run([&](Self& self) { return send_and_take(self, spread); }).steps, 1U);
}

TEST(TwoSidedRules, OfARingAreForTwoPorts) {
  const Topology hub = wirings::star(3);
  const Model model{.ports = PortModel::ring};
  EXPECT_THROW(Machine<Word>(hub, model), std::invalid_argument);
}

constexpr std::array<Port, 3> three_ports{0, 1, 2};

Process all_links_both_ways(Self& self) {
  if (self.rank() == 0) {
    self.send(three_ports, 1);
  } else if (self.rank() != 2) {
    self.send(0, 1);
  }
  co_await self.cycle();
}

TEST(TwoSidedRules, EveryLinkUsedInBothDirectionsIsNamed) {
  const Topology hub = wirings::star(3);
  on_every_executor(20, [&](Executor& executor) {
    Machine<Word> machine(hub, {.ports = PortModel::all, .duplex = Duplex::half_link}, executor);
    const RunError error = failure_of(machine, all_links_both_ways);
    expect_failure(error, {ErrorKind::half_link,
                           0,
                           0,
                           {0, 2},
                           "test: cycle 0, rank 0, ports 0 and 2: sent and received over one link in one cycle "
                           "(duplex half-link: one direction a cycle)"});
  });
}

}  // namespace
}  // namespace lockstep::two_sided_rules_test
