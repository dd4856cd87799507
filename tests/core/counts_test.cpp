// The counts of a run. The expected numbers follow from the definitions in docs/semantics.md.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::counts_test {
namespace {

using runs::on_every_executor_and_channel;
using runs::options;

using List = std::vector<Word>;
using Self = Processor<List>;

/// A message of `length` words on `port` in `cycle`.
struct Sending {
  Cycle cycle;
  Port port;
  std::size_t length;
};

/// Makes the given sends and takes every message as soon as it arrives, until `end`.
Process act(Self& self, const std::vector<Sending>& sendings, Cycle end) {
  auto next = sendings.begin();
  while (self.now() < end) {
    for (const Port port : self.arrivals()) self.receive(port);
    for (; next != sendings.end() && next->cycle == self.now(); ++next) self.send(next->port, List(next->length));
    co_await self.cycle();
  }
  for (const Port port : self.arrivals()) self.receive(port);
}

Report run(const Topology& topology, const Model& model, const std::vector<std::vector<Sending>>& sendings, Cycle end,
           RunOptions chosen = options()) {
  Report report;
  std::uint64_t digest = 0;
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<List> machine(topology, model, executor, channels);
    report = machine.run([&](Self& self) { return act(self, sendings[self.rank()], end); }, chosen);
    if (digest == 0) digest = report.digest();
    EXPECT_EQ(report.digest(), digest);
  });
  return report;
}

/// A path of three under `all`. Port 0 leads to the rank above, port 1 to the one below.
const std::vector<std::vector<Sending>> traffic{
    {{1, 0, 4}, {2, 0, 7}, {5, 0, 0}},             // 11 words over link 0 -> 1
    {{1, 0, 2}, {1, 1, 6}, {2, 0, 1}, {5, 1, 6}},  // 3 over 1 -> 2, 12 over 1 -> 0
    {{5, 1, 3}},                                   // 3 over 2 -> 1
};

TEST(Counts, FollowTheirDefinitions) {
  const Report report = run(wirings::path(3), {.ports = PortModel::all}, traffic, 9);
  EXPECT_EQ(report.cycles, 6U);  // 1 + the last cycle with a message, which is 5
  EXPECT_EQ(report.steps, 3U);   // cycles 1, 2 and 5
  EXPECT_EQ(report.messages, 8U);
  EXPECT_EQ(report.sends, 8U);
  EXPECT_EQ(report.words, 11U + 3U + 12U + 3U);
  EXPECT_EQ(report.longest_sum, 6U + 7U + 6U);
  EXPECT_EQ(report.startups, 8U);
  EXPECT_EQ(report.busiest_link_words, 12U);
  EXPECT_EQ(report.peak_words_held, 0U);
  EXPECT_EQ(report.copied_words, 0U);
  EXPECT_TRUE(report.phases.empty());
  EXPECT_TRUE(report.per_cycle.empty());
}

TEST(Counts, StartUpsFollowThePacketLength) {
  // Lengths 4, 7, 0, 2, 6, 1, 6, 3 in packets of at most 3 words: 2 + 3 + 1 + 1 + 2 + 1 + 2 + 1.
  const Report report = run(wirings::path(3), {.ports = PortModel::all, .cost = {.max_packet_words = 3}}, traffic, 9);
  EXPECT_EQ(report.startups, 13U);
  EXPECT_EQ(report.words, 29U);
  EXPECT_EQ(report.messages, 8U);
}

TEST(Counts, OfEveryCycleOnRequest) {
  RunOptions chosen = options();
  chosen.record_cycles = true;
  const Report report = run(wirings::path(3), {.ports = PortModel::all}, traffic, 7, chosen);
  ASSERT_EQ(report.per_cycle.size(), 8U);
  const std::array<std::array<std::uint64_t, 3>, 8> expected{
      {{0, 0, 0}, {3, 12, 6}, {2, 8, 7}, {0, 0, 0}, {0, 0, 0}, {3, 9, 6}, {0, 0, 0}, {0, 0, 0}}};
  for (std::size_t cycle = 0; cycle < expected.size(); ++cycle) {
    SCOPED_TRACE("cycle " + std::to_string(cycle));
    const CycleCounts& counts = report.per_cycle[cycle];
    EXPECT_EQ(counts.cycle, cycle);
    EXPECT_EQ(counts.messages, expected[cycle][0]);
    EXPECT_EQ(counts.words, expected[cycle][1]);
    EXPECT_EQ(counts.longest, expected[cycle][2]);
    EXPECT_EQ(counts.visited, 3U);
  }
}

