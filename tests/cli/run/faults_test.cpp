// Faults on the command line: their effects on a run, their reports, and refusals.
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"

namespace lockstep::test::faults_test {
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
           {tree + "--fail-link 0-2", "broadcast/sbt: cycle 1, rank 0, port 1: the link to rank 2 failed in cycle 0"},
           {tree + "--fail-link 2-0@1", "broadcast/sbt: cycle 1, rank 0, port 1: the link to rank 2 failed in cycle 1"},
           {tree + "--fail-processor 4@2", "broadcast/sbt: cycle 2, rank 0, port 2: rank 4 failed in cycle 2"},
           {tree + "--fail-processor 0b001", "broadcast/sbt: cycle 0, rank 0, port 0: rank 1 failed in cycle 0"},
           {tree + "--drop 0-4@2",
            "broadcast/sbt: deadlock in cycle 3: rank 4 waits on port 2 for rank 0 since cycle 0, whose program has "
            "ended"},
           {tree + "--corrupt 0-4@2",
            "broadcast/sbt on hypercube:3: wrong data: rank 4 holds 1 words of 1, the first 0 right"},
           {"run --machine bus:4 --algorithm broadcast/direct --fail-processor 2",
            "broadcast/direct: cycle 0, rank 0, peer 2: rank 2 failed in cycle 0"}}) {
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
  EXPECT_NE(human.out.find("\nfaults         1 link to fail, 1 of 2 processors lost, messages: 1 dropped, "
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

TEST(FaultFlags, AreInReportsAsTheyWereGiven) {
  const std::string flags =
      "--fail-link 0-4@7 --fail-processor 7@4 --straggler 2:1.5 --drop 0.001,0-1@0 --corrupt 0-2@9 --delay 4-6@1:3 "
      "--fault-seed 5";
  EXPECT_EQ(report_of(redundant + flags)["faults"]["flags"], flags);
  EXPECT_EQ(report_of(redundant + "--drop 1e-3")["faults"]["flags"], "--drop 0.001 --fault-seed 1");
  const Finished run = lockstep(redundant + "--fail-link 1-0,0-2@3 --quiet --csv -");
  EXPECT_NE(run.out.find(",\"--fail-link 1-0@0,0-2@3\","), std::string::npos) << run.out;
}

// 5% of the 80 links of a 5-cube are 4, which the method survives.
TEST(FaultFlags, DrawLinks) {
  const std::string drawn = "--fail-links 5% --fault-seed 7";
  const Json report = report_of(redundant + drawn);
  const Json& links = report["faults"]["links"];
  EXPECT_EQ(report["faults"]["flags"], "--fail-links 5%@0 --fault-seed 7");
  ASSERT_EQ(links.size(), 4U);
  std::string flag = "--fail-link ";
  for (const Json& link : links) {
    const auto a = link["ranks"][0].get<unsigned>();
    const auto b = link["ranks"][1].get<unsigned>();
    EXPECT_EQ(std::popcount(a ^ b), 1) << "neighbours differ in one bit";
    flag += (&link == &links.front() ? "" : ",") + std::to_string(a) + "-" + std::to_string(b);
  }
  EXPECT_EQ(report_of(redundant + flag)["digest"], report["digest"]) << "the same link is never drawn twice";
  EXPECT_EQ(report_of(redundant + drawn + " --threads 2")["faults"], report["faults"]);
  EXPECT_NE(report_of(redundant + "--fail-links 4 --fault-seed 8")["faults"]["links"], links);
  Json fewer = links;
  fewer.erase(3);
  EXPECT_EQ(report_of(redundant + "--fail-links 3 --fault-seed 7")["faults"]["links"], fewer);
  const Finished human = lockstep(redundant + drawn);
  EXPECT_NE(human.out.find("\nfaults         4 links to fail (drawn: "), std::string::npos) << human.out;
}

TEST(FaultFlags, DrawFromWhatIsNotNamed) {
  const Json faults = report_of(redundant +
                                "--fail-link 1-0@99 --fail-links 79@98 --fail-processor 7@99 "
                                "--fail-processors 31@98")["faults"];
  EXPECT_EQ(faults["links"][0], Json::parse(R"({"ranks": [1, 0], "from": 99})"));
  EXPECT_EQ(faults["processors"][0], Json::parse(R"({"rank": 7, "from": 99})"));
  std::set<Json> links, ranks;
  for (const Json& link : faults["links"]) links.insert(link["ranks"]);
  for (const Json& processor : faults["processors"]) ranks.insert(processor["rank"]);
  EXPECT_EQ(links.size(), 80U);
  EXPECT_EQ(links.count(Json::parse("[0, 1]")), 0U) << "named the other way round";
  EXPECT_EQ(ranks.size(), 32U);
  EXPECT_EQ(faults["flags"],
            "--fail-link 1-0@99 --fail-processor 7@99 --fail-links 79@98 --fail-processors 31@98 --fault-seed 1");
}

TEST(FaultFlags, CountOneRunHoweverOftenItIsRepeated) {
  const std::string run = "run --machine hypercube:4 --algorithm broadcast/msbt-redundant --drop 0.05 --fault-seed 3 ";
  const Json once = report_of(run);
  EXPECT_GT(once["faults"]["dropped"], 0);
  EXPECT_EQ(report_of(run + "--repeat 3")["faults"], once["faults"]);
}

TEST(FaultFlags, LeaveNothingVerifiedWhereTheResultIsLost) {
  const std::string nothing_left = "nothing of the result is left: all processors that should hold some have failed";
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {"hypercube:3 --algorithm gather/sbt --fail-processor 0@3", nothing_left},
           {"switch:6 --algorithm reduce/binomial --fail-processor 0@3", nothing_left},
           {"complete:2 --algorithm exscan/shift --fail-processor 1@1", nothing_left},
           {"hypercube:3 --algorithm all-to-some/exchange --sources 0 --fail-processor 0@3", nothing_left},
           {"hypercube:3 --algorithm all-to-some/exchange --sources 1 --fail-processor 0@3", ""},
           {"hypercube:3 --algorithm broadcast/sbt --group 2,3 --root 2 --fail-processor 2@1,3@1", nothing_left},
           {"hypercube:3 --algorithm broadcast/sbt --group 2,3 --root 2 --fail-processor 3@1", ""},
           {"hypercube:3 --algorithm send/disjoint-paths --destination 5 --fail-processor 5@50", ""},
           {"hypercube:3 --algorithm send/store-and-forward --destination 5 --fail-processor 5@2",
            "rank 5 has failed, for which the item was"},
           {"hypercube:3 --algorithm broadcast/sbt --fail-processor 0,1,2,3,4,5,6,7", nothing_left}}) {
    SCOPED_TRACE(arguments);
    const Finished run = lockstep("run --machine " + arguments);
    EXPECT_EQ(run.exit_code, said.empty() ? 0 : 1);
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
  }
}

// In cycle 2 three of the four holders still send; what they send is not received any more.
TEST(FaultFlags, LeaveTheCountsUpToTheError) {
  const Json report = report_of(tree + "--fail-link 0-4", 1);
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["error"]["kind"], "link-down");
  EXPECT_EQ(report["counted"]["steps"], 3);
  EXPECT_EQ(report["counted"]["messages"], 6);
  EXPECT_EQ(report["faults"]["lost"], Json::array());
  EXPECT_EQ(report["coverage"], Json::parse(R"({"right": 4, "due": 8, "share": 0.5, "missing": [4, 5, 6, 7]})"));
  const Json deadlock = report_of(tree + "--drop 0-2@1", 1);
  EXPECT_EQ(deadlock["error"]["kind"], "deadlock");
  EXPECT_EQ(deadlock["coverage"]["missing"], Json::parse("[2, 6]")) << "6 waits for 2";
  EXPECT_EQ(deadlock["faults"]["dropped"], 1);
  const Json wrong = report_of(tree + "--corrupt 0-2@1", 1);
  EXPECT_EQ(wrong["coverage"]["missing"], Json::parse("[2, 6]"));
  const Json lost = report_of(redundant + "--fail-processor 9@1");
  EXPECT_EQ(lost["verified"], true);
  EXPECT_EQ(lost["coverage"], Json::parse(R"({"right": 31, "due": 32, "share": 0.96875, "missing": [9]})"));
  EXPECT_EQ(lockstep(tree + "--fail-link 0-4").out,
            "failed         in cycle 2\n"
            "until then     3 steps, 6 messages, 6 words; modelled time synchronous 6, asynchronous 6\n"
            "faults         1 link to fail\n"
            "coverage       4 of 8 processors hold all that they should; not 4 5 6 7\n");
  EXPECT_EQ(lockstep(tree + "--fail-link 0-4 --quiet").out, "");
}

