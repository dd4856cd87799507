// The two modelled clocks, on examples small enough to be computed by hand from docs/semantics.md. A message of w words
// takes 2 + 3 w: beta = 2, tau = 3.
#include <utility>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::clocks_test {
namespace {

using runs::on_every_executor_and_channel;
using runs::options;

using List = std::vector<Word>;
using Self = Processor<List>;

const CostModel costs{.beta = 2, .tau = 3};

/// What a processor does in one cycle, in the order of the list.
struct Action {
  enum class Kind { take, send, forward, multicast, charge, compute } kind;
  Cycle cycle;
  std::vector<Port> ports;
  std::size_t length = 0;
};
using Actions = std::vector<Action>;

Action take(Cycle cycle, Port port) { return {Action::Kind::take, cycle, {port}}; }
Action send(Cycle cycle, Port port, std::size_t length) { return {Action::Kind::send, cycle, {port}, length}; }
/// Forwards the message that was taken last.
Action forward(Cycle cycle, Port port) { return {Action::Kind::forward, cycle, {port}}; }
Action multicast(Cycle cycle, std::vector<Port> ports, std::size_t length) {
  return {Action::Kind::multicast, cycle, std::move(ports), length};
}
Action charge(Cycle cycle, std::size_t length) { return {Action::Kind::charge, cycle, {}, length}; }

Action compute(Cycle cycle, std::size_t operations) { return {Action::Kind::compute, cycle, {}, operations}; }

Process play(Self& self, const Actions& actions, std::vector<double>& arrivals) {
  Message<List> last;
  for (const Action& action : actions) {
    co_await self.until(action.cycle);
    switch (action.kind) {
      case Action::Kind::take:
        last = self.receive(action.ports[0]);
        arrivals.push_back(last.arrival);
        break;
      case Action::Kind::send:
        self.send(action.ports[0], List(action.length));
        break;
      case Action::Kind::forward:
        self.forward(action.ports[0], last);
        break;
      case Action::Kind::multicast:
        self.send(action.ports, List(action.length));
        break;
      case Action::Kind::charge:
        self.charge(action.length);
        break;
      case Action::Kind::compute:
        self.compute(action.length);
        break;
    }
  }
}

/// Plays the actions under other costs, and under these beside them.
void expect_times_beside(const Topology& topology, Model model, const std::vector<Actions>& actions,
                         const ModelledTimes& expected, Executor& executor, ChannelKind channels) {
  RunOptions several = options();
  several.other_costs = {{.beta = 0.5, .tau = 9, .max_packet_words = model.cost.max_packet_words}, model.cost};
  model.cost = {.beta = 7,
                .tau = 0.1,
                .max_packet_words = model.cost.max_packet_words,
                .copy_cost = 4,
                .flop = 0.3,
                .scan_cost = 2};
  Machine<List> machine(topology, model, executor, channels);
  std::vector<std::vector<double>> unread(actions.size());  // they are no times
  const Report report =
      machine.run([&](Self& self) { return play(self, actions[self.rank()], unread[self.rank()]); }, several);
  ASSERT_EQ(report.other_times.size(), 2U);
  EXPECT_EQ(report.other_times[1].asynchronous, expected.asynchronous);
  EXPECT_EQ(report.other_times[1].synchronous, expected.synchronous);
  EXPECT_EQ(report.other_times[1].arithmetic, expected.arithmetic);
}

/// Plays the actions of every rank; `arrivals` are the modelled times at which the messages that each rank took came.
void expect_times(const Topology& topology, Model model, const std::vector<Actions>& actions,
                  const std::vector<std::vector<double>>& arrivals, double asynchronous, double synchronous,
                  double arithmetic = 0, std::uint64_t operations = 0) {
  if (model.cost.beta == 1) model.cost = costs;
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<List> machine(topology, model, executor, channels);
    std::vector<std::vector<double>> seen(actions.size());
    const Report report =
        machine.run([&](Self& self) { return play(self, actions[self.rank()], seen[self.rank()]); }, options());
    EXPECT_EQ(seen, arrivals);
    EXPECT_EQ(report.time_asynchronous, asynchronous);
    EXPECT_EQ(report.time_synchronous, synchronous);
    EXPECT_EQ(report.time_arithmetic, arithmetic);
    EXPECT_EQ(report.operations, operations);
    if (topology.medium()) return;  // which keeps no other clocks
    expect_times_beside(topology, model, actions, {synchronous, asynchronous, arithmetic}, executor, channels);
  });
}

