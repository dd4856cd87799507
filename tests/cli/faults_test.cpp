// Faults on the command line: what they do to a run, what is said of them, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"

namespace lockstep::test {
namespace {

using Json = nlohmann::json;

const std::string tree = "run --machine hypercube:3 --algorithm broadcast/sbt ";
const std::string redundant = "run --machine hypercube:5 --algorithm broadcast/msbt-redundant ";

Json report_of(const std::string& arguments, int exit_code = 0) {
  const Finished run = lockstep(arguments + " --json -");
  EXPECT_EQ(run.exit_code, exit_code) << arguments << "\n" << run.err;
  return Json::parse(run.out, nullptr, false);
}

TEST(FaultFlags, EndInOneLineAndExitCode1WhereAMethodDoesNotTolerateThem) {
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {tree + "--fail-link 0-2",
            "broadcast/sbt: cycle 1, rank 0, port 1: the link to rank 2 has failed in cycle 0"},
           {tree + "--fail-link 2-0@1",
            "broadcast/sbt: cycle 1, rank 0, port 1: the link to rank 2 has failed in cycle 1"},
           {tree + "--fail-processor 4@2", "broadcast/sbt: cycle 2, rank 0, port 2: rank 4 has failed in cycle 2"},
           {tree + "--fail-processor 0b001", "broadcast/sbt: cycle 0, rank 0, port 0: rank 1 has failed in cycle 0"},
           {tree + "--drop 0-4@2",
            "broadcast/sbt: deadlock in cycle 3: rank 4 waits on port 2 for rank 0 since cycle 0, whose program has "
            "ended"},
           {tree + "--corrupt 0-4@2",
            "broadcast/sbt on hypercube:3: wrong data: rank 4 holds 1 words of 1, the first 0 right"},
           {"run --machine bus:4 --algorithm broadcast/direct --fail-processor 2",
            "broadcast/direct: cycle 0, rank 0, peer 2: rank 2 has failed in cycle 0"}}) {
    const Finished run = lockstep(arguments);
    EXPECT_EQ(run.exit_code, 1) << arguments;
    EXPECT_EQ(run.err.find("lockstep: " + said), 0U) << arguments << "\n" << run.err;
  }
}

TEST(FaultFlags, DoNotMatterWhereTheyMeetNothing) {
  const Json plain = report_of(tree);
  EXPECT_TRUE(plain["faults"].is_null());
  for (const char* flags : {"--fail-link 0-2@2", "--fail-link 5-7", "--fail-processor 7@99", "--drop 0-1@1",
                            "--delay 3-7@0:5", "--fail-link 0-1@1,0-2@2,0-4@3 --fail-link 1-3@2"}) {
    const Json report = report_of(tree + flags);
    EXPECT_EQ(report["digest"], plain["digest"]) << flags;
    EXPECT_FALSE(report["faults"].is_null()) << flags;
  }
}

TEST(FaultFlags, AreInTheReport) {
  const Json faults = report_of(redundant +
                                "--fail-link 0-1,0-2@3 --fail-processor 7@4 --drop 0.01 --corrupt 4-5@99 --delay 0 "
                                "--fault-seed 5 --threads 2")["faults"];
  EXPECT_EQ(faults["links"], Json::parse(R"([{"ranks": [0, 1], "from": 0}, {"ranks": [0, 2], "from": 3}])"));
  EXPECT_EQ(faults["processors"], Json::parse(R"([{"rank": 7, "from": 4}])"));
  EXPECT_EQ(faults["lost"], Json::parse("[7]"));
  EXPECT_EQ(faults["seed"], 5);
  EXPECT_EQ(faults["corrupted"], 0);
  EXPECT_EQ(faults["delayed"], 0);
  const Finished human = lockstep(redundant + "--fail-link 0-1 --fail-processor 7,6@9999 --drop 0-2@1");
  EXPECT_EQ(human.exit_code, 0) << human.err;
  EXPECT_NE(human.out.find("\nfaults         1 link to fail, 1 of 2 processors lost, of the messages 1 dropped, "
                           "0 delayed, 0 corrupted\n"),
            std::string::npos)
      << human.out;
}

TEST(FaultFlags, MeetTheSameMessagesOnAnyThreads) {
  const std::string run =
      "run --machine hypercube:6 --algorithm broadcast/msbt-redundant --drop 0.02 --delay 0-1@0,0-2@1:3 ";
  const Json first = report_of(run + "--executor sequential");
  EXPECT_GT(first["faults"]["dropped"], 0);
  EXPECT_GT(first["faults"]["delayed"], 0);
  for (const char* flags : {"--threads 4", "--executor seeded --schedule-seed 3", "--threads 2 --channels compact"}) {
    const Json other = report_of(run + flags);
    EXPECT_EQ(other["digest"], first["digest"]);
    EXPECT_EQ(other["faults"], first["faults"]);
  }
  EXPECT_NE(report_of(run + "--fault-seed 2")["faults"]["dropped"], Json());
}

