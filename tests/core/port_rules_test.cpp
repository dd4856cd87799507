// Rules that one sender or receiver can break alone: refused at once, and reported even if the program catches the
// error.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::port_rules_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor;
using runs::options;

using Self = Processor<Word>;

/// What rank 1 of a path of three does in cycle 2. Its ports: 0 to rank 2, 1 to rank 0.
using Act = void (*)(Self& self);

Process act_in_cycle_two(Self& self, Act act, bool catches) {
  co_await self.until(2);
  if (self.rank() != 1) co_return;
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

struct Case {
  std::string name;
  Model model;
  Act act;
  ErrorKind kind;
  std::vector<Port> ports;
  std::string rule;
};

constexpr std::array<Port, 2> both_ports{0, 1};
constexpr std::array<Port, 2> port_one_twice{1, 1};
constexpr std::array<Port, 2> with_port_nine{0, 9};

void send_on_two_ports(Self& self) {
  self.send(0, 5);
  self.send(1, 6);
}

void send_twice_on_one_port(Self& self) {
  self.send(0, 5);
  self.send(0, 6);
}

void multicast(Self& self) { self.send(both_ports, 5); }

void multicast_and_send(Self& self) {
  self.send(both_ports, 5);
  self.send(1, 6);
}

void send_and_multicast(Self& self) {
  self.send(1, 6);
  self.send(both_ports, 5);
}

const Model one{};
const Model one_multicast{.ports = PortModel::one, .multicast = true};
const Model strict{.ports = PortModel::one_strict};
const Model strict_multicast{.ports = PortModel::one_strict, .multicast = true};
const Model all{.ports = PortModel::all};
const Model ring{.ports = PortModel::ring};
const Model ring_multicast{.ports = PortModel::ring, .multicast = true};
const Model all_multicast{.ports = PortModel::all, .multicast = true};

const std::string second_under_one = "a second send in one cycle (port model one: at most one send a cycle)";
const std::string second_under_strict = "a second send in one cycle (port model one-strict: at most one send a cycle)";
const std::string port_used = "a second message on one port in one cycle (one message a port and direction)";
const std::string no_such_port = "there is no such port: they are 0 to 1";

std::vector<Case> cases() {
  return {
      {"two ports, one", one, send_on_two_ports, ErrorKind::send_limit, {0, 1}, second_under_one},
      {"two ports, one-strict", strict, send_on_two_ports, ErrorKind::send_limit, {0, 1}, second_under_strict},
      {"two ports, one with multicast",
       one_multicast,
       send_on_two_ports,
       ErrorKind::send_limit,
       {0, 1},
       second_under_one},
      {"one port twice, one", one, send_twice_on_one_port, ErrorKind::send_limit, {0}, second_under_one},
      {"one port twice, all", all, send_twice_on_one_port, ErrorKind::send_limit, {0}, port_used},
      {"one port twice, ring", ring, send_twice_on_one_port, ErrorKind::send_limit, {0}, port_used},
      {"multicast, then a send, ring", ring, multicast_and_send, ErrorKind::send_limit, {1}, port_used},
      {"multicast, then a send, ring with multicast",
       ring_multicast,
       multicast_and_send,
       ErrorKind::send_limit,
       {1},
       port_used},
      {"multicast, one",
       one,
       multicast,
       ErrorKind::send_limit,
       {0, 1},
       "one send on several ports (port model one without multicast: one port a cycle)"},
      {"multicast, one-strict",
       strict,
       multicast,
       ErrorKind::send_limit,
       {0, 1},
       "one send on several ports (port model one-strict: one port a cycle)"},
      {"multicast, one-strict with multicast",
       strict_multicast,
       multicast,
       ErrorKind::send_limit,
       {0, 1},
       "one send on several ports (port model one-strict: one port a cycle)"},
      {"multicast, then a send", one_multicast, multicast_and_send, ErrorKind::send_limit, {1}, second_under_one},
      {"a send, then multicast", one_multicast, send_and_multicast, ErrorKind::send_limit, {1, 0}, second_under_one},
      {"multicast, then a send, all", all_multicast, multicast_and_send, ErrorKind::send_limit, {1}, port_used},
      {"multicast names a port twice",
       one_multicast,
       [](Self& self) { self.send(port_one_twice, 5); },
       ErrorKind::send_limit,
       {1},
       port_used},
      {"multicast names a port twice, all",
       all,
       [](Self& self) { self.send(port_one_twice, 5); },
       ErrorKind::send_limit,
       {1},
       port_used},
      {"a forward is a send",
       one,
       [](Self& self) {
         self.send(0, 5);
         self.forward(1, {6, 0, 0});
       },
       ErrorKind::send_limit,
       {0, 1},
       second_under_one},
      {"an exchange is a send",
       one,
       [](Self& self) {
         self.send(0, 5);
         static_cast<void>(self.exchange(1, 6));
       },
       ErrorKind::send_limit,
       {0, 1},
       second_under_one},
      {"send, no such port", one, [](Self& self) { self.send(2, 5); }, ErrorKind::no_link, {2}, no_such_port},
      {"send, a huge port",
       all,
       [](Self& self) { self.send(~Port{0}, 5); },
       ErrorKind::no_link,
       {~Port{0}},
       no_such_port},
      {"multicast, no such port",
       all,
       [](Self& self) { self.send(with_port_nine, 5); },
       ErrorKind::no_link,
       {9},
       no_such_port},
      {"forward, no such port",
       one,
       [](Self& self) {
         self.forward(2, {6, 0, 0});
       },
       ErrorKind::no_link,
       {2},
       no_such_port},
      {"exchange, no such port",
       one,
       [](Self& self) { static_cast<void>(self.exchange(2, 6)); },
       ErrorKind::no_link,
       {2},
       no_such_port},
      {"receive, no such port", one, [](Self& self) { self.receive(2); }, ErrorKind::no_link, {2}, no_such_port},
      {"message, no such port",
       one,
       [](Self& self) { static_cast<void>(self.message(2)); },
       ErrorKind::no_link,
       {2},
       no_such_port},
      {"nothing arrived",
       one,
       [](Self& self) { self.receive(1); },
       ErrorKind::nothing_arrived,
       {1},
       "receive, but no message has arrived"},
  };
}

std::string at_rank_one(const std::vector<Port>& ports, const std::string& rule) {
  std::string where = "algorithm/name: cycle 2, rank 1, ";
  where += ports.size() == 1 ? "port " + std::to_string(ports[0])
                             : "ports " + std::to_string(ports[0]) + " and " + std::to_string(ports[1]);
  return where + ": " + rule;
}

TEST(PortRules, EachBrokenAloneIsReportedWithItsCoordinates) {
  const Topology three = wirings::path(3);
  for (const Case& broken : cases()) {
    SCOPED_TRACE(broken.name);
    for (const bool catches : {false, true}) {
      SCOPED_TRACE(catches ? "the program catches the error" : "the program does not catch the error");
      on_every_executor(2, [&](Executor& executor) {
        Machine<Word> machine(three, broken.model, executor);
        const RunError error = failure_of(
            machine, [&](Self& self) { return act_in_cycle_two(self, broken.act, catches); },
            options("algorithm/name"));
        expect_failure(error, {broken.kind, 2, 1, broken.ports, at_rank_one(broken.ports, broken.rule)});
      });
    }
  }
}

Process act_at_once(Self& self, Rank who, Act act) {
  if (self.rank() == who) act(self);
  co_await self.cycle();
}

TEST(PortRules, APortWithoutALinkIsNamed) {
  const Topology three = wirings::path(3);
  Machine<Word> machine(three, {.ports = PortModel::all});
  const std::array<Act, 6> acts{[](Self& self) { self.send(0, 1); },
                                [](Self& self) { self.receive(0); },
                                [](Self& self) { static_cast<void>(self.message(0)); },
                                [](Self& self) { static_cast<void>(self.exchange(0, 1)); },
                                [](Self& self) { self.send(both_ports, 1); },
                                [](Self& self) {
                                  self.forward(0, {1, 0, 0});
                                }};
  for (const Act act : acts) {
    const RunError error = failure_of(machine, [&](Self& self) { return act_at_once(self, 2, act); });
    expect_failure(error, {ErrorKind::no_link, 0, 2, {0}, "test: cycle 0, rank 2, port 0: the port has no link"});
  }
}

TEST(PortRules, AMachineWithoutPortsSaysSo) {
  const Topology alone = wirings::single();
  Machine<Word> machine(alone);
  const RunError error =
      failure_of(machine, [](Self& self) { return act_at_once(self, 0, [](Self& who) { who.send(0, 1); }); });
  expect_failure(
      error,
      {ErrorKind::no_link, 0, 0, {0}, "test: cycle 0, rank 0, port 0: there is no such port: the machine has none"});
}

Process look_around(Self& self) {
  EXPECT_FALSE(self.arrived(0));
  EXPECT_FALSE(self.arrived(77));
  EXPECT_EQ(self.has_link(0), self.rank() < 2);
  EXPECT_EQ(self.has_link(1), self.rank() > 0);
  EXPECT_FALSE(self.has_link(2));
  EXPECT_EQ(self.neighbour(1), self.rank() > 0 ? self.rank() - 1 : no_rank);
  co_return;
}

TEST(PortRules, LookingAtAPortBreaksNone) {
  const Topology three = wirings::path(3);
  Machine<Word> machine(three);
  EXPECT_NO_THROW(machine.run(look_around));
}

Process keep_all_rules(Self& self, bool many_ports) {
  // An empty list of ports sends nothing; a list of one is an ordinary send.
  const std::span<const Port> none;
  self.send(none, 1);
  if (self.rank() == 1) {
    self.send(std::span(both_ports).first(many_ports ? 2 : 1), 8);
    co_return;
  }
  if (self.rank() == 0 && !many_ports) co_return;
  const Word item = co_await self.message();
  EXPECT_EQ(item, 8U);
}

TEST(PortRules, AllowWhatTheModelsAllow) {
  const Topology three = wirings::path(3);
  for (const Model& model : {one, strict, one_multicast, strict_multicast, all, all_multicast}) {
    const bool many = model.ports == PortModel::all || (model.ports == PortModel::one && model.multicast);
    Machine<Word> machine(three, model);
    const Report report = machine.run([&](Self& self) { return keep_all_rules(self, many); });
    EXPECT_EQ(report.messages, many ? 2U : 1U);
    EXPECT_EQ(report.sends, many && !model.multicast ? 2U : 1U);
  }
}

}  // namespace
}  // namespace lockstep::port_rules_test
