// The demonstrations of methods state what moves: counts and paths as in the specifications.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "../../sanitized.hpp"
#include "../../temporary_directory.hpp"
#include "learn/demo_story.hpp"
#include "quoted_commands.hpp"

namespace lockstep::test::demo_walks_test {
namespace {

using cli::learn::Demo;
using cli::learn::demos;
using cli::learn::DemoStory;
using cli::learn::find_demo;
using cli::run::Trace;
using cli::run::TracedMessage;

const std::atomic<bool> never{false};

struct Walk {
  std::string name;
  std::size_t exhibit;
  std::uint64_t steps, messages, words, longest;
  double time;
  friend std::ostream& operator<<(std::ostream& out, const Walk& walk) {
    return out << walk.name << ", exhibit " << walk.exhibit;
  }
};

class Walks : public testing::TestWithParam<Walk> {};

// With a start-up of 1 and a word of 1 the time is steps + longest sum.
INSTANTIATE_TEST_SUITE_P(
    Exhibits, Walks,
    testing::Values(Walk{"broadcast-hypercube", 0, 3, 7, 7, 3, 6},          // n, 2^n - 1
                    Walk{"tea1-tea2", 0, 4, 256, 512, 8, 12},               // n^2 2^n, n 2^(2n-1), 2^(n-1)
                    Walk{"tea1-tea2", 1, 4, 208, 240, 5, 9},                // 2^n (n (n-1) + 1), 2^n (2^n - 1)
                    Walk{"disjoint-paths", 0, 5, 9, 27, 15, 20},            // d + nu - 1, d nu, d N
                    Walk{"disjoint-paths", 1, 5, 27, 27, 5, 10},            // nu - 1 + L
                    Walk{"total-exchange-torus", 0, 20, 240, 240, 20, 40},  // n (T1/n1 + T2/n2), n AS
                    Walk{"rh-scan", 0, 28, 231, 231, 28, 56},               // 2k + D(D+1)/2 + n D^2 - (n+1) D(D-1)/2
                    Walk{"rh-sort", 0, 8, 36, 56, 13, 21},                  // k(k+1)/2 + 2n + D(D-1) + D(D+1)/2
                    Walk{"mpt", 0, 5, 256, 256, 5, 10},                     // n + 1, n N/2 K
                    Walk{"gray-transposition", 0, 4, 32, 32, 4, 8},         // n, n N/2
                    Walk{"gray-transposition", 1, 6, 48, 48, 6, 12},        // 2n - 2, (n-1) N
                    Walk{"bus-switch", 0, 8, 8, 8, 8, 16},                  // k, k
                    Walk{"bus-switch", 1, 3, 24, 56, 7, 10},                // log2 k, k log2 k, k (k-1), k - 1
                    Walk{"one-all-ports", 0, 4, 7, 7, 4, 8},                // 2 (n-1)
                    Walk{"one-all-ports", 1, 3, 7, 7, 3, 6}),               // n
    [](const auto& test) {
      std::string name = test.param.name + std::to_string(test.param.exhibit);
      std::ranges::replace(name, '-', '_');
      return name;
    });

TEST_P(Walks, CountWhatTheSpecificationsSay) {
  const Walk& walk = GetParam();
  const DemoStory story(find_demo(walk.name), never);
  const Report& report = story.runs()[walk.exhibit].record().outcome.report;
  EXPECT_EQ(report.steps, walk.steps);
  EXPECT_EQ(report.messages, walk.messages);
  EXPECT_EQ(report.words, walk.words);
  EXPECT_EQ(report.longest_sum, walk.longest);
  EXPECT_EQ(report.time_synchronous, walk.time);
}

/// "0>1 0>2" for each step of an exhibit; if a receiver is given, only its messages, with the words.
std::vector<std::string> moves(std::string_view demo, std::size_t exhibit, std::optional<Rank> receiver = {}) {
  const DemoStory story(find_demo(demo), never);
  const Trace& trace = story.runs()[exhibit].trace();
  std::vector<std::string> steps;
  for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
    std::string& step = steps.emplace_back();
    for (const TracedMessage& message : trace.messages_of(index)) {
      const Rank to = trace.receivers(message).front().rank;
      if (receiver && to != *receiver) continue;
      if (!step.empty()) step += " ";
      step +=
          std::to_string(message.from) + (receiver ? ":" + std::to_string(message.words) : ">" + std::to_string(to));
    }
  }
  return steps;
}

using Steps = std::vector<std::string>;

TEST(DemoWalks, BroadcastsGoDownTheirTrees) {
  EXPECT_EQ(moves("broadcast-hypercube", 0), (Steps{"0>1", "0>2 1>3", "0>4 1>5 2>6 3>7"}));
  EXPECT_EQ(moves("one-all-ports", 0), (Steps{"0>4", "0>1 4>6", "1>3 6>7", "1>5 6>2"}));
  EXPECT_EQ(moves("one-all-ports", 1), (Steps{"0>1 0>4", "1>3 1>5 4>6", "6>7 6>2"}));
}

TEST(DemoWalks, Tea2SendsWhatTea1SendsSeveralTimes) {
  EXPECT_EQ(moves("tea1-tea2", 0, 0),
            (Steps{"1:1 2:1 4:1 8:1", "1:3 2:3 4:3 8:3", "1:3 2:3 4:3 8:3", "1:1 2:1 4:1 8:1"}));
  EXPECT_EQ(moves("tea1-tea2", 1, 0), (Steps{"1:1 2:1 4:1 8:1", "1:2 2:2 4:1 8:1", "1:1 2:1 4:1 8:1", "4:1"}));
}

TEST(DemoWalks, PathsShareNoLink) {
  EXPECT_EQ(moves("disjoint-paths", 0), (Steps{"0>1", "0>1 1>3", "0>1 1>3 3>7", "1>3 3>7", "3>7"}));
  EXPECT_EQ(moves("disjoint-paths", 1),
            (Steps{"0>1 0>2 0>4", "0>1 0>2 0>4 1>3 2>6 4>5", "0>1 0>2 0>4 1>3 2>6 3>7 4>5 5>7 6>7",
                   "1>3 2>6 3>7 4>5 5>7 6>7", "3>7 5>7 6>7"}));
}

// The hub of block b is 4b; dimension m leads from node m.
TEST(DemoWalks, HubsPassOnTheirTotals) {
  Steps steps = moves("rh-scan", 0);
  ASSERT_EQ(steps.size(), 28U);
  steps = {steps.begin() + 2, steps.begin() + 26};
  EXPECT_EQ(steps, (Steps{"0>4 8>12 16>20 24>28 32>36 40>44 48>52 56>60",
                          "4>5 20>21 36>37 52>53",
                          "5>13 21>29 37>45 53>61",
                          "13>12 29>28 45>44 61>60",
                          "12>8 28>24 44>40 60>56",
                          "12>14 44>46",
                          "14>30 46>62",
                          "30>28 62>60",
                          "28>29 60>61",
                          "29>21 61>53",
                          "21>20 53>52",
                          "20>16 28>24 52>48 60>56",
                          "28>29",
                          "29>31",
                          "31>63",
                          "63>62",
                          "62>60",
                          "60>62",
                          "62>46",
                          "46>44",
                          "44>45 60>61",
                          "45>37 61>53",
                          "37>36 53>52",
                          "36>32 44>40 52>48 60>56"}));
}

TEST(DemoWalks, ListsWalkToTheirLinks) {
  EXPECT_EQ(moves("rh-sort", 0),
            (Steps{"0>1 1>0 2>3 3>2 4>5 5>4 6>7 7>6", "1>0 3>2 5>4 7>6", "0>2 2>0 4>6 6>4", "0>1 2>3 4>5 6>7",
                   "1>5 3>7 5>1 7>3", "1>0 3>2 5>4 7>6", "0>2 2>0 4>6 6>4", "0>1 2>3 4>5 6>7"}));
}

// Rounds in the rows: to the right, to the left; in the columns: down, down, down again, up.
TEST(DemoWalks, RingsTurnAlike) {
  const Steps row{"0>1", "0>2"}, column{"0>3", "0>3", "0>3", "0>9"};
  Steps wanted;
  for (int round = 0; round < 4; ++round) wanted.insert(wanted.end(), row.begin(), row.end());
  for (int round = 0; round < 3; ++round) wanted.insert(wanted.end(), column.begin(), column.end());
  Steps first = moves("total-exchange-torus", 0);
  for (std::string& step : first) step = step.substr(0, step.find(' '));
  EXPECT_EQ(first, wanted);
}

// Half of the 64 directed links are busy in the first and the last step, all in between.
TEST(DemoWalks, MultiplePathsKeepAllLinksBusy) {
  const Steps steps = moves("mpt", 0);
  const std::vector<std::ptrdiff_t> wanted{32, 64, 64, 64, 32};
  ASSERT_EQ(steps.size(), wanted.size());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    EXPECT_EQ(std::ranges::count(steps[step], '>'), wanted[step]) << steps[step];
  }
}

