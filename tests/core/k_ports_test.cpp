// At most k sends and k receives a cycle, on any ports.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::k_ports_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;

using Self = Processor<Word>;

constexpr std::array<Port, 4> four_ports{0, 1, 2, 3};

TEST(KPorts, AreNamedByTheirNumber) {
  EXPECT_EQ(k_ports(1), PortModel::one);
  EXPECT_EQ(k_ports(2), PortModel::two);
  for (const std::uint32_t k : {2U, 3U, 17U, most_ports}) {
    EXPECT_TRUE(is_k_ports(k_ports(k)));
    EXPECT_EQ(port_limit(k_ports(k)), k);
    EXPECT_EQ(name(k_ports(k)), std::to_string(k));
    EXPECT_FALSE(sends_on_several_ports(k_ports(k)));
  }
  for (const PortModel other : {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring}) {
    EXPECT_FALSE(is_k_ports(other));
  }
}

/// The hub of a star sends on its first ports in cycle 1.
Process send_on_first(Self& self, Port ports) {
  co_await self.until(1);
  for (Port port = 0; port < ports; ++port) self.send(port, port);
}

Process send_to(Self& self, Port port, bool sends) {
  co_await self.until(1);
  if (sends) self.send(port, Word{self.rank()});
}

Process send_twice(Self& self) {
  self.send(0, 1);
  self.send(1, 2);
  self.send(0, 3);
  co_return;
}

std::optional<Blocking> omega_of_four(std::uint32_t, std::span<const Crossing>) { return {}; }

Process take(Self& self, Port messages) {
  for (; messages > 0; --messages) co_await self.message();
}

TEST(KPorts, AllowSoManySendsAndNoMore) {
  const Topology hub = wirings::star(6);
  for (const std::uint32_t k : {2U, 3U, 5U}) {
    SCOPED_TRACE(k);
    const std::string limit = std::to_string(k);
    on_every_executor(3, [&](Executor& executor) {
      Machine<Word> machine(hub, {.ports = k_ports(k)}, executor);
      const auto send = [&](Port ports) {
        return [ports](Self& self) {
          return self.rank() == 0 ? send_on_first(self, ports) : take(self, self.rank() <= ports ? 1 : 0);
        };
      };
      const Report report = machine.run(send(k));
      EXPECT_EQ(report.steps, 1U);
      EXPECT_EQ(report.sends, k);
      expect_failure(failure_of(machine, send(k + 1)),
                     {ErrorKind::send_limit,
                      1,
                      0,
                      {k},
                      "test: cycle 1, rank 0, port " + limit + ": more than " + limit +
                          " sends in one cycle (port model " + limit + ": at most " + limit + " sends a cycle)"});
    });
  }
}

TEST(KPorts, AllowSoManyReceivesAndNoMore) {
  const Topology hub = wirings::star(4);
  on_every_executor(10, [&](Executor& executor) {
    Machine<Word> machine(hub, {.ports = k_ports(3)}, executor);
    const auto send = [](Rank senders) {
      return [senders](Self& self) {
        return self.rank() == 0 ? take(self, senders) : send_to(self, 0, self.rank() <= senders);
      };
    };
    EXPECT_EQ(machine.run(send(3)).steps, 1U);
    expect_failure(failure_of(machine, send(4)),
                   {ErrorKind::receive_limit,
                    1,
                    0,
                    {0, 1, 2, 3},
                    "test: cycle 1, rank 0, ports 0, 1, 2 and 3: 4 messages sent to one processor in one cycle (port "
                    "model 3: at most 3 receives a cycle)"});
  });
}

TEST(KPorts, BeyondTheDegreeForbidNothing) {
  const Topology hub = wirings::star(4);
  Machine<Word> machine(hub, {.ports = k_ports(most_ports)});
  EXPECT_EQ(machine.run([](Self& self) { return self.rank() == 0 ? send_on_first(self, 4) : take(self, 1); }).steps,
            1U);
  EXPECT_EQ(machine.run([](Self& self) { return self.rank() == 0 ? take(self, 4) : send_to(self, 0, true); }).steps,
            1U);
}

Process send_twice_on_one(Self& self) {
  if (self.rank() == 0) {
    self.send(0, 1);
    self.send(0, 2);
  }
  co_return;
}

TEST(KPorts, ALinkCarriesOneMessage) {
  const Topology hub = wirings::star(2);
  Machine<Word> machine(hub, {.ports = k_ports(3)});
  expect_failure(failure_of(machine, send_twice_on_one),
                 {ErrorKind::send_limit,
                  0,
                  0,
                  {0},
                  "test: cycle 0, rank 0, port 0: a second message on one port in one cycle (one message a port and "
                  "direction)"});
}