TEST(Counts, ARunWithoutMessagesHasNoSteps) {
  const Report report = run(wirings::path(3), {}, {{}, {}, {}}, 20);
  EXPECT_EQ(report.cycles, 0U);
  EXPECT_EQ(report.steps, 0U);
  EXPECT_EQ(report.messages, 0U);
  EXPECT_EQ(report.time_synchronous, 0.0);
  EXPECT_EQ(report.time_asynchronous, 0.0);
}

constexpr std::array<Port, 4> everybody{0, 1, 2, 3};

Process tell_everybody(Self& self) {
  if (self.rank() == 0) {
    const List list(5);
    self.send(everybody, list);
  } else {
    co_await self.message(0);
  }
}

TEST(Counts, AMulticastIsOneSendWhereTheMachineHasIt) {
  const Topology hub = wirings::star(4);
  for (const Model& model :
       {Model{.multicast = true}, Model{.ports = PortModel::all, .multicast = true}, Model{.ports = PortModel::all}}) {
    Machine<List> machine(hub, model);
    const Report report = machine.run(tell_everybody);
    EXPECT_EQ(report.sends, model.multicast ? 1U : 4U);
    EXPECT_EQ(report.messages, 4U);
    EXPECT_EQ(report.words, 20U);
    EXPECT_EQ(report.longest_sum, 5U);
    EXPECT_EQ(report.startups, 4U);
    EXPECT_EQ(report.steps, 1U);
  }
}

/// Blocks that travel together without being gathered: one start-up (or more) each.
struct Bundle {
  std::vector<std::uint64_t> lengths;
};
std::uint64_t words(const Bundle& bundle) {
  std::uint64_t sum = 0;
  for (const std::uint64_t length : bundle.lengths) sum += length;
  return sum;
}
const std::vector<std::uint64_t>& blocks(const Bundle& bundle) { return bundle.lengths; }

Process send_bundles(Processor<Bundle>& self, const std::vector<Bundle>& bundles) {
  for (const Bundle& bundle : bundles) {
    if (self.rank() == 0) {
      Bundle copy = bundle;
      self.send(0, std::move(copy));
      co_await self.cycle();
    } else {
      co_await self.message(0);
    }
  }
}

TEST(Counts, EveryBlockHasAStartUpOfItsOwnAndEveryMessageOne) {
  const std::vector<Bundle> bundles{{{5, 0, 8}}, {{}}, {{4, 4}}};
  const Topology two = wirings::pair();
  Machine<Bundle> unlimited(two);
  const Report whole = unlimited.run([&](Processor<Bundle>& self) { return send_bundles(self, bundles); });
  EXPECT_EQ(whole.startups, 3U + 1U + 2U);
  EXPECT_EQ(whole.words, 21U);
  EXPECT_EQ(whole.longest_sum, 13U + 0U + 8U);
  Machine<Bundle> packets(two, {.cost = {.max_packet_words = 4}});
  const Report cut = packets.run([&](Processor<Bundle>& self) { return send_bundles(self, bundles); });
  EXPECT_EQ(cut.startups, (2U + 1U + 2U) + 1U + (1U + 1U));
}

Process hold_and_copy(Self& self) {
  self.hold(10 * self.rank());
  self.charge(3);
  self.charge(self.rank());
  co_await self.cycle();
  self.hold(self.rank() == 1 ? 25 : 2);
  self.hold(1);
  co_await self.cycle();
  self.charge(100);
}

TEST(Counts, WhatIsHeldIsAPeakAndWhatIsCopiedASum) {
  const Topology three = wirings::path(3);
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<List> machine(three, {}, executor, channels);
    const Report report = machine.run(hold_and_copy, options());
    EXPECT_EQ(report.peak_words_held, 25U);
    EXPECT_EQ(report.copied_words, 3U * 3U + (0U + 1U + 2U) + 3U * 100U);
  });
}

constexpr std::uint64_t quarter = std::uint64_t{1} << 62U;  // of the range of 64 bits

void expect_overflow(const RunError& error, Cycle cycle) {
  runs::expect_failure(error, {ErrorKind::count_overflow,
                               cycle,
                               no_rank,
                               {},
                               "test: cycle " + std::to_string(cycle) + ": a count goes beyond 64 bits"});
}

/// Sends bundles that claim the given numbers of words, one a cycle.
struct Saying {
  std::vector<Bundle> bundles;
  std::uint64_t max_packet_words = 0;