const Model one{};
const Model all{.ports = PortModel::all};
const Model one_multicast{.multicast = true};

TEST(Clocks, APipelineAlongAPath) {
  // Packets of 1, 4 and 1 words (5, 14, 5) from rank 0 to rank 2 through rank 1.
  //   link 0 -> 1:  0..5   5..19  19..24
  //   link 1 -> 2:  5..10  19..33 33..38   (the third has arrived at 24, but the port is free at 33)
  const std::vector<Actions> actions{{send(0, 0, 1), send(1, 0, 4), send(2, 0, 1)},
                                     {take(1, 1), forward(1, 0), take(2, 1), forward(2, 0), take(3, 1), forward(3, 0)},
                                     {take(2, 1), take(3, 1), take(4, 1)}};
  const std::vector<std::vector<double>> arrivals{{}, {5, 19, 24}, {10, 33, 38}};
  // Synchronous: the costliest message of each cycle, 5 + 14 + 14 + 5.
  expect_times(wirings::path(3), one, actions, arrivals, 38, 38);
  expect_times(wirings::path(3), all, actions, arrivals, 38, 38);
}

TEST(Clocks, TheAsynchronousClockChargesNoBarrier) {
  // Two pairs side by side: 0 -> 1 carries 10 words, then 1; 2 -> 3 carries 1 word, then 10.
  const std::vector<Actions> actions{{send(0, 0, 10), send(1, 0, 1)},
                                     {take(1, 1), take(2, 1)},
                                     {send(0, 0, 1), send(1, 0, 10)},
                                     {take(1, 1), take(2, 1)}};
  expect_times(wirings::path(4), one, actions, {{}, {32, 37}, {}, {5, 37}}, 37, 64);
}

TEST(Clocks, AFanInSharesTheReceiveClockUnderOnePort) {
  // Three leaves send 1, 2 and 1 words to the hub, one a cycle.
  const std::vector<Actions> actions{
      {take(1, 0), take(2, 1), take(3, 2)}, {send(0, 0, 1)}, {send(1, 0, 2)}, {send(2, 0, 1)}};
  expect_times(wirings::star(3), one, actions, {{5, 13, 18}, {}, {}, {}}, 18, 18);
  // With all ports, each port has its own clock.
  expect_times(wirings::star(3), all, actions, {{5, 8, 5}, {}, {}, {}}, 8, 18);
}

TEST(Clocks, AFanOutSharesTheSendClockUnderOnePort) {
  const std::vector<Actions> actions{
      {send(0, 0, 1), send(1, 1, 2), send(2, 2, 1)}, {take(1, 0)}, {take(2, 0)}, {take(3, 0)}};
  expect_times(wirings::star(3), one, actions, {{}, {5}, {13}, {18}}, 18, 18);
  expect_times(wirings::star(3), all, actions, {{}, {5}, {8}, {5}}, 8, 18);
}

TEST(Clocks, APortIsBusyUntilItsTransferEndsUnderAll) {
  // Two messages on port 0 in a row; port 1 meanwhile is free.
  const std::vector<Actions> actions{
      {send(0, 0, 2), send(1, 0, 1), send(2, 1, 1)}, {take(1, 0), take(2, 0)}, {take(3, 0)}, {}};
  expect_times(wirings::star(3), all, actions, {{}, {8, 13}, {5}, {}}, 13, 18);
}