TEST(FaultFlags, LeaveTheOthersToBeJudged) {
  for (const char* arguments : {"hypercube:3 --algorithm scan/cube --fail-processor 7@3",
                                "hypercube:4 --algorithm transpose/1d-exchange --fail-processor 7@4",
                                "complete:8 --algorithm allreduce/recursive-doubling --fail-processor 7@3",
                                "switch:6 --algorithm allreduce/ring --operator min --fail-processor 0@10",
                                "complete:8 --algorithm exscan/shift --fail-processor 7@4",
                                "path:5 --algorithm scan/in-order-tree --fail-processor 4@5"}) {
    SCOPED_TRACE(arguments);
    const Json report = report_of("run --machine " + std::string(arguments));
    EXPECT_EQ(report["verified"], true);
    EXPECT_EQ(report["faults"]["lost"].size(), 1U);
  }
}

TEST(FaultFlags, ThatChangeNoCountsLeaveThemCompared) {
  const Finished slow = lockstep("run --machine hypercube:3 --algorithm scan/cube --duplex half-link --straggler 1:2");
  EXPECT_EQ(slow.exit_code, 2);
  EXPECT_NE(slow.err.find("scan/cube is not legal under --duplex half-link: cycle 0"), std::string::npos) << slow.err;
}

TEST(FaultFlags, AreMarkedInTraces) {
  const std::string trace = "trace --machine hypercube:2 --algorithm broadcast/msbt-redundant ";
  const Finished dropped = lockstep(trace + "--drop 0-1@0");
  EXPECT_NE(dropped.out.find("  0 ──▶ 1   port 0, 1 word, block 0, time 0 to 2, dropped\n"), std::string::npos)
      << dropped.out;
  EXPECT_EQ(dropped.out.find("●"), std::string::npos) << "the holders are not known";
  const Json json = Json::parse(lockstep(trace + "--corrupt 0-2@1 --trace-json -").out, nullptr, false);
  EXPECT_EQ(json["transfers"][0].contains("fate"), false);
  EXPECT_EQ(json["transfers"][1]["fate"], "corrupted");
  expect_refused(lockstep(trace + "--drop 0-1@0 --goal -"), {"--goal is for runs without faults that change counts"});
  const Finished slow = lockstep("trace --machine hypercube:2 --algorithm broadcast/sbt --straggler 0:10");
  EXPECT_NE(slow.out.find("  0 ──▶ 2   port 1, 1 word, block 0, time 20 to 40\n"), std::string::npos) << slow.out;
}

