// Runs that fail in `compare` and `sweep`: their rows, and how they are distributed over the seeds of faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <sstream>

#include "../../temporary_directory.hpp"
#include "command_line.hpp"
#include "compare/fault_outcomes.hpp"

namespace lockstep::test::fault_results_test {
namespace {

using Json = nlohmann::json;
using cli::compare::SweepArguments;
using cli::compare::SweepTrial;

const std::string compare = "compare --operation broadcast --machine hypercube:3 --ports one ";

Json row_of(const Json& rows, const std::string& method) {
  for (const Json& row : rows) {
    if (row["algorithm"] == method) return row;
  }
  return {};
}

// The tree sends in cycle 2 over that link: 1 + 2 + 3 messages were sent, and those of cycles 0 and 1 were received.
TEST(FailedRuns, StayInTheComparison) {
  const Finished compared = lockstep(compare + "--fail-link 0-4 --json -");
  EXPECT_EQ(compared.exit_code, 1);
  const std::string reason = "cycle 2, rank 0, port 2: the link to rank 4 failed in cycle 0";
  EXPECT_NE(compared.err.find("broadcast/sbt on hypercube:3: " + reason), std::string::npos) << compared.err;
  const Json rows = Json::parse(compared.out)["rows"];
  const Json failed = row_of(rows, "broadcast/sbt");
  EXPECT_EQ(failed["failed"], true);
  EXPECT_EQ(failed["reason"], reason);
  EXPECT_EQ(failed["rank"], nullptr);
  EXPECT_EQ(failed["digest"], nullptr);
  EXPECT_EQ(failed["figures"]["steps"], 3);
  EXPECT_EQ(failed["figures"]["messages"], 6);
  EXPECT_EQ(failed["figures"]["coverage"], 0.5);
  EXPECT_EQ(failed["figures"]["lower_bound_steps_ratio"], nullptr) << "it did less than the bound is for";
  const Json right = row_of(rows, "broadcast/msbt-redundant");
  EXPECT_EQ(right["failed"], false);
  EXPECT_EQ(right["reason"], nullptr);
  EXPECT_EQ(right["rank"], 2) << "behind msbt, which sends one word over one tree, and before whatever failed sooner";
  EXPECT_EQ(rows[0]["algorithm"], "broadcast/msbt");
  EXPECT_EQ(right["figures"]["coverage"], 1.0);
}

TEST(FailedRuns, AreMarkedInTheTableAndInCsv) {
  const TemporaryDirectory directory;
  const std::string csv = directory.file("rows.csv");
  const Finished compared = lockstep(compare + "--fail-link 0-4 --csv " + csv);
  EXPECT_EQ(compared.exit_code, 1);
  bool is_marked = false;
  for (const std::string& line : lines(compared.out)) {
    if (line.find("broadcast/sbt ") == std::string::npos || line.find("failed ") == std::string::npos) continue;
    is_marked = true;
    EXPECT_NE(line.find(" 0.5"), std::string::npos) << line;
  }
  EXPECT_TRUE(is_marked) << compared.out;
  EXPECT_NE(compared.out.find("\nfailed, with the counts up to the error\n"), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find("the link to rank 4 failed in cycle 0"), std::string::npos) << compared.out;
  bool is_in_csv = false;
  for (const std::string& line : lines(read_file(csv))) {
    if (line.find(",broadcast/sbt,") == std::string::npos) continue;
    is_in_csv = true;
    EXPECT_NE(line.find(",0.5,"), std::string::npos) << line;
    EXPECT_NE(line.find(",true,"), std::string::npos) << line;
  }
  EXPECT_TRUE(is_in_csv);
}

/// The part of 8 processors that a binomial tree reaches before it needs the link, whose ends differ in one bit: it
/// needs it if the lower end is among the holders of that cycle.
double reached_without(const Json& link) {
  const auto a = link[0].get<unsigned>();
  const auto b = link[1].get<unsigned>();
  const unsigned bit = a ^ b;
  EXPECT_TRUE(std::has_single_bit(bit));
  return std::min(a, b) < bit ? bit / 8.0 : 1.0;
}

TEST(FailedRuns, AreDistributedOverTheSeeds) {
  const TemporaryDirectory directory;
  const std::string rows = directory.file("rows.jsonl");
  const std::string sweep =
      "sweep --operation broadcast --machine hypercube:3 --ports one --fail-links 1 --vary fault-seed=1..12 --jsonl " +
      rows;
  const Finished swept = lockstep(sweep);
  unsigned delivered = 0;
  unsigned seeds = 0;
  for (const std::string& line : lines(read_file(rows))) {
    const Json row = Json::parse(line);
    if (row["algorithm"] != "broadcast/sbt") continue;
    const std::string seed = row["point"]["fault-seed"].dump();
    const Finished run =
        lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --fail-links 1 --json - --fault-seed " + seed);
    const double share = reached_without(Json::parse(run.out)["faults"]["links"][0]["ranks"]);
    EXPECT_EQ(row["figures"]["coverage"], share) << seed;
    EXPECT_EQ(row["failed"], share < 1) << seed;
    EXPECT_EQ(row["faults"], "--fail-links 1@0 --fault-seed " + seed);
    delivered += share == 1 ? 1 : 0;
    ++seeds;
  }
  EXPECT_EQ(seeds, 12U);
  EXPECT_GT(delivered, 0U);
  EXPECT_LT(delivered, seeds);
  EXPECT_EQ(swept.exit_code, 1);
  EXPECT_NE(swept.err.find(" failed\n"), std::string::npos) << swept.err;
  EXPECT_NE(swept.out.find(", over the seeds of faults\n"), std::string::npos) << swept.out;
  EXPECT_NE(swept.out.find("least coverage"), std::string::npos) << swept.out;
  const std::string text = read_file(rows);
  EXPECT_EQ(lockstep(sweep + " --resume").out, swept.out) << "the rows have all of it";
  EXPECT_EQ(read_file(rows), text);
}

SweepTrial sample(const std::string& seed, const std::string& words, double coverage, std::optional<double> steps) {
  SweepTrial trial{.values = {words, seed},
                   .trial = {.machine = "ring:4", .method = "broadcast/x", .ports = {}},
                   .task = {},
                   .coverage = coverage};
  trial.trial.has_failed = !steps;
  if (steps) trial.figure = cli::report::Figure{*steps};
  return trial;
}

// Quartiles of 1/4, 1/2, 1 and 1 are interpolated: 1/4 + 3/4 * 1/4 = 0.4375, 0.75 and 1. 4 and 7 steps have the median
// 5.5, which rounds to 6.
TEST(FailedRuns, HaveTheQuartilesOfTheirCoverage) {
  SweepArguments arguments;
  arguments.trials.machines = {"ring:4"};
  arguments.variations = {{"words", {"1", "8"}}, {"fault-seed", {"1", "2", "3", "4"}}};
  std::vector<SweepTrial> trials{sample("1", "1", 0.5, {}), sample("2", "1", 1, 4), sample("3", "1", 0.25, {}),
                                 sample("4", "1", 1, 7), sample("1", "8", 0.999, {})};
  std::vector<const SweepTrial*> all;
  for (const SweepTrial& trial : trials) all.push_back(&trial);
  const std::string table = outcomes_table(arguments, all, cli::report::find_criterion("steps", false));
  const auto rows = lines(table);
  ASSERT_EQ(rows.size(), 3U) << table;
  const auto words_of_row = [](const std::string& row) {
    std::istringstream text(row);
    return std::vector<std::string>(std::istream_iterator<std::string>(text), {});
  };
  EXPECT_EQ(words_of_row(rows[1]),
            (std::vector<std::string>{"1", "x", "4", "50%", "25%", "43.7%", "75%", "100%", "6"}));
  EXPECT_EQ(words_of_row(rows[2]),
            (std::vector<std::string>{"8", "x", "1", "0%", "99.9%", "99.9%", "99.9%", "99.9%", "-"}));
}

}  // namespace
}  // namespace lockstep::test::fault_results_test