Process send_one_payload(Self& self, Port ports) {
  self.send(std::span(four_ports).first(ports), 7);
  co_return;
}

TEST(KPorts, ASendOnSeveralPortsCountsOnceWithMulticastOnly) {
  const Topology hub = wirings::star(4);
  const auto spread = [](Self& self) { return self.rank() == 0 ? send_one_payload(self, 4) : take(self, 1); };
  Machine<Word> machine(hub, {.ports = k_ports(3)});
  expect_failure(failure_of(machine, spread),
                 {ErrorKind::send_limit,
                  0,
                  0,
                  {0, 1, 2, 3},
                  "test: cycle 0, rank 0, ports 0, 1, 2 and 3: more than 3 sends in one cycle (port model 3: at most 3 "
                  "sends a cycle)"});
  const Report three = machine.run(
      [](Self& self) { return self.rank() == 0 ? send_one_payload(self, 3) : take(self, self.rank() <= 3 ? 1 : 0); });
  EXPECT_EQ(three.sends, 3U);
  Machine<Word> with_multicast(hub, {.ports = k_ports(3), .multicast = true});
  EXPECT_EQ(with_multicast.run(spread).sends, 1U);
}

// Three messages on two ports: the third is sent a cycle later, and its transfer begins when both others have ended.
Process send_in_turns(Self& self) {
  self.send(0, 1);
  self.send(1, 2);
  co_await self.cycle();
  self.send(2, 3);
}

TEST(KPorts, TransfersOfOneCycleStartTogetherAndThoseOfTheNextWaitForThem) {
  const Topology hub = wirings::star(3);
  const auto program = [](Self& self) { return self.rank() == 0 ? send_in_turns(self) : take(self, 1); };
  const CostModel cost{.beta = 3, .tau = 4};
  Machine<Word> two(hub, {.ports = k_ports(2), .cost = cost});
  EXPECT_EQ(two.run(program).time_asynchronous, 2 * (3 + 4));
  Machine<Word> all(hub, {.ports = PortModel::all, .cost = cost});
  EXPECT_EQ(all.run(program).time_asynchronous, 3 + 4);
}

TEST(KPorts, AreForASwitchToo) {
  const Topology net("switch", 5, Medium{.kind = MediumKind::crossbar});
  on_every_executor(10, [&](Executor& executor) {
    Machine<Word> machine(net, {.ports = k_ports(3)}, executor);
    // Rank 4 sends to the first ranks, or they to rank 4.
    const auto from_last = [](Port messages) {
      return [messages](Self& self) {
        return self.rank() == 4 ? send_on_first(self, messages) : take(self, self.rank() < messages ? 1 : 0);
      };
    };
    const auto to_last = [](Rank senders) {
      return [senders](Self& self) {
        return self.rank() == 4 ? take(self, senders) : send_to(self, 4, self.rank() < senders);
      };
    };
    EXPECT_EQ(machine.run(from_last(3)).steps, 1U);
    EXPECT_EQ(machine.run(to_last(3)).steps, 1U);
    expect_failure(failure_of(machine, from_last(4)),
                   {ErrorKind::send_limit,
                    1,
                    4,
                    {3},
                    "test: cycle 1, rank 4, peer 3: more than 3 sends in one cycle (port model 3: at most 3 sends a "
                    "cycle)"});
    expect_failure(failure_of(machine, to_last(4)),
                   {ErrorKind::receive_limit,
                    1,
                    4,
                    {0, 1, 2, 3},
                    "test: cycle 1, rank 4, peers 0, 1, 2 and 3: 4 messages sent to one processor in one cycle (at "
                    "most 3 receives a cycle)"});
  });
}

TEST(KPorts, OfASwitchLeadToOneProcessorEach) {
  const Topology net("switch", 5, Medium{.kind = MediumKind::crossbar});
  Machine<Word> machine(net, {.ports = k_ports(3)});
  expect_failure(failure_of(machine, [](Self& self) { return self.rank() == 4 ? send_twice(self) : take(self, 0); }),
                 {ErrorKind::send_limit,
                  0,
                  4,
                  {0},
                  "test: cycle 0, rank 4, peer 0: a second message to one processor in one cycle (one message a pair "
                  "and direction)"});
}

TEST(KPorts, AreForNoOtherMedium) {
  for (const Medium& medium : {Medium{.kind = MediumKind::bus}, Medium{.kind = MediumKind::memory},
                               Medium{.kind = MediumKind::crossbar, .network = omega_of_four}}) {
    const Topology shared("shared", 4, medium);
    EXPECT_THROW(Machine<Word>(shared, {.ports = k_ports(2)}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace lockstep::k_ports_test
