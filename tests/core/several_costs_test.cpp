// One run under several costs has, bit by bit, the times of as many runs under one: programs that hold, combine and
// forward messages at random, on every executor.
#include <random>
#include <utility>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::several_costs_test {
namespace {

using runs::on_every_executor_and_channel;
using runs::options;

using List = std::vector<Word>;
using Self = Processor<List>;

/// How a program finds the arrival of a message that it makes of two.
enum class Combines { rightly, by_their_order };

struct Traffic {
  Cycle cycles = 24;
  bool on_all_ports = false;
  bool multicasts = false;
  Combines combines = Combines::rightly;
};

constexpr std::uint64_t most_held = 8;

/// Drops the oldest once there are too many, so that some are held for long.
void keep(std::vector<Message<List>>& held, Message<List> message) {
  if (held.size() == most_held) held.erase(held.begin());
  held.push_back(std::move(message));
}

void send_some(Self& self, Port port, const Traffic& traffic, std::mt19937_64& draw,
               const std::vector<Message<List>>& held) {
  const auto any = [&]() -> const Message<List>& { return held[draw() % held.size()]; };
  switch (held.empty() ? 0 : draw() % 4) {
    case 0:
      self.send(port, List(draw() % 6));
      break;
    case 1:
    case 2:
      self.forward(port, any());
      break;
    default: {
      const Message<List>& one = any();
      const Message<List>& other = any();
      const double arrival = traffic.combines == Combines::rightly ? self.later(one.arrival, other.arrival)
                                                                   : std::max(one.arrival, other.arrival);
      self.forward(port, {.payload = List(draw() % 6), .port = 0, .arrival = arrival});
    }
  }
}

/// In every cycle all that send do so along one dimension, or one processor to all neighbours, or all on any ports.
Process communicate(Self& self, const Traffic& traffic) {
  std::mt19937_64 draw(self.rank() + 1);
  std::vector<Message<List>> held;
  for (Cycle cycle = 0; cycle <= traffic.cycles; ++cycle) {
    co_await self.until(cycle);
    for (const Port port : self.arrivals()) keep(held, self.receive(port));
    if (cycle == traffic.cycles) break;
    if (draw() % 3 == 0) self.charge(draw() % 9);
    if (draw() % 3 == 0) self.compute(draw() % 9);
    if (draw() % 3 == 0) self.scan(draw() % 9);
    if (traffic.multicasts && cycle % 3 == 2) {
      if (cycle % self.processors() != self.rank()) continue;
      std::vector<Port> ports;
      for (Port port = 0; port < self.ports(); ++port) ports.push_back(port);
      self.send(ports, List(draw() % 6));
      continue;
    }
    for (Port port = 0; port < self.ports(); ++port) {
      const bool may_send = traffic.on_all_ports || port == cycle % self.ports();
      if (may_send && draw() % 4 != 0) send_some(self, port, traffic, draw, held);
    }
  }
}

/// Odd numbers, so that sums in another order differ in their last bits.
std::vector<CostModel> some_costs(std::uint64_t max_packet_words = 0) {
  const auto cost = [&](double beta, double tau, double copy, double flop, double look) {
    return CostModel{.beta = beta,
                     .tau = tau,
                     .max_packet_words = max_packet_words,
                     .copy_cost = copy,
                     .flop = flop,
                     .scan_cost = look};
  };
  return {cost(1, 1, 0, 0, 0),         cost(0.1, 0.7, 0.3, 0.9, 0.05),  cost(1000.1, 1.0 / 3, 0.01, 0, 7),
          cost(0, 5.3, 11.7, 0.3, 0),  cost(1e-6, 1e-9, 1e-8, 1e-7, 0), cost(77, 0, 0.2, 3.1, 0.7),
          cost(3.3, 3.3, 33.3, 0.3, 3)};
}

using Times = std::vector<double>;

Times times_of(const Report& report) {
  return {report.time_synchronous, report.time_asynchronous, report.time_arithmetic};
}
Times times_of(const ModelledTimes& times) { return {times.synchronous, times.asynchronous, times.arithmetic}; }

/// The times under each of the costs in runs of their own.
std::vector<Times> times_apart(const Topology& topology, Model model, const std::vector<CostModel>& costs,
                               const Traffic& traffic, const Faults& faults = {}) {
  std::vector<Times> all;
  const auto executor = make_executor(ExecutorKind::sequential, 1, 1);
  for (const CostModel& cost : costs) {
    model.cost = cost;
    Machine<List> machine(topology, model, *executor);
    machine.apply(faults);
    all.push_back(times_of(machine.run([&](Self& self) { return communicate(self, traffic); }, options())));
  }
  return all;
}

RunOptions options_beside(const std::vector<CostModel>& costs) {
  RunOptions several = options();
  several.other_costs.assign(costs.begin() + 1, costs.end());
  return several;
}

/// Those in one run, under the first of the costs.
std::vector<Times> times_together(Machine<List>& machine, const std::vector<CostModel>& costs, const Traffic& traffic) {
  const Report report = machine.run([&](Self& self) { return communicate(self, traffic); }, options_beside(costs));
  std::vector<Times> all{times_of(report)};
  for (const ModelledTimes& times : report.other_times) all.push_back(times_of(times));
  return all;
}

void expect_same(const Topology& topology, Model model, const Traffic& traffic, std::uint64_t max_packet_words = 0,
                 const Faults& faults = {}) {
  const std::vector<CostModel> costs = some_costs(max_packet_words);
  const std::vector<Times> apart = times_apart(topology, model, costs, traffic, faults);
  model.cost = costs.front();
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<List> machine(topology, model, executor, channels);
    machine.apply(faults);
    EXPECT_EQ(times_together(machine, costs, traffic), apart);
  });
}