TEST(FaultFlags, OfMessagesAroundAMemoryAreShares) {
  expect_refused(lockstep("run --machine shared:8,kstar=2 --algorithm gather/direct --drop 3-0@1"),
                 {"around shared:8,kstar=2 no message goes from one rank to another; a share of all can"});
}

// All accesses to the memory take turns: 3 words written by each of four, then read; 1 + 3 each, the straggler's
// tenfold.
TEST(FaultFlags, ACriticalPathGoesThroughAMemory) {
  const Json report = report_of("run --machine shared:4,kstar=1 --algorithm alltoall/direct --straggler 1:10");
  const Json& path = report["faults"]["critical_path"];
  ASSERT_EQ(path.size(), 8U);
  EXPECT_EQ(path[1], Json::parse(R"({"from": 1, "to": null, "cycle": 1, "start": 4.0, "end": 44.0, "waited": 40.0})"));
  double end = 0;
  for (const Json& access : path) {
    EXPECT_EQ(access["start"], end);
    end = access["end"].get<double>();
  }
  EXPECT_EQ(report["modelled_time"]["asynchronous"], end);
}

TEST(FaultFlags, ADelayIsWaitedFor) {
  const Json report = report_of(tree + "--delay 0-4@2:7");
  EXPECT_EQ(report["faults"]["delayed"], 1);
  EXPECT_EQ(report["verified"], true);
  const Finished late = lockstep(redundant + "--delay 0-1@0:50");
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_NE(
      late.err.find("rank 0: a message to rank 1 that was delayed to cycle 51 arrived when all programs had returned"),
      std::string::npos)
      << late.err;
}

