// Data, counts and times do not depend on executor, threads or schedule (DESIGN, invariant 1).
#include "random_traffic.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep {
namespace {

using traffic::Outcome;
using traffic::Self;
using traffic::Traffic;

struct Setting {
  std::string name;
  Topology topology;
  Model model;
  bool late;
};

std::vector<Setting> settings() {
  const CostModel costs{.beta = 0.3, .tau = 0.7, .max_packet_words = 2, .copy_cost = 0.11};
  std::vector<Setting> all;
  all.push_back({"cube of 32, one", wirings::cube(5), {.cost = costs}, true});
  all.push_back({"cube of 64, all", wirings::cube(6), {.ports = PortModel::all, .cost = costs}, true});
  all.push_back({"ring of 7, one, multicast", wirings::ring(7), {.multicast = true, .cost = costs}, false});
  all.push_back({"star of 12, all, multicast",
                 wirings::star(12),
                 {.ports = PortModel::all, .multicast = true, .cost = costs},
                 false});
  all.push_back({"complete of 9, one", wirings::complete(9), {.cost = costs}, false});
  return all;
}

TEST(Digest, IsEqualOnAllExecutorsThreadsAndSchedules) {
  for (const Setting& setting : settings()) {
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
      SCOPED_TRACE(setting.name + ", traffic seed " + std::to_string(seed));
      const Traffic traffic = traffic::draw(setting.topology, setting.model, 40, setting.late, seed);
      const Outcome expected = traffic::simulate(setting.topology, traffic);
      EXPECT_GT(expected.messages, 20U);
      std::optional<Report> first;
      runs::on_every_executor(20, [&](Executor& executor) {
        Machine<traffic::List> machine(setting.topology, setting.model, executor);
        std::vector<Word> states(setting.topology.processors());
        const Report report = machine.run(
            [&](Self& self) { return traffic::take_part(self, traffic, states[self.rank()]); }, runs::options());
        EXPECT_EQ(states, expected.states);
        EXPECT_EQ(report.messages, expected.messages);
        EXPECT_EQ(report.words, expected.words);
        EXPECT_EQ(report.steps, expected.steps);
        EXPECT_EQ(report.cycles, expected.cycles);
        EXPECT_EQ(report.longest_sum, expected.longest_sum);
        EXPECT_EQ(report.busiest_link_words, expected.busiest_link_words);
        if (!first) first = report;
        EXPECT_EQ(report.digest(), first->digest());
        EXPECT_EQ(report.time_synchronous, first->time_synchronous);
        EXPECT_EQ(report.time_asynchronous, first->time_asynchronous);
      });
    }
  }
}

TEST(Digest, OfARepeatedRunIsEqual) {
  const Topology cube = wirings::cube(5);
  const Traffic traffic = traffic::draw(cube, {.ports = PortModel::all}, 30, true, 5);
  Machine<traffic::List> machine(cube, {.ports = PortModel::all});
  std::optional<std::uint64_t> first;
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<Word> states(cube.processors());
    const Report report =
        machine.run([&](Self& self) { return traffic::take_part(self, traffic, states[self.rank()]); });
    if (!first) first = report.digest();
    EXPECT_EQ(report.digest(), *first);
  }
}

TEST(Digest, ChangesWithEveryCountAndTime) {
  Report report;
  report.phases.resize(1);
  const std::uint64_t before = report.digest();
  const std::vector<std::uint64_t*> counts{&report.cycles,          &report.steps,
                                           &report.messages,        &report.sends,
                                           &report.words,           &report.longest_sum,
                                           &report.startups,        &report.busiest_link_words,
                                           &report.peak_words_held, &report.copied_words,
                                           &report.phases[0].steps, &report.phases[0].messages,
                                           &report.phases[0].words, &report.phases[0].longest_sum};
  std::vector<std::uint64_t> digests{before};
  for (std::uint64_t* count : counts) {
    ++*count;
    digests.push_back(report.digest());
    --*count;
  }
  for (double* time : {&report.time_synchronous, &report.time_asynchronous}) {
    *time = 1.5;
    digests.push_back(report.digest());
    *time = 0;
  }
  report.phases[0].name = "x";
  digests.push_back(report.digest());
  report.phases[0].name = "";
  EXPECT_EQ(report.digest(), before);
  // Not what was measured, nor what is recorded only on request.
  report.setup_seconds = 1;
  report.run_seconds = 2;
  report.per_cycle.resize(3);
  EXPECT_EQ(report.digest(), before);
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

TEST(Digest, DependsOnTheOrderAndIsWrittenInSixteenDigits) {
  Digest one;
  one.add(Word{1});
  one.add(Word{2});
  Digest other;
  other.add(Word{2});
  other.add(Word{1});
  EXPECT_NE(one.value(), other.value());
  EXPECT_EQ(one.text().size(), 16U);
  EXPECT_EQ(one.text().find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(std::stoull(one.text(), nullptr, 16), one.value());
}

}  // namespace
}  // namespace lockstep
