// Runs with wrong outcomes. No method of the catalogue has one, so the tests make them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../../temporary_directory.hpp"
#include "report/csv_report.hpp"
#include "report/human_report.hpp"
#include "run_in_process.hpp"

namespace lockstep::cli::run::record_test {
namespace {

RunRecord run(const std::optional<Fault>& fault = {}) {
  return run_in_process("--machine hypercube:3 --algorithm broadcast/sbt", fault);
}

/// The value of each of these columns in the row of that record.
std::vector<std::string> csv_values(const RunRecord& record, const std::vector<std::string>& columns) {
  const test::TemporaryDirectory directory;
  report::CsvReport(directory.file("runs.csv")).append(record);
  std::ifstream file(directory.file("runs.csv"));
  std::map<std::string, std::string> row;
  std::string header;
  std::string values;
  std::getline(file, header);
  std::getline(file, values);
  std::istringstream names(header);
  std::istringstream fields(values);
  for (std::string name, field; std::getline(names, name, ',');) {
    if (fields.peek() == '"') {  // the values of this record contain no quotes
      fields.get();
      std::getline(fields, field, '"');
      fields.get();
    } else {
      std::getline(fields, field, ',');
    }
    row[name] = field;
  }
  std::vector<std::string> result;
  for (const std::string& column : columns) result.push_back(row.contains(column) ? row[column] : "no such column");
  return result;
}

TEST(Record, ARightRunHasNoProblems) {
  const RunRecord record = run();
  EXPECT_TRUE(record.problems.empty());
  EXPECT_EQ(exit_code_of(record), 0);
  EXPECT_EQ(report::json_report(record, false)["verified"], true);
  EXPECT_EQ(report::json_report(record, false)["status"], "verified");
  EXPECT_EQ(report::json_report(record, false)["error"], nullptr);
}

TEST(Record, WrongDataIsNotVerified) {
  const RunRecord record = run(Fault{FaultKind::corrupt, 3});
  ASSERT_EQ(record.problems.size(), 1U);
  EXPECT_TRUE(record.problems.front().starts_with("wrong data: "));
  EXPECT_EQ(exit_code_of(record), 1);
  EXPECT_EQ(report::json_report(record, false)["verified"], false);
  EXPECT_EQ(report::json_report(record, false)["status"], "failed");
  EXPECT_EQ(report::json_report(record, false)["error"]["kind"], "wrong-data");
  EXPECT_EQ(csv_values(record, {"status", "error"}), (std::vector<std::string>{"failed", "wrong-data"}));
  EXPECT_NE(report::human_report(record, {}).find("NOT VERIFIED"), std::string::npos);
  EXPECT_NE(record.digest, run().digest);
}

TEST(Record, AFailedRunMeetsNoBound) {
  RunRecord record = run();
  record.lower_bound = {.steps = record.outcome.report.steps, .longest_sum = record.outcome.report.longest_sum};
  const std::string right = report::human_report(record, {});
  EXPECT_NE(right.find("(met)"), std::string::npos);
  EXPECT_NE(right.find("optimal"), std::string::npos);
  record.outcome.wrong = "rank 1 holds something else";
  judge(record);
  const std::string failed = report::human_report(record, {});
  EXPECT_EQ(failed.find("(met)"), std::string::npos);
  EXPECT_EQ(failed.find("optimal"), std::string::npos);
  EXPECT_EQ(report::json_report(record, false)["lower_bound"]["optimal"], nullptr);
}

TEST(Record, ACountThatDiffersFromAnExactPredictionIsAProblem) {
  RunRecord record = run();
  record.prediction.steps = Count{4, true, "n + 1"};
  judge(record);
  ASSERT_EQ(record.problems.size(), 2U);  // the second: the predicted time differs, too
  EXPECT_EQ(record.problems.front(), "counted 3 steps, predicted exactly 4 (n + 1)");
  EXPECT_EQ(exit_code_of(record), 1);
  EXPECT_NE(report::human_report(record, {}).find("counts differ"), std::string::npos);
  EXPECT_NE(report::human_report(record, {}).find("NOT VERIFIED"), std::string::npos);
  EXPECT_EQ(report::json_report(record, false)["verified"], false);
  EXPECT_EQ(report::json_report(record, false)["error"]["kind"], "prediction-differs");
  EXPECT_EQ(report::json_report(record, false)["error"]["text"], record.problems.front());
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
  EXPECT_EQ(report::json_report(record, false)["predicted"]["steps"], nullptr);
  EXPECT_EQ(report::json_report(record, false)["modelled_time"]["predicted"], nullptr);
}

TEST(Record, LimitedPacketsHaveNoPredictedTimeWhereMessagesDiffer) {
  RunRecord record = run();
  record.prediction.message_words.reset();
  record.prediction.longest_startups.reset();
  ASSERT_TRUE(predicted_time(record));
  EXPECT_EQ(predicted_time(record)->value, 3 + 3);
  record.plan.model.cost.max_packet_words = 1;
  EXPECT_FALSE(predicted_time(record));
  EXPECT_EQ(report::json_report(record, false)["modelled_time"]["predicted_kind"], nullptr);
}

// The run takes 3 start-ups and 3 words by both clocks.
TEST(Record, ATimeThatDiffersFromAnExactPredictionIsAProblem) {
  for (const double predicted : {6.5, 5.5, 6 + 1e-7, 6 - 1e-7, 6 * (1 + 2e-9), 6 * (1 - 2e-9)}) {
    RunRecord record = run();
    record.prediction.synchronous = ModelledTime{predicted, "n (beta + tau)"};
    judge(record);
    ASSERT_EQ(record.problems.size(), 1U) << predicted;
    EXPECT_TRUE(record.problems.front().starts_with("took 6 synchronous, predicted exactly ")) << predicted;
    EXPECT_EQ(exit_code_of(record), 1);
    EXPECT_NE(report::human_report(record, {}).find("times differ"), std::string::npos);
    EXPECT_EQ(report::human_report(record, {}).find("counts differ"), std::string::npos);
    EXPECT_EQ(report::json_report(record, false)["problems"].size(), 1U);
  }
  RunRecord record = run();
  record.prediction.asynchronous = ModelledTime{6.5, "n beta + 3 tau"};
  judge(record);
  EXPECT_EQ(record.problems, std::vector<std::string>{"took 6 asynchronous, predicted exactly 6.5 (n beta + 3 tau)"});
  EXPECT_EQ(exit_code_of(record), 1);
}

TEST(Record, ATimeMayDifferByRounding) {
  for (const double predicted : {6 * (1 + 5e-10), 6 * (1 - 5e-10)}) {
    RunRecord record = run();
    record.prediction.synchronous = record.prediction.asynchronous = ModelledTime{predicted, "n (beta + tau)"};
    judge(record);
    EXPECT_EQ(record.problems, std::vector<std::string>{});
  }
}

// A clock after 2^32 steps may be off by 2^32 times the rounding of one sum, which is 2^-53 of it.
TEST(Record, ALongRunsClockMayHaveLostMoreByRounding) {
  RunRecord record = run();
  record.outcome.report.time_synchronous = 6 + 6 * 4e-7;
  judge(record);
  EXPECT_EQ(record.problems.size(), 1U);
  record.outcome.report.steps = std::uint64_t{1} << 32;
  record.prediction = {};
  record.prediction.synchronous = ModelledTime{6, "n (beta + tau)"};
  judge(record);
  EXPECT_EQ(record.problems, std::vector<std::string>{});
}

TEST(Record, AnUpperBoundOfATimeMayBeMetButNotExceeded) {
  RunRecord record = run();
  for (const double predicted : {6., 7.}) {
    record.prediction.synchronous = record.prediction.asynchronous = ModelledTime{predicted, "a bound", false};
    judge(record);
    EXPECT_EQ(record.problems, std::vector<std::string>{});
  }
  EXPECT_EQ(report::json_report(record, false)["modelled_time"]["predicted"], 7);
  EXPECT_EQ(report::json_report(record, false)["modelled_time"]["predicted_kind"], "at_most");
  EXPECT_NE(report::human_report(record, {}).find("predicted at most 7"), std::string::npos);
  record.prediction.synchronous->value = 5.75;
  judge(record);
  EXPECT_EQ(record.problems, std::vector<std::string>{"took 6 synchronous, predicted at most 5.75 (a bound)"});
}

TEST(Record, AClosedFormPredictsNothing) {
  RunRecord record = run();
  record.prediction.closed_form = ModelledTime{5, "by the paper"};
  judge(record);
  EXPECT_EQ(record.problems, std::vector<std::string>{});
}

/// A right run whose method predicts everything: its start-ups and copies, and the times of a paper.
RunRecord with_times() {
  RunRecord record = run();
  record.prediction.startups = Count{7, true, "N - 1"};
  record.prediction.copied_words = Count{12, false, "4 n"};
  record.prediction.asynchronous = ModelledTime{6, "n beta + n tau"};
  record.prediction.closed_form = ModelledTime{6.25, "n (beta + tau)"};
  record.lower_bound.time = ModelledTime{4.75, "n beta"};
  judge(record);
  return record;
}

TEST(Record, TimesOfThePaperAreInTheJsonReport) {
  using Json = nlohmann::ordered_json;
  const RunRecord record = with_times();
  EXPECT_TRUE(record.problems.empty());
  const Json report = report::json_report(record, false);
  EXPECT_EQ(report["predicted"]["startups"], (Json{{"value", 7}, {"kind", "exact"}, {"formula", "N - 1"}}));
  EXPECT_EQ(report["predicted"]["copied_words"], (Json{{"value", 12}, {"kind", "at_most"}, {"formula", "4 n"}}));
  EXPECT_EQ(report["modelled_time"]["predicted_asynchronous"],
            (Json{{"value", 6.0}, {"formula", "n beta + n tau"}, {"kind", "exact"}}));
  EXPECT_EQ(report["modelled_time"]["closed_form"], (Json{{"value", 6.25}, {"formula", "n (beta + tau)"}}));
  EXPECT_EQ(report["lower_bound"]["time"], (Json{{"value", 4.75}, {"formula", "n beta"}}));
}

TEST(Record, TimesOfThePaperAreShownToPeopleWhereThereAreSome) {
  const std::string text = report::human_report(with_times(), {});
  const std::string without = report::human_report(run(), {});
  for (const std::string part : {"exactly N - 1", "at most 4 n", "asynchronous predicted 6: n beta + n tau",
                                 "closed form 6.25: n (beta + tau)", "at least 4.75: n beta"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    EXPECT_EQ(without.find(part), std::string::npos) << part << "\n" << without;
  }
  EXPECT_NE(text.find("\ncopied words"), std::string::npos) << text;
  EXPECT_EQ(without.find("\ncopied words"), std::string::npos) << without;
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25) << "more than a screen";
}

TEST(Record, StartUpsAndCopiesThatDifferFromThePredictionAreProblems) {
  RunRecord record = with_times();
  record.prediction.startups->value = 8;
  judge(record);
  EXPECT_EQ(record.problems, std::vector<std::string>{"counted 7 startups, predicted exactly 8 (N - 1)"});
  EXPECT_EQ(exit_code_of(record), 1);
  record = with_times();
  record.outcome.report.copied_words = 13;
  judge(record);
  EXPECT_EQ(record.problems, std::vector<std::string>{"counted 13 copied_words, predicted at most 12 (4 n)"});
}

TEST(Record, TimesOfThePaperAreInTheCsvRow) {
  const std::vector<std::string> columns{
      "predicted_startups", "predicted_startups_kind",     "predicted_copied_words", "predicted_copied_words_kind",
      "lower_bound_time",   "time_predicted_asynchronous", "time_closed_form",       "verified"};
  EXPECT_EQ(csv_values(with_times(), columns),
            (std::vector<std::string>{"7", "exact", "12", "at_most", "4.75", "6.0", "6.25", "true"}));
  EXPECT_EQ(csv_values(run(), columns), (std::vector<std::string>{"", "", "", "", "6.0", "", "", "true"}));
}

TEST(Record, ADeadlockIsReportedWithItsGraph) {
  const DeadlockError error(
      5,
      {Wait{.rank = 1, .port = 0, .since = 2, .neighbour = 0},
       Wait{.rank = 0, .any_port = true, .since = 3, .neighbour = 1, .neighbour_ended = true, .neighbour_failed = 3},
       Wait{.rank = 2, .on_medium = true, .since = 4}},
      "the text");
  const RunRecord record = run();
  const CommandFailure failure = failure_of(std::make_exception_ptr(error), &record.plan);
  const nlohmann::ordered_json json = report::json_failure(record, failure)["error"];
  EXPECT_EQ(json["kind"], "deadlock");
  EXPECT_EQ(json["cycle"], 5);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["text"], "the text");
  EXPECT_TRUE(json["dot"].get<std::string>().starts_with("digraph"));
  EXPECT_EQ(json["waits"], nlohmann::ordered_json::parse(R"([
      {"rank": 1, "port": 0, "since": 2, "neighbour": 0, "neighbour_ended": false, "neighbour_failed": null},
      {"rank": 0, "port": null, "since": 3, "neighbour": 1, "neighbour_ended": true, "neighbour_failed": 3},
      {"rank": 2, "port": null, "since": 4, "neighbour": null, "neighbour_ended": false, "neighbour_failed": null}])"));
}

TEST(Record, PhasesAppearInBothReports) {
  RunRecord record = run();
  for (const char* name : {"one", "two", "three", "four", "five", "six", "seven"}) {
    record.outcome.report.phases.push_back({name, 1, 2, 3, 4});
  }
  const nlohmann::ordered_json phases = report::json_report(record, false)["phases"];
  ASSERT_EQ(phases.size(), 7U);
  EXPECT_EQ(phases[6]["name"], "seven");
  EXPECT_EQ(phases[6]["longest_sum"], 4);
  const std::string text = report::human_report(record, {});
  EXPECT_NE(text.find("one: 1 step, 2 messages, 3 words"), std::string::npos);
  EXPECT_EQ(text.find("four"), std::string::npos);
  EXPECT_NE(text.find("and 4 more"), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25) << "more than a screen";
}

}  // namespace
}  // namespace lockstep::cli::run::record_test