TEST(FaultFlags, AStragglerHasACriticalPath) {
  // 0 sends to 1, 2, 4 one after the other, 1 to 3, ..: rank 2 sends to 6 last, ten times as long.
  const Json report = report_of(tree + "--straggler 2:10");
  EXPECT_EQ(report["modelled_time"]["synchronous"], 6.0);
  EXPECT_EQ(report["modelled_time"]["asynchronous"], 24.0);
  EXPECT_EQ(report["faults"]["critical_path"], Json::parse(R"([
    {"from": 0, "to": 1, "cycle": 0, "start": 0.0, "end": 2.0, "waited": 2.0},
    {"from": 0, "to": 2, "cycle": 1, "start": 2.0, "end": 4.0, "waited": 4.0},
    {"from": 2, "to": 6, "cycle": 2, "start": 4.0, "end": 24.0, "waited": 24.0}])"));
  const Finished human = lockstep(tree + "--straggler 2:10");
  EXPECT_NE(human.out.find("critical path  3 messages one after the other; stragglers take 20 of 24\n"
                           "               0 to 2  rank 0 to 1, which waits 2 for it\n"),
            std::string::npos)
      << human.out;
}

TEST(FaultFlags, AreMarkedInTracesForEachReceiver) {
  const std::string bus = "trace --machine bus:4 --algorithm broadcast/direct ";
  EXPECT_NE(lockstep(bus + "--drop 0-2@0").out.find("time 0 to 2, dropped for 2\n"), std::string::npos);
  EXPECT_NE(lockstep(bus + "--drop 0-1@0,0-2@0,0-3@0").out.find("time 0 to 2, dropped\n"), std::string::npos);
  const Finished both = lockstep(bus + "--corrupt 0-3@0 --delay 0-1@0,0-2@0:2 --trace-json -");
  EXPECT_EQ(Json::parse(both.out, nullptr, false)["transfers"][0]["fate"],
            Json::parse(R"(["delayed", "delayed", "corrupted"])"));
  // The copies of an access to a memory, named by their slots.
  const Finished slots = lockstep("trace --machine shared:4,kstar=1 --algorithm allgather/direct --drop 0.1");
  const std::size_t lost = slots.out.find(", dropped for ");
  ASSERT_NE(lost, std::string::npos) << slots.out;
  const std::size_t line = slots.out.rfind('\n', lost);
  EXPECT_EQ(slots.out.substr(line + 1, 8), "  slots ") << slots.out;
}

TEST(FaultFlags, ACriticalPathFollowsTheClocksOfPorts) {
  // With all ports 0 sends two words to each of 1 and 2 at once, then one: the one to 2 waits for the earlier one to 2.
  const Json all = report_of("run --machine hypercube:2 --algorithm scatter/rotated-sbt-halving --straggler 0:2");
  EXPECT_EQ(all["model"]["ports"], "all");
  EXPECT_EQ(all["faults"]["critical_path"], Json::parse(R"([
    {"from": 0, "to": 2, "cycle": 0, "start": 0.0, "end": 6.0, "waited": 6.0},
    {"from": 0, "to": 2, "cycle": 1, "start": 6.0, "end": 10.0, "waited": 2.0}])"));
  // With one port, receives and sends have separate clocks: the message from 7 to 5 waits for 5's receives, not for its
  // sends.
  const Json one = report_of(redundant + "--straggler 0:10");
  const Json& path = one["faults"]["critical_path"];
  ASSERT_GT(path.size(), 5U);
  EXPECT_EQ(path.front()["start"], 0.0);
  EXPECT_EQ(path.back()["end"], one["modelled_time"]["asynchronous"]);
  for (std::size_t index = 1; index < path.size(); ++index) {
    const Json& before = path[index - 1];
    const Json& after = path[index];
    EXPECT_EQ(before["end"], after["start"]);
    EXPECT_TRUE(before["from"] == after["from"] || before["to"] == after["to"] || before["to"] == after["from"]);
  }
}