TEST(FaultFlags, ADelayIsWaitedFor) {
  const Json report = report_of(tree + "--delay 0-4@2:7");
  EXPECT_EQ(report["faults"]["delayed"], 1);
  EXPECT_EQ(report["verified"], true);
  const Finished late = lockstep(redundant + "--delay 0-1@0:50");
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_NE(late.err.find("a message that was delayed to cycle 51 arrived when all programs had returned"),
            std::string::npos)
      << late.err;
}

TEST(FaultFlags, AStragglerHasACriticalPath) {
  // 0 to 1, 2, 4 one after the other, 1 to 3, ..: rank 2 sends to 6 at last, ten times as long.
  const Json report = report_of(tree + "--straggler 2:10");
  EXPECT_EQ(report["modelled_time"]["synchronous"], 6.0);
  EXPECT_EQ(report["modelled_time"]["asynchronous"], 24.0);
  EXPECT_EQ(report["faults"]["critical_path"], Json::parse(R"([
    {"from": 0, "to": 1, "cycle": 0, "start": 0.0, "end": 2.0, "waited": 2.0},
    {"from": 0, "to": 2, "cycle": 1, "start": 2.0, "end": 4.0, "waited": 4.0},
    {"from": 2, "to": 6, "cycle": 2, "start": 4.0, "end": 24.0, "waited": 24.0}])"));
  const Finished human = lockstep(tree + "--straggler 2:10");
  EXPECT_NE(human.out.find("critical path  3 messages one after the other; stragglers send for 20 of 24\n"
                           "               0 to 2  rank 0 to 1, which waits 2 for it\n"),
            std::string::npos)
      << human.out;
}

TEST(FaultFlags, ThatAreWrongAreRefused) {
  for (const auto& [flags, said] : std::vector<std::pair<std::string, std::string>>{
           {"--fail-link 0", "--fail-link takes A-B@CYCLE, not '0'"},
           {"--fail-link 0-", "--fail-link takes A-B@CYCLE, not '0-'"},
           {"--fail-link 0-1@", "--fail-link"},
           {"--fail-link 0-1@x", "--fail-link"},
           {"--fail-link 0-1,", "--fail-link takes A-B@CYCLE, not ''"},
           {"--fail-link 0-3", "what is to fail: hypercube:3 has no link between ranks 0 and 3"},
           {"--fail-link 0-8", "what is to fail: hypercube:3 has no rank 8: they are 0 to 7"},
           {"--fail-link 0-4294967295", "--fail-link: no machine has a rank '4294967295'"},
           {"--fail-link 0-1@2147483646", "--fail-link"},
           {"--fail-processor 8", "what is to fail: hypercube:3 has no rank 8: they are 0 to 7"},
           {"--fail-processor -1", "--fail-processor"},
           {"--straggler 1", "--straggler takes R:FACTOR, not '1'"},
           {"--straggler 1:0", "--straggler: a factor is more than 0"},
           {"--straggler 1:nan", "--straggler"},
           {"--straggler 1:-2", "--straggler"},
           {"--straggler 9:2", "what is to fail: hypercube:3 has no rank 9: they are 0 to 7"},
           {"--drop 1.5", "--drop"},
           {"--drop 0-1", "--drop takes a share of all messages, such as 0.01, or FROM-TO@CYCLE,.., not '0-1'"},
           {"--delay 0.5:0", "--delay"},
           {"--delay 0.5:", "--delay"},
           {"--corrupt lots", "--corrupt"},
           {"--fault-seed 3", "--fault-seed is for shares of messages in --drop, --corrupt and --delay"},
           {"--fault-seed 3 --drop 0-1@0", "--fault-seed is for shares of messages"}}) {
    SCOPED_TRACE(flags);
    expect_refused(lockstep(tree + flags), {said});
  }
  expect_refused(lockstep("run --machine bus:4 --algorithm broadcast/direct --fail-link 0-1"),
                 {"what is to fail: bus:4 has no links that could fail"});
  expect_refused(lockstep("run --machine rh:2,2 --emulate hypercube --algorithm allgather/adea --drop 0.1"),
                 {"faults are for methods of the machine itself, not for those that --embed or --emulate carries"});
}

TEST(FaultFlags, AreTracedWithWhatWasSent) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("trace.json");
  const Finished run = lockstep(
      "trace --machine hypercube:3 --algorithm broadcast/msbt-redundant --drop 0-1@0 "
      "--perfetto " +
      file);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(read_file(file).find("send"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::test
