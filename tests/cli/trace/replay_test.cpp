// Traces of MPI programs and GOAL on the command line.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::replay_test {
namespace {

using Json = nlohmann::json;

const std::string halo = LOCKSTEP_TEST_DATA "/simgrid/halo.txt";

Json validated(const std::string& arguments) {
  const Finished run = lockstep("validate --json - " + arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(run.out, nullptr, false);
}

struct Exported {
  std::string machine;
  std::string algorithm;
  double time;
};

// Files written for other programs take, when read back, the time that these programs give (LogGOPSim 76451de, L = g =
// 1000, G = 7; SimGrid 3.32 with beta 1, tau 1: 24.000064, 79.000064, 79.000064 and 42.000112 s).
TEST(ReplayRun, OfWrittenGoalTakesTheTimeOfLogGopSim) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("written.goal");
  for (const auto& [machine, algorithm, time] : std::vector<Exported>{{"hypercube:4", "broadcast/sbt", 4140},
                                                                      {"hypercube:4", "broadcast/sbt --root 5", 4140},
                                                                      {"hypercube:4", "gather/sbt", 4525},
                                                                      {"hypercube:4", "scatter/sbt", 4525},
                                                                      {"hypercube:4", "allgather/adea", 4525},
                                                                      {"hypercube:10", "allgather/adea", 45805},
                                                                      {"ring:8", "allgather/daisy-chain", 7245},
                                                                      {"hypercube:5", "alltoall/exchange", 7800}}) {
    SCOPED_TRACE(machine + " " + algorithm);
    const std::string flags = " --machine " + machine + " --algorithm " + algorithm + " --words 5";
    ASSERT_EQ(lockstep("trace --goal " + file + flags).exit_code, 0);
    const Json report = validated(file + " --beta 1000 --tau 7");
    EXPECT_EQ(report["modelled_time"]["asynchronous"], time);
    EXPECT_EQ(report["modelled_time"]["synchronous"], time);
    EXPECT_EQ(report["counted"]["messages"], run_json(machine, algorithm, "--words 5")["counted"]["messages"]);
    // Also on the machine for which it was written.
    EXPECT_EQ(validated(file + " --beta 1000 --tau 7 --machine " + machine)["modelled_time"]["asynchronous"], time);
  }
}

TEST(ReplayRun, OfWrittenTracesTakesTheTimeOfSimGrid) {
  const TemporaryDirectory directory;
  const std::string traces = directory.file("traces");
  for (const auto& [machine, algorithm, time] : std::vector<Exported>{{"hypercube:4", "broadcast/sbt", 24},
                                                                      {"hypercube:4", "gather/sbt", 79},
                                                                      {"hypercube:4", "allgather/adea", 79},
                                                                      {"ring:8", "allgather/daisy-chain", 42}}) {
    SCOPED_TRACE(machine + " " + algorithm);
    ASSERT_EQ(lockstep("trace --ti " + traces + " --machine " + machine + " --algorithm " + algorithm + " --words 5")
                  .exit_code,
              0);
    const Json report = validated(traces + "/traces.txt --word-bytes 1000000 --beta 1 --tau 1");
    EXPECT_EQ(report["modelled_time"]["asynchronous"], time);
    EXPECT_EQ(report["algorithm"]["parameters"]["word-bytes"], 1000000);
  }
}

TEST(ReplayRun, OfARealProgramReportsItsCounts) {
  const Json report = validated(halo);
  EXPECT_EQ(report["machine"]["spec"], "switch:8");
  EXPECT_EQ(report["algorithm"]["operation"], "replay");
  EXPECT_EQ(report["counted"]["messages"], 527);  // by hand, tests/algorithms/foreign/replay/replay_test.cpp
  EXPECT_EQ(report["counted"]["words"], 2605);
  EXPECT_EQ(report["schedule"]["format"], "SimGrid trace");
  EXPECT_EQ(report["schedule"]["warnings"], Json::array({"test: nothing waits for requests that are only tested"}));
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(validated(halo + " --ports all")["machine"]["spec"], "complete:8");
  EXPECT_EQ(validated(halo + " --word-bytes 4")["counted"]["words"], 2 * 2605);
  for (const std::string executor : {"seeded", "threads", "sequential"}) {
    EXPECT_EQ(validated(halo + " --executor " + executor)["digest"], report["digest"]);
  }
}

TEST(ReplayRun, IsWhereMethodsAre) {
  const std::string file = " --algorithm file:" + halo;
  const Json embedded =
      Json::parse(lockstep("run --json - --machine torus:4x2 --embed complete:8" + file).out, nullptr, false);
  EXPECT_EQ(embedded["verified"], true);
  EXPECT_GE(embedded["counted"]["hops"], 527);
  const Finished trace = lockstep("trace --machine switch:8 --trace-json -" + file);
  EXPECT_EQ(Json::parse(trace.out, nullptr, false)["transfers"].size(), 527U) << trace.err;
  const Finished compare = lockstep(
      "compare --operation replay --machine switch:8 --machine torus:4x2 --ports one "
      "--embed complete:8 --markdown -" +
      file);
  EXPECT_NE(compare.out.find(" on complete:8 | torus:4x2 |"), std::string::npos) << compare.out << compare.err;
  const Finished sweep = lockstep("sweep --operation replay --machine switch:8 --vary beta=1,10 --csv -" + file);
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_EQ(lines(sweep.out).size(), 3U) << sweep.out;
}

TEST(ReplayRun, ReadsStandardInput) {
  const std::string shell = std::string(
                                "printf 'num_ranks 2\\nrank 0 {\\nsend 9b to 1\\n}\\nrank 1 {\\nrecv 9b from "
                                "0\\n}\\n' | ") +
                            LOCKSTEP_COMMAND + " validate - --quiet";
  EXPECT_EQ(std::system(shell.c_str()), 0);
}

TEST(ReplayRun, ThatFailsSaysWhere) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("wrong.goal");
  write_file(file, "num_ranks 2\nrank 0 {\nsend 9b to 1\n}\nrank 1 {\n}\n");
  const Finished run = lockstep("validate --json - " + file);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(Json::parse(run.out, nullptr, false)["error"]["kind"], "invalid-schedule");
  EXPECT_NE(run.err.find("rank 0, line 3 (send 8 words to 1, tag 0) is never received"), std::string::npos) << run.err;
  write_file(file, "0 recv 1 0 8\n0 send 1 0 8\n1 recv 0 0 8\n1 send 0 0 8\n");
  EXPECT_NE(lockstep("validate " + file).err.find("no processor can continue after cycle 0: "), std::string::npos);
}