TEST(Clocks, SendAndReceiveClocksAreSeparate) {
  // An exchange on one link, twice: both directions at once. A send waits for the message that was taken.
  const std::vector<Actions> actions{{send(0, 0, 1), take(1, 0), send(1, 0, 2), take(2, 0)},
                                     {send(0, 0, 4), take(1, 0), send(1, 0, 1), take(2, 0)}};
  // Round 1: 0 -> 1 0..5, 1 -> 0 0..14. Round 2: 0 -> 1 starts at 14 (data), ends 22; 1 -> 0 starts at 14 (its send
  // clock and the receive clock of 0), ends 19.
  expect_times(wirings::pair(), one, actions, {{14, 19}, {5, 22}}, 22, 22);
  expect_times(wirings::pair(), all, actions, {{14, 19}, {5, 22}}, 22, 22);
}

TEST(Clocks, ASendWaitsForEverythingTakenAForwardForItsMessage) {
  // The hub takes a long message from leaf 1, then a short one from leaf 2, and forwards the short one to leaf 3.
  const auto actions = [](const Action& pass_on) {
    return std::vector<Actions>{{take(2, 0), take(2, 1), pass_on}, {send(0, 0, 10)}, {send(1, 0, 1)}, {take(3, 0)}};
  };
  // With all ports: the long one arrives at 32, the short one at 5.
  expect_times(wirings::star(3), all, actions(send(2, 2, 1)), {{32, 5}, {}, {}, {37}}, 37, 42);
  expect_times(wirings::star(3), all, actions(forward(2, 2)), {{32, 5}, {}, {}, {10}}, 32, 42);
  // With one port, the hub's receive clock makes the short one arrive at 37.
  expect_times(wirings::star(3), one, actions(send(2, 2, 1)), {{32, 37}, {}, {}, {42}}, 42, 42);
  expect_times(wirings::star(3), one, actions(forward(2, 2)), {{32, 37}, {}, {}, {42}}, 42, 42);
}

TEST(Clocks, AForwardWaitsForItsPort) {
  // Leaf 1's message (arrival 5) is forwarded after the hub has sent 10 words (until 32) elsewhere.
  const std::vector<Actions> actions{
      {send(0, 1, 10), take(1, 0), forward(1, 2)}, {send(0, 0, 1)}, {take(1, 0)}, {take(2, 0)}};
  expect_times(wirings::star(3), one, actions, {{5}, {}, {32}, {37}}, 37, 37);
  expect_times(wirings::star(3), all, actions, {{5}, {}, {32}, {10}}, 32, 37);
}

TEST(Clocks, AMessageNotYetTakenHoldsUpNoSend) {
  const std::vector<Actions> actions{{send(1, 1, 1), take(2, 0)}, {send(0, 0, 10)}, {take(2, 0)}, {}};
  expect_times(wirings::star(3), one, actions, {{32}, {}, {5}, {}}, 32, 37);
}

TEST(Clocks, AMulticastStartsAtOnceOnAllItsPorts) {
  // The hub sends 2 words (8) to leaves 1 to 3 at once, then 1 word to leaf 1, from 8 on.
  const std::vector<Actions> told{
      {multicast(0, {0, 1, 2}, 2), send(1, 0, 1)}, {take(1, 0), take(2, 0)}, {take(1, 0)}, {take(1, 0)}};
  expect_times(wirings::star(3), one_multicast, told, {{}, {8, 13}, {8}, {8}}, 13, 13);
  expect_times(wirings::star(3), all, told, {{}, {8, 13}, {8}, {8}}, 13, 13);
}

TEST(Clocks, AMulticastWaitsForEachReceiversClock) {
  // A path of four: rank 2 is busy with 10 words from rank 3 (until 32) when rank 1 sends one word to each of 0 and 2.
  // Rank 1's next send starts when its multicast has ended at both.
  const std::vector<Actions> told{
      {take(2, 0), take(3, 0)}, {multicast(1, {0, 1}, 1), send(2, 1, 1)}, {take(1, 0), take(2, 1)}, {send(0, 1, 10)}};
  expect_times(wirings::path(4), one_multicast, told, {{5, 42}, {}, {32, 37}, {}}, 42, 42);
  Model all_multicast = all;
  all_multicast.multicast = true;
  expect_times(wirings::path(4), all_multicast, told, {{5, 10}, {}, {32, 5}, {}}, 32, 42);
}