TEST(DemoWalks, CodesChangeInPassing) {
  EXPECT_EQ(moves("gray-transposition", 0),
            (Steps{"2>10 3>11 6>14 7>15 8>0 9>1 12>4 13>5", "0>2 1>3 4>6 5>7 10>8 11>9 14>12 15>13",
                   "1>5 3>7 4>0 6>2 8>12 10>14 13>9 15>11", "0>1 2>3 5>4 7>6 9>8 11>10 12>13 14>15"}));
  const Steps parts = moves("gray-transposition", 1);
  ASSERT_EQ(parts.size(), 6U);
  EXPECT_EQ(parts[0], "8>12 9>13 10>14 11>15 12>8 13>9 14>10 15>11") << "rows 2 and 3";
  EXPECT_EQ(parts[1], "2>3 3>2 6>7 7>6 10>11 11>10 14>15 15>14") << "columns 2 and 3";
}

TEST(DemoWalks, EveryRankReceivesNewBlocks) {
  EXPECT_EQ(moves("bus-switch", 1), (Steps{"0>7 1>0 2>1 3>2 4>3 5>4 6>5 7>6", "0>6 1>7 2>0 3>1 4>2 5>3 6>4 7>5",
                                           "0>4 1>5 2>6 3>7 4>0 5>1 6>2 7>3"}));
}

TEST(Demos, CommandsInTheirTextsEndAsTheTextsSay) {
  std::set<std::string> tried;
  for (const Demo& demo : demos()) {
    std::vector<std::string_view> texts{demo.introduction, demo.ending, demo.question, demo.answer};
    texts.insert(texts.end(), demo.notes.begin(), demo.notes.end());
    for (const std::string_view text : texts) {
      for (const auto& [line, exit_code] : commands_in(std::string(text))) {
        if (!tried.insert(line).second || (sanitized && tried.size() % 4 != 0)) continue;
        std::string output;
        const TemporaryDirectory directory;
        EXPECT_EQ(run_in_shell(line, directory.path(), output), exit_code) << line << "\n" << output.substr(0, 500);
      }
    }
  }
  EXPECT_GE(tried.size(), 20U);
}

}  // namespace
}  // namespace lockstep::test::demo_walks_test