// In cycle 0 rank 5 sends to 4 until 20, so it is not idle when 7's message arrives at 5; it receives from 4 until 2.
TEST(FaultFlags, AProcessorThatStillSendsDoesNotWait) {
  const Json report = report_of(
      "run --machine hypercube:3 --algorithm all-to-some/exchange --ports all "
      "--straggler 3:3,5:10");
  const Json& path = report["faults"]["critical_path"];
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[1], Json::parse(R"({"from": 7, "to": 5, "cycle": 1, "start": 2.0, "end": 5.0, "waited": 0.0})"));
}

// 16 words a processor: a message of 8 takes 9; rank 0 copies all 16 after each of two, 2 a word, threefold.
TEST(FaultFlags, ACriticalPathHasLocalWork) {
  const std::string run =
      "run --machine hypercube:2 --algorithm transpose/1d-exchange --matrix 8x8 --copy-cost 2 --straggler 0:3";
  const Json report = report_of(run);
  EXPECT_EQ(report["modelled_time"]["asynchronous"], 201.0);
  const Json& path = report["faults"]["critical_path"];
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0], Json::parse(R"({"from": 2, "to": 0, "cycle": 0, "start": 0.0, "end": 9.0, "waited": 0.0})"));
  EXPECT_EQ(path[1]["from"], 0);
  EXPECT_EQ(path[1]["to"], 0);
  EXPECT_EQ(path[1]["start"], 9.0);
  EXPECT_EQ(path[1]["end"], 105.0);
  EXPECT_EQ(path[2]["end"], 201.0);
  const Finished human = lockstep(run);
  EXPECT_NE(human.out.find("critical path  1 message and local work one after the other; stragglers take 192 of 201\n"
                           "               0 to 9  rank 2 to 0, which waits 0 for it\n"
                           "               9 to 105  rank 0 works\n"),
            std::string::npos)
      << human.out;
}

TEST(FaultFlags, ACriticalPathOfTooManyMessagesIsNotKept) {
  const Finished human =
      lockstep("run --machine hypercube:16 --algorithm application/inner-product --size 65536 --straggler 0:2");
  EXPECT_EQ(human.exit_code, 0);
  EXPECT_NE(
      human.out.find("critical path  not kept: there were more than 1,000,000 messages and pieces of local work\n"),
      std::string::npos)
      << human.out;
}

TEST(FaultFlags, AStragglerMakesAnotherTimeThanIsPredicted) {
  const Json report = report_of("run --machine hypercube:2 --algorithm transpose/2d-pivot --straggler 0:2");
  EXPECT_EQ(report["modelled_time"]["asynchronous"], 12.0);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["status"], "verified");
}