TEST(SeveralCosts, HaveTheTimesOfRunsApartUnderOnePort) {
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    expect_same(wirings::cube(4), {.ports = ports}, {});
  }
  expect_same(wirings::ring(5), {.ports = PortModel::ring}, {});
  expect_same(wirings::cube(3), {.ports = PortModel::one, .multicast = true}, {.multicasts = true});
}

TEST(SeveralCosts, HaveThemUnderAllPorts) {
  expect_same(wirings::cube(4), {.ports = PortModel::all}, {.on_all_ports = true});
  expect_same(wirings::complete(7), {.ports = PortModel::all, .multicast = true},
              {.on_all_ports = true, .multicasts = true});
}

TEST(SeveralCosts, HaveThemInPackets) {
  expect_same(wirings::cube(3), {}, {}, 2);
  expect_same(wirings::cube(3), {.ports = PortModel::all}, {.on_all_ports = true}, 2);
}

TEST(SeveralCosts, HaveThemWhereAProcessorLagsBehind) {
  const Faults slow{.stragglers = {{1, 2.7}, {6, 0.3}}};
  expect_same(wirings::cube(3), {}, {}, 0, slow);
  expect_same(wirings::cube(3), {.ports = PortModel::all}, {.on_all_ports = true}, 0, slow);
}

// The comparison can fail: a program that orders the arrivals itself has other times.
TEST(SeveralCosts, NeedArrivalsThatTheMachineCombines) {
  const Topology cube = wirings::cube(4);
  const std::vector<CostModel> costs = some_costs();
  const Traffic wrong{.combines = Combines::by_their_order};
  Machine<List> machine(cube, {.cost = costs.front()});
  EXPECT_NE(times_together(machine, costs, wrong), times_apart(cube, {}, costs, wrong));
}

Process exchange_words(Processor<Word>& self) {
  for (Port port = 0; port < self.ports(); ++port) co_await self.exchange(port, Word{1});
}

// Three exchanges of one word: beta + tau each.
TEST(SeveralCosts, TimeMessagesOfSingleWords) {
  const Topology cube = wirings::cube(3);
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    Machine<Word> machine(cube, {.ports = ports});
    RunOptions several = options();
    several.other_costs = {{.beta = 10, .tau = 1}, {.beta = 0, .tau = 100}};
    const Report report = machine.run(exchange_words, several);
    ASSERT_EQ(report.other_times.size(), 2U);
    EXPECT_EQ(times_of(report), (Times{6, 6, 0}));
    EXPECT_EQ(times_of(report.other_times[0]), (Times{33, 33, 0}));
    EXPECT_EQ(times_of(report.other_times[1]), (Times{300, 300, 0}));
    EXPECT_EQ(report.digest(), machine.run(exchange_words, options()).digest());
    EXPECT_TRUE(machine.run(exchange_words, options()).other_times.empty());
  }
}

TEST(SeveralCosts, AreNotKeptWhereThatIsSaid) {
  const std::vector<CostModel> costs = some_costs();
  const Traffic traffic;
  const Topology cube = wirings::cube(3);
  Machine<List> two_ports(cube, {.ports = k_ports(2)});
  EXPECT_EQ(times_together(two_ports, costs, traffic).size(), 1U);

  struct Onlooker : Observer<List> {
    void barrier(Cycle, std::vector<Transfer<List>>&) override {}
  } onlooker;
  Machine<List> observed(cube, {});
  observed.observe(&onlooker);
  EXPECT_EQ(times_together(observed, costs, traffic), times_apart(cube, {}, {costs.front()}, traffic));
}

TEST(SeveralCosts, OtherPacketsAndOtherSwitchingAreRefused) {
  const Topology pair = wirings::pair();
  Machine<Word> machine(pair, {});
  for (const CostModel& other : {CostModel{.max_packet_words = 4}, CostModel{.switching = Switching::cut_through},
                                 CostModel{.switching = Switching::circuit}, CostModel{.startup = StartupPer::path}}) {
    RunOptions several = options();
    several.other_costs = {other};
    EXPECT_THROW(machine.run(exchange_words, several), std::invalid_argument);
  }
}

/// Rank 0 takes a message, exchanges `exchanges` more with its neighbour, and then forwards the first.
Process hold(Processor<Word>& self, Cycle exchanges) {
  Message<Word> first;
  if (self.rank() == 1) self.send(0, 1);
  co_await self.cycle();
  if (self.rank() == 0) first = self.receive(0);
  for (Cycle number = 0; number < exchanges; ++number) co_await self.exchange(0, Word{2});
  if (self.rank() == 0) self.forward(0, first);
  if (self.rank() == 1) co_await self.message(0);
}

TEST(SeveralCosts, EndTheRunWhereArrivalsAreForgotten) {
  const Topology pair = wirings::pair();
  const auto executor = make_executor(ExecutorKind::sequential, 1, 1);
  Machine<Word> machine(pair, {}, *executor);
  RunOptions several = options();
  several.other_costs = {{.beta = 10}};
  several.arrivals_bytes = 64 * 2 * sizeof(double);  // 64 arrivals, the latest 32 for certain
  const auto run = [&](Cycle exchanges) {
    return machine.run([&](Processor<Word>& self) { return hold(self, exchanges); }, several);
  };
  // The first message, 15 pairs, and the last: at 2 and 11 each, one after the other.
  EXPECT_EQ(times_of(run(15)), (Times{34, 34, 0}));
  EXPECT_EQ(times_of(run(15).other_times.at(0)), (Times{187, 187, 0}));
  EXPECT_THROW(run(40), ArrivalsForgotten);
  EXPECT_EQ(times_of(run(15)), (Times{34, 34, 0}));
}

}  // namespace
}  // namespace lockstep::several_costs_test
