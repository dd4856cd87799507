// Runs that come out wrong. No method of the catalogue does, so that these make the wrong outcome themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "human_report.hpp"
#include "json_report.hpp"
#include "lockstep/machines/topologies.hpp"
#include "run_record.hpp"

namespace lockstep::cli {
namespace {

RunRecord run(std::optional<Fault> fault = {}) {
  RunArguments arguments;
  arguments.machine = "hypercube:3";
  arguments.algorithm = "broadcast/sbt";
  RunRecord record{.plan = plan_run(arguments),
                   .facts = {},
                   .prediction = {},
                   .lower_bound = {},
                   .outcome = {},
                   .wall = {},
                   .digest = {},
                   .problems = {}};
  const RunPlan& plan = record.plan;
  record.facts = facts(plan.machine);
  record.prediction = plan.method->predict(plan.machine, plan.model, plan.settings);
  const Topology topology = build(plan.machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  record.outcome = plan.method->run({.machine = plan.machine,
                                     .topology = topology,
                                     .model = plan.model,
                                     .settings = plan.settings,
                                     .executor = *executor,
                                     .options = {},
                                     .fault = fault});
  judge(record);
  return record;
}

TEST(Record, ARightRunHasNoProblems) {
  const RunRecord record = run();
  EXPECT_TRUE(record.problems.empty());
  EXPECT_EQ(exit_code_of(record), 0);
  EXPECT_EQ(json_report(record, false)["verified"], true);
}

TEST(Record, WrongDataIsNotVerified) {
  const RunRecord record = run(Fault{FaultKind::corrupt, 3});
  ASSERT_EQ(record.problems.size(), 1U);
  EXPECT_TRUE(record.problems.front().starts_with("wrong data: "));
  EXPECT_EQ(exit_code_of(record), 1);
  EXPECT_EQ(json_report(record, false)["verified"], false);
  EXPECT_NE(human_report(record, {}).find("NOT VERIFIED"), std::string::npos);
  EXPECT_NE(record.digest, run().digest);
}

TEST(Record, ACountThatDiffersFromAnExactPredictionIsAProblem) {
  RunRecord record = run();
  record.prediction.steps = Count{4, true, "n + 1"};
  judge(record);
  ASSERT_EQ(record.problems.size(), 1U);
  EXPECT_EQ(record.problems.front(), "counted 3 steps, predicted exactly 4 (n + 1)");
  EXPECT_EQ(exit_code_of(record), 1);
  EXPECT_NE(human_report(record, {}).find("counts differ"), std::string::npos);
}

TEST(Record, AnUpperBoundMayBeMetButNotExceeded) {
  RunRecord record = run();
  record.prediction.messages = Count{7, false, "N - 1"};
  judge(record);
  EXPECT_TRUE(record.problems.empty());
  record.prediction.messages = Count{8, false, "N"};
  judge(record);
  EXPECT_TRUE(record.problems.empty());
  record.prediction.messages = Count{6, false, "N - 2"};
  judge(record);
  ASSERT_EQ(record.problems.size(), 1U);
  EXPECT_EQ(record.problems.front(), "counted 7 messages, predicted at most 6 (N - 2)");
}

TEST(Record, WithoutAPredictionThereIsNothingToDifferFrom) {
  RunRecord record = run();
  record.prediction = {};
  judge(record);
  EXPECT_TRUE(record.problems.empty());
  EXPECT_EQ(json_report(record, false)["predicted"]["steps"], nullptr);
  EXPECT_EQ(json_report(record, false)["modelled_time"]["predicted"], nullptr);
}

TEST(Record, LimitedPacketsHaveNoPredictedTimeWhereMessagesDiffer) {
  RunRecord record = run();
  record.prediction.message_words.reset();
  EXPECT_EQ(predicted_time(record), 3 + 3);
  record.plan.model.cost.max_packet_words = 1;
  EXPECT_EQ(predicted_time(record), std::nullopt);
}

TEST(Record, ADeadlockIsReportedWithItsGraph) {
  const DeadlockError error(5, {Wait{.rank = 1, .port = 0, .since = 2, .neighbour = 0}}, "the text");
  const nlohmann::ordered_json json = json_failure(run(), error)["error"];
  EXPECT_EQ(json["kind"], "deadlock");
  EXPECT_EQ(json["cycle"], 5);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["text"], "the text");
  EXPECT_TRUE(json["dot"].get<std::string>().starts_with("digraph"));
}

TEST(Record, PhasesAppearInBothReports) {
  RunRecord record = run();
  for (const char* name : {"one", "two", "three", "four", "five", "six", "seven"}) {
    record.outcome.report.phases.push_back({name, 1, 2, 3, 4});
  }
  const nlohmann::ordered_json phases = json_report(record, false)["phases"];
  ASSERT_EQ(phases.size(), 7U);
  EXPECT_EQ(phases[6]["name"], "seven");
  EXPECT_EQ(phases[6]["longest_sum"], 4);
  const std::string text = human_report(record, {});
  EXPECT_NE(text.find("one: 1 step, 2 messages, 3 words"), std::string::npos);
  EXPECT_EQ(text.find("five"), std::string::npos);
  EXPECT_NE(text.find("and 3 more"), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24) << "more than a screen";
}

}  // namespace
}  // namespace lockstep::cli