  RunError failure() const {
    const Topology two = wirings::pair();
    Machine<Bundle> machine(two, {.cost = {.max_packet_words = max_packet_words}});
    return runs::failure_of(machine, [&](Processor<Bundle>& self) { return send_bundles(self, bundles); });
  }
  Report report() const {
    const Topology two = wirings::pair();
    Machine<Bundle> machine(two, {.cost = {.max_packet_words = max_packet_words}});
    return machine.run([&](Processor<Bundle>& self) { return send_bundles(self, bundles); }, options());
  }
};

TEST(Counts, OfWordsThatGoBeyond64BitsEndTheRun) {
  const Bundle most{{quarter}};
  EXPECT_EQ((Saying{{most, most, most, {{quarter - 1}}}}.report().words), ~std::uint64_t{0});
  expect_overflow(Saying{{most, most, most, most}}.failure(), 3);
  expect_overflow(Saying{{most, most, most, {{quarter - 1}}, {{1}}}}.failure(), 4);
  expect_overflow(Saying{{{{1}}, {{2 * quarter}}}}.failure(), 1);  // two messages a cycle would add up to 0
}

TEST(Counts, OfStartUpsThatGoBeyond64BitsEndTheRun) {
  const Bundle most{{quarter}};
  EXPECT_EQ((Saying{{most, most, most, {{quarter - 1}}}, 1}.report().startups), ~std::uint64_t{0});
  expect_overflow(Saying{{most, most, most, {{quarter - 1, 0}}}, 1}.failure(), 3);
}

Process tell_hub(Processor<Bundle>& self, std::uint64_t length) {
  if (self.rank() != 0) {
    self.send(0, Bundle{{length}});
    co_return;
  }
  for (Port port = 0; port < 4; ++port) co_await self.message(port);
}

TEST(Counts, OfWordsOfOneCycleThatGoBeyond64BitsEndTheRun) {
  const Topology hub = wirings::star(4);
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<Bundle> machine(hub, {.ports = PortModel::all}, executor, channels);
    expect_overflow(runs::failure_of(machine, [](Processor<Bundle>& self) { return tell_hub(self, quarter); }), 0);
    EXPECT_EQ(machine.run([](Processor<Bundle>& self) { return tell_hub(self, quarter / 2); }, options()).words,
              2 * quarter);
  });
}

/// Charges `amount` of one kind of work `times` times a cycle, in two cycles.
using Charge = void (*)(Self&, std::uint64_t amount);
Process charge_twice(Self& self, Charge charge, std::uint64_t amount, int times) {
  for (int i = 0; i < times; ++i) charge(self, amount);
  co_await self.cycle();
  for (int i = 0; i < times; ++i) charge(self, amount);
}

Process charge_one_and_most(Self& self) {
  self.charge(1);
  self.charge(~std::uint64_t{0});
  co_return;
}

TEST(Counts, OfLocalWorkThatAddUpToNothingEndTheRun) {
  const Topology alone = wirings::single();
  Machine<List> machine(alone);
  expect_overflow(runs::failure_of(machine, charge_one_and_most), 0);
}

TEST(Counts, OfLocalWorkThatGoBeyond64BitsEndTheRun) {
  const Topology one = wirings::path(1);
  const Topology four = wirings::path(4);
  for (const Charge charge : {Charge([](Self&self, std::uint64_t amount) { self.charge(amount); }),
                              Charge([](Self&self, std::uint64_t amount) { self.compute(amount); }),
                              Charge([](Self&self, std::uint64_t amount) { self.scan(amount); })}) {
    on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
      Machine<List> alone(one, {}, executor, channels);
      Machine<List> many(four, {}, executor, channels);
      const auto charging = [&](std::uint64_t amount, int times) {
        return [=](Self& self) { return charge_twice(self, charge, amount, times); };
      };
      const Report report = alone.run(charging(quarter, 1), options());
      EXPECT_EQ(report.copied_words + report.operations + report.scanned_blocks, 2 * quarter);
      expect_overflow(runs::failure_of(alone, charging(2 * quarter - 1, 2)), 0);
      expect_overflow(runs::failure_of(alone, charging(2 * quarter, 2)), 0);  // wraps around to 0
      expect_overflow(runs::failure_of(many, charging(quarter, 1)), 0);
      expect_overflow(runs::failure_of(many, charging(quarter / 2, 1)), 1);
    });
  }
}

}  // namespace
}  // namespace lockstep::counts_test