TEST(Clocks, StartUpsArePaidForEveryPacket) {
  // 9 words in packets of at most 4: three start-ups, 3 * 2 + 9 * 3.
  const Model packets{.cost = {.beta = 2, .tau = 3, .max_packet_words = 4}};
  expect_times(wirings::pair(), packets, {{send(0, 0, 9)}, {take(1, 0)}}, {{}, {33}}, 33, 33);
}

TEST(Clocks, TheSynchronousClockAddsTheLargestCopyOfEveryCycle) {
  // Cycle 0: a message of 1 word (5), copies of 4 and 2 + 5 words: 7 words at 0.5. Cycle 1: only copies, at most 6.
  const Model copying{.cost = {.beta = 2, .tau = 3, .copy_cost = 0.5}};
  const std::vector<Actions> actions{{send(0, 0, 1), charge(0, 4), charge(1, 6)},
                                     {charge(0, 2), charge(0, 5), charge(1, 1), take(1, 0)}};
  expect_times(wirings::pair(), copying, actions, {{}, {5}}, 5, 5 + 3.5 + 3);
}

TEST(Clocks, WhatIsSentWaitsForCopiesAndWhatIsForwardedDoesNot) {
  // Rank 1 takes 2 words (8) at 8 and copies 6 and then 4 words at 0.5: its data is ready at 13. The message forwarded
  // to rank 2 leaves at 8, the one on the other link at 13; a last copy of 20 words ends the run at 23.
  const Model copying{.ports = PortModel::all, .cost = {.beta = 2, .tau = 3, .copy_cost = 0.5}};
  const std::vector<Actions> actions{
      {send(0, 0, 2), take(2, 0)},
      {take(1, 1), charge(1, 6), charge(1, 4), forward(1, 0), send(1, 1, 1), charge(2, 20)},
      {take(2, 1)}};
  expect_times(wirings::path(3), copying, actions, {{18}, {8}, {16}}, 23, 8 + (8 + 5) + 10);
}

TEST(Clocks, ACopyBeginsWhenAllThatWasTakenHasArrived) {
  // Rank 1 copies 10 words (5) at once, and 2 more when the message that it takes has arrived at 29: ready at 30.
  const Model copying{.cost = {.beta = 2, .tau = 3, .copy_cost = 0.5}};
  const std::vector<Actions> actions{{send(0, 0, 9), take(3, 0)},
                                     {charge(0, 10), take(1, 0), charge(1, 2), send(2, 0, 1)}};
  expect_times(wirings::pair(), copying, actions, {{35}, {29}}, 35, (29 + 5) + 1 + 5);
}

TEST(Clocks, ArithmeticIsChargedAsCopiesAreOnBothClocks) {
  // Rank 0 sends 1 word (5) at 0 and computes 8 operations at 0.25; rank 1 takes it at 5, computes 12 (3) and copies 2
  // words (1), sends from 9 to 14. Cycle 0: 5 + 2; cycle 1: 5 + 3 + 1, as the 4 operations of rank 0 are fewer.
  const Model model{.cost = {.beta = 2, .tau = 3, .copy_cost = 0.5, .flop = 0.25}};
  const std::vector<Actions> actions{{send(0, 0, 1), compute(0, 8), compute(1, 4), take(2, 0)},
                                     {take(1, 0), compute(1, 5), compute(1, 7), charge(1, 2), send(1, 0, 1)}};
  expect_times(wirings::pair(), model, actions, {{14}, {5}}, 14, (5 + 2) + (5 + 3 + 1), 2 + 3, 8 + 4 + 5 + 7);
}

TEST(Clocks, ACopyDoesNotKeepABusBusy) {
  // Rank 0 sends 1 word (5) and copies 100 words (50); rank 2 sends in the next cycle when the bus is free, at 5.
  const Model copying{.cost = {.beta = 2, .tau = 3, .copy_cost = 0.5}};
  const Topology bus("bus", 3, Medium{.kind = MediumKind::bus, .users = 1});
  const std::vector<Actions> actions{{send(0, 1, 1), charge(0, 100)}, {take(1, 0), take(2, 2)}, {send(1, 1, 1)}};
  expect_times(bus, copying, actions, {{}, {5, 10}, {}}, 50, (5 + 50) + 5);
}