TEST(ReplayRun, IsRefusedWhereItCannotRun) {
  const TemporaryDirectory directory;
  const std::string list = directory.file("list.txt");
  write_file(list, "nowhere.txt\n");
  expect_refused(
      lockstep("validate " + list),
      {"list.txt' is neither XML, JSON, GOAL, a trace nor a list of traces: there is no file 'nowhere.txt'"});
  write_file(list, "hello world\n");
  expect_refused(lockstep("run --machine switch:2 --algorithm file:" + list), {"a trace nor a list of traces"});
  write_file(directory.file("a b.txt"), "0 send 1 0 8\n1 recv 0 0 8\n");
  write_file(list, "a b.txt\n");
  EXPECT_EQ(lockstep("validate " + list).exit_code, 0);
  expect_refused(lockstep("validate " + halo + " --machine switch:4"),
                 {"the schedule is for 8 processors, switch:4 has 4"});
  expect_refused(lockstep("validate " + halo + " --machine bus:8"), {"the processors of bus:8 have no links"});
  expect_refused(lockstep("validate " + halo + " --words 3"), {"--words is not a parameter of schedule"});
  expect_refused(lockstep("validate " + halo + " --word-bytes 0"), {"word-bytes"});
  expect_refused(lockstep("validate " + halo + " --machine ring:8 --ports ring"),
                 {"--ports ring is for methods of rings; traces take one, one-strict and all"});
  expect_refused(lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --word-bytes 8"),
                 {"--word-bytes is not a parameter of broadcast/sbt"});
  expect_refused(lockstep("compare --operation replay --machine switch:8"),
                 {"no method does a replay; --algorithm file:FILE names messages to send again"});
  const Finished compare =
      lockstep("compare --operation allreduce --machine switch:8 --predict --algorithm file:" + halo);
  EXPECT_NE(compare.out.find("is of operation replay: file:" + halo), std::string::npos) << compare.out;
  expect_refused(lockstep("plan --machine switch:8 --format msccl --algorithm file:" + halo), {"replay"});
}

}  // namespace
}  // namespace lockstep::test::replay_test
