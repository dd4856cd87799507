// `lockstep sweep --vary` with flags of rules, costs, faults and execution; what runs gain from threads.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "../../temporary_directory.hpp"
#include "command_line.hpp"
#include "compare/sweep_axis.hpp"
#include "compare/thread_gains.hpp"

namespace lockstep::test::sweep_axes_test {
namespace {

using Json = nlohmann::json;
using cli::compare::SweepArguments;
using cli::compare::SweepTrial;
using cli::compare::ThreadGains;

std::vector<Json> rows_of(const Finished& sweep) {
  std::vector<Json> rows;
  for (const std::string& line : lines(sweep.out)) rows.push_back(Json::parse(line));
  return rows;
}

/// A run at these values that took so long.
SweepTrial run_at(std::vector<std::string> values, double seconds) {
  SweepTrial trial{
      .values = std::move(values), .trial = {.machine = "ring:4", .method = "a/b", .ports = {}}, .task = {}};
  trial.trial.record.emplace().digest = "0";  // it has ended
  trial.trial.record->wall.run.median = seconds;
  return trial;
}

// The speed-up is the time on the fewest threads by the run's own, and the efficiency that by threads / fewest.
TEST(ThreadGains, AreAgainstTheFewestThreadsOfThePoint) {
  SweepArguments arguments;
  arguments.variations = {{"words", {"1", "8"}}, {"threads", {"2", "4", "16"}}};
  ThreadGains gains(arguments);
  struct Expected {
    std::string words;
    std::string threads;
    double seconds, speedup, efficiency;
  };
  for (const Expected& one : {Expected{"1", "2", 8, 1, 1}, Expected{"1", "4", 4, 2, 1}, Expected{"1", "16", 2, 4, 0.5},
                              Expected{"8", "2", 3, 1, 1}, Expected{"8", "4", 6, 0.5, 0.25}}) {
    SweepTrial trial = run_at({one.words, one.threads}, one.seconds);
    gains.set(trial);
    const auto& gain = trial.trial.record->wall.gain;
    ASSERT_TRUE(gain) << one.words << " " << one.threads;
    EXPECT_DOUBLE_EQ(gain->speedup, one.speedup) << one.words << " " << one.threads;
    EXPECT_DOUBLE_EQ(gain->efficiency, one.efficiency) << one.words << " " << one.threads;
  }
}

TEST(ThreadGains, NeedTheRunOnTheFewestThreads) {
  SweepArguments arguments;
  arguments.variations = {{"threads", {"1", "2"}}};
  ThreadGains gains(arguments);
  SweepTrial two = run_at({"2"}, 1);
  gains.set(two);
  EXPECT_FALSE(two.trial.record->wall.gain);
  gains.note(run_at({"1"}, 0), 5);  // its row was in the file
  gains.set(two);
  ASSERT_TRUE(two.trial.record->wall.gain);
  EXPECT_DOUBLE_EQ(two.trial.record->wall.gain->speedup, 5);

  arguments.variations = {{"words", {"1"}}};
  SweepTrial other = run_at({"1"}, 1);
  ThreadGains(arguments).set(other);
  EXPECT_FALSE(other.trial.record->wall.gain);
}

// Given in any order, the fewest threads come first.
TEST(SweepAxes, OverThreadsHaveSpeedUpAndEfficiency) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("rows.jsonl");
  const std::string sweep =
      "sweep --operation allgather --machine hypercube:4 --ports one --vary threads=2,1 --by speedup --jsonl ";
  ASSERT_EQ(lockstep(sweep + file).exit_code, 0);
  const std::string whole = read_file(file);
  const auto check = [&](const std::string& text) {
    std::map<std::string, double> alone;
    for (const std::string& line : lines(text)) {
      const Json row = Json::parse(line);
      if (!row.contains("figures")) continue;  // it is not legal under one port
      const Json& figures = row["figures"];
      const double threads = row["point"]["threads"];
      if (threads == 1) alone[row["algorithm"]] = figures["run_s"];
      const double speedup = alone.at(row["algorithm"]) / figures["run_s"].get<double>();
      EXPECT_NEAR(figures["speedup"].get<double>(), speedup, 1e-9 * speedup) << line;
      EXPECT_NEAR(figures["efficiency"].get<double>(), speedup / threads, 1e-9 * speedup) << line;
    }
    EXPECT_GT(alone.size(), 5U);
  };
  check(whole);
  write_file(file, whole.substr(0, whole.size() * 3 / 4));  // without some of the rows on two threads
  EXPECT_EQ(lockstep(sweep + file + " --resume").exit_code, 0);
  check(read_file(file));
}

// Every value gives the run that the flag gives.
TEST(SweepAxes, MayBeRulesCostsAndExecution) {
  const std::string broadcast = "--operation broadcast --machine hypercube:3 --jsonl - --vary ";
  struct Axis {
    std::string vary;
    std::string flag;
  };
  for (const Axis& axis :
       {Axis{"ports=one,all", "ports"}, Axis{"duplex=full,half-link", "duplex"}, Axis{"preset=ipsc", "preset"},
        Axis{"max-cycles=1,100", "max-cycles"}, Axis{"executor=sequential,threads", "executor"},
        Axis{"channels=compact", "channels"}, Axis{"packets=1,2", "packets"}, Axis{"flop=0", "flop"}}) {
    std::size_t compared = 0;
    for (const Json& row : rows_of(lockstep("sweep --words 8 " + broadcast + axis.vary))) {
      const Json value = row["point"][axis.flag];
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      if (row["algorithm"] != "broadcast/sbt" || !row.contains("digest")) continue;
      const Finished run = lockstep("run --words 8 --machine hypercube:3 --algorithm broadcast/sbt --json - --" +
                                    axis.flag + " " + text);
      if (run.exit_code != 0) continue;  // sbt has no packets
      EXPECT_EQ(row["digest"], Json::parse(run.out)["digest"]) << axis.vary << " " << text;
      EXPECT_EQ(row["model"], Json::parse(run.out)["model"]) << axis.vary << " " << text;
      ++compared;
    }
    EXPECT_TRUE(compared > 0 || axis.flag == "packets") << axis.vary;
  }
}

// Methods under --ports all are asked for where the ports are varied.
TEST(SweepAxes, OfRulesAskForAll) {
  const Finished sweep =
      lockstep("sweep --operation allgather --machine hypercube:4 --vary ports=one,all --predict --by steps");
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_NE(sweep.out.find("allgather on hypercube:4, steps, one port"), std::string::npos) << sweep.out;
  EXPECT_NE(sweep.out.find("\nall ports\n"), std::string::npos) << sweep.out;
}

// A seed loses the messages that it loses in `run`; whether the broadcast survives differs between seeds.
TEST(SweepAxes, MayBeFaults) {
  std::size_t failed = 0;
  const std::string drop = " --ports one --drop 0.04 ";
  const std::vector<Json> rows =
      rows_of(lockstep("sweep --operation broadcast --machine hypercube:3 --jsonl - --vary "
                       "fault-seed=1..12" +
                       drop));
  std::size_t seeds = 0;
  for (const Json& row : rows) {
    if (row["algorithm"] != "broadcast/sbt") continue;
    const std::string seed = row["point"]["fault-seed"].dump();
    const Finished run =
        lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --quiet --fault-seed " + seed + drop);
    const bool has_failed = row.value("failed", false) || (row.contains("problems") && !row["problems"].empty());
    EXPECT_EQ(has_failed, run.exit_code == 1) << seed;
    EXPECT_EQ(row["faults"], "--drop 0.04 --fault-seed " + seed);
    failed += run.exit_code == 1;
    ++seeds;
  }
  EXPECT_EQ(seeds, 12U);
  EXPECT_GT(failed, 0U);
  EXPECT_LT(failed, seeds);
}

TEST(Compare, TakesFaults) {
  const Finished compared =
      lockstep("compare --operation broadcast --machine hypercube:3 --ports one --fail-link 0-1 --quiet --json -");
  EXPECT_EQ(compared.exit_code, 1);  // sbt sends over that link
  EXPECT_NE(compared.err.find("broadcast/sbt on hypercube:3: "), std::string::npos) << compared.err;
}

TEST(SweepAxes, AreRefusedInOneLine) {
  const std::string some = "sweep --operation allgather --machine hypercube:3 ";
  const std::pair<std::string, std::string> refusals[] = {
      {some + "--vary threds=1,2", "--vary 'threds' is not one of ports, multicast, "},
      {some + "--vary threads=1,2 --threads 2", "--threads is varied and cannot also have one value\n"},
      {some + "--vary ports=one,all --ports one", "--ports is varied and cannot also have one value\n"},
      {some + "--vary beta=1,2 --beta 1", "--beta is varied and cannot also have one value\n"},
      {some + "--vary threads=1,x", "at threads=x: --threads "},
      {some + "--vary ports=one,two", "at ports=two: --ports 'two' is not one of one, "},
      {some + "--vary threads=1,2 --executor sequential",
       "at threads=1: --threads is for --executor tbb and threads; sequential uses one thread\n"},
      {some + "--vary threads=1,2 --jobs 2",
       "--jobs runs every method on one thread and excludes --threads and --executor\n"},
      {some + "--vary words=1,2 --by speedup", "--by speedup needs numbers of threads, e.g. --vary threads=1,2,4\n"},
      {some + "--vary threads=1,2 --by efficiency --predict", "--by efficiency needs runs, and --predict makes none\n"},
      {some + "--vary drop=0.1 --predict",
       "at drop=0.1: --drop 0.1 --fault-seed 1 needs runs, and --predict makes none\n"},
      {"compare --operation allgather --machine hypercube:3 --drop 0.1 --predict",
       "--drop 0.1 --fault-seed 1 needs runs, and --predict makes none\n"},
      {"compare --operation allgather --machine hypercube:3 --by speedup", "--by 'speedup' is not one of steps, "},
      {"best --operation allgather --machine hypercube:3 --vary threads=1,2",
       "best goes along parameters and costs, not threads; `sweep` varies it\n"},
  };
  for (const auto& [command, text] : refusals) {
    const Finished refused = lockstep(command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_TRUE(refused.err.starts_with("lockstep: " + text)) << command << "\n" << refused.err;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << command;
  }
}

}  // namespace
}  // namespace lockstep::test::sweep_axes_test