Process look(Self& self) {
  self.scan(4);
  co_return;
}

TEST(Clocks, ALookHasACostOfItsOwn) {
  const Topology alone = wirings::single();
  Machine<List> machine(alone, {.cost = {.copy_cost = 5, .flop = 7, .scan_cost = 3}});
  const Report report = machine.run(look, options());
  EXPECT_EQ(report.scanned_blocks, 4U);
  EXPECT_EQ(report.time_synchronous, 12.0);
  EXPECT_EQ(report.time_asynchronous, 12.0);
}

TEST(Clocks, AHeaderGoesOnBeforeItsWords) {
  const CostModel cut{.beta = 2, .tau = 3, .hop_cost = 5, .switching = Switching::cut_through};
  CostModel circuit = cut;
  circuit.switching = Switching::circuit;
  const auto passage = [](const CostModel& cost, std::uint64_t startups, const Journey& journey) {
    const Passage passed = cost.passage(startups, 4, journey);
    return std::pair(passed.arrival, passed.release);
  };
  // A header of 2 + 5, followed by 4 words of 3; a circuit holds its links until the header has made the remaining
  // hops.
  EXPECT_EQ(passage(cut, 1, {0, 3}), std::pair(7.0, 19.0));
  EXPECT_EQ(passage(circuit, 1, {0, 3}), std::pair(7.0, 29.0));
  for (const CostModel& cost : {cut, circuit}) {
    EXPECT_EQ(passage(cost, 1, {0, 1}), std::pair(19.0, 19.0));
    EXPECT_EQ(passage(cost, 0, {2, 1}), std::pair(17.0, 17.0));
  }
  EXPECT_EQ(passage({.beta = 2, .tau = 3, .hop_cost = 5}, 1, {0, 3}), std::pair(14.0, 14.0));
}

/// Four words that have two more links to go.
struct Traveller {};
[[maybe_unused]] std::uint64_t words(const Traveller&) { return 4; }
[[maybe_unused]] Journey journey(const Traveller&) { return {0, 3}; }

Process send_two(Processor<Traveller>& self) {
  for (int message = 0; message < 2; ++message) {
    if (self.rank() == 0) self.send(0, Traveller());
    if (self.rank() == 1) co_await self.message(0);
    co_await self.cycle();
  }
}

// The second header waits until the words of the first message have passed: 19 + 7.
TEST(Clocks, APortIsFreeWhenTheWordsHaveFollowedTheirHeader) {
  const Topology two = wirings::pair();
  Machine<Traveller> machine(two, {.ports = PortModel::all,
                                   .cost = {.beta = 2, .tau = 3, .hop_cost = 5, .switching = Switching::cut_through}});
  const Report report = machine.run(send_two, options());
  EXPECT_EQ(report.time_asynchronous, 26.0);
  EXPECT_EQ(report.time_synchronous, 14.0);  // the words are paid for where the message rests
}

Process pass_on(Processor<Traveller>& self) {
  if (self.rank() == 0) self.send(0, Traveller());
  if (self.rank() == 1) self.forward(0, co_await self.message(1));
  if (self.rank() == 2) co_await self.message(1);
}

// The second header starts when the first has arrived, at 7, and its words have passed at 7 + 19.
TEST(Clocks, AHeaderIsPassedOnBeforeItsWordsHaveCome) {
  for (const auto& [ports, time] : {std::pair{PortModel::all, 14.0}, {PortModel::one, 26.0}}) {
    const Topology path = wirings::path(3);
    Machine<Traveller> machine(
        path, {.ports = ports, .cost = {.beta = 2, .tau = 3, .hop_cost = 5, .switching = Switching::cut_through}});
    EXPECT_EQ(machine.run(pass_on, options()).time_asynchronous, time);
  }
}

}  // namespace
}  // namespace lockstep::clocks_test