TEST(FaultFlags, ThatAreWrongAreRefused) {
  for (const auto& [flags, said] : std::vector<std::pair<std::string, std::string>>{
           {"--fail-link 0", "--fail-link takes A-B@CYCLE, not '0'"},
           {"--fail-link 0-", "--fail-link takes A-B@CYCLE, not '0-'"},
           {"--fail-link 0-1@", "--fail-link"},
           {"--fail-link 0-1@x", "--fail-link"},
           {"--fail-link 0-1,", "--fail-link takes A-B@CYCLE, not ''"},
           {"--fail-link 0-3", "faults: hypercube:3 has no link between ranks 0 and 3"},
           {"--fail-link 0-8", "faults: hypercube:3 has no rank 8: they are 0 to 7"},
           {"--fail-link 0-4294967295", "--fail-link: no machine has a rank '4294967295'"},
           {"--fail-link 0-1@2147483646", "--fail-link"},
           {"--fail-processor 8", "faults: hypercube:3 has no rank 8: they are 0 to 7"},
           {"--fail-processor -1", "--fail-processor"},
           {"--straggler 1", "--straggler takes R:FACTOR, not '1'"},
           {"--straggler 1:0", "--straggler: a factor is more than 0"},
           {"--straggler 1:nan", "--straggler"},
           {"--straggler 1:-2", "--straggler"},
           {"--straggler 9:2", "faults: hypercube:3 has no rank 9: they are 0 to 7"},
           {"--drop 1.5", "--drop"},
           {"--drop 0-1", "--drop '0-1' is not a number from 0 to 1, such as 0.01, or FROM-TO@CYCLE,.."},
           {"--drop 0@1", "--drop takes FROM-TO@CYCLE, not '0@1'"},
           {"--drop 0-8@0", "faults: hypercube:3 has no rank 8: they are 0 to 7"},
           {"--corrupt 8-0@0", "faults: hypercube:3 has no rank 8: they are 0 to 7"},
           {"--delay 0-3@0", "faults: hypercube:3 has no link between ranks 0 and 3"},
           {"--drop 2-2@0", "faults: no rank sends to itself: rank 2"},
           {"--drop 0.1,0.2", "--drop: a share of all messages is given twice"},
           {"--corrupt 0.1 --corrupt 1e-3", "--corrupt: a share of all messages is given twice"},
           {"--delay 0-1@0:3 --delay 0-2@1", "--delay: all delays must be equal; here are 3 and 1"},
           {"--corrupt 0,0.5", "--corrupt: a share of all messages is given twice"},
           {"--delay 0:9 --delay 0.3:4", "--delay: all delays must be equal; here are 9 and 4"},
           {"--drop 0-1@0,0-1@0", "--drop: '0-1@0' is already named"},
           {"--delay 0-1@0:3 --delay 0-1@0:3", "--delay: '0-1@0' is already named"},
           {"--fail-link 0-1,1-0@3", "--fail-link: '1-0@3' is already named"},
           {"--fail-processor 3 --fail-processor 3@2", "--fail-processor: '3@2' is already named"},
           {"--straggler 3:2,3:4", "--straggler: '3:4' is already named"},
           {"--fail-processor 3 --output data",
            "--output does not go with --fail-processor: the data of a failed processor is lost"},
           {"--delay 0.5:0", "--delay"},
           {"--delay 0.5:", "--delay"},
           {"--corrupt lots", "--corrupt"},
           {"--fail-links 13", "--fail-links: hypercube:3 has 12 links, not 13"},
           {"--fail-links 12 --fail-link 0-1",
            "--fail-links: hypercube:3 has 12 links, not 12 beside those that are named"},
           {"--fail-links 100.5%", "--fail-links"},
           {"--fail-links 5%@", "--fail-links"},
           {"--fail-links 0.5", "--fail-links"},
           {"--fail-links 1 --fail-links 2", "--fail-links"},
           {"--fail-processors 9", "--fail-processors: hypercube:3 has 8 processors, not 9"},
           {"--fail-processors -1", "--fail-processors"},
           {"--fail-processors 1 --output data",
            "--output does not go with --fail-processors: the data of a failed processor is lost"},
           {"--fault-seed 3",
            "--fault-seed is for --fail-links, --fail-processors, and shares of messages in --drop, --corrupt and "
            "--delay"},
           {"--fault-seed 3 --drop 0-1@0", "--fault-seed is for --fail-links, --fail-processors, and shares"}}) {
    SCOPED_TRACE(flags);
    expect_refused(lockstep(tree + flags), {said});
  }
  for (const char* flag : {"--fail-link 0-1", "--fail-links 1"}) {
    expect_refused(lockstep("run --machine bus:4 --algorithm broadcast/direct " + std::string(flag)),
                   {"faults: bus:4 has no links that could fail"});
  }
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
}  // namespace lockstep::test::faults_test
