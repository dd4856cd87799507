// The verdicts of `judge` on programs that are right, slow, wrong, broken or dishonest; it survives all of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "../../sanitized.hpp"
#include "command_line.hpp"

namespace lockstep::test::judge_test {
namespace {

using Json = nlohmann::json;

/// Runs the program with its own methods with these arguments.
Finished judged_methods(const std::string& arguments, const std::string& program = LOCKSTEP_JUDGED_METHODS) {
  std::istringstream text(arguments);
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  return Running(words, Running::Outputs::pipes, {}, program).finish();
}

/// The judgement of one of them on a ring of four.
struct Judged {
  int exit_code;
  Json document;

  Json size() const { return document["sizes"][0]; }
  std::string verdict() const { return size()["verdict"]; }
  std::string complaints() const {
    std::string text;
    const Json all = size()["complaints"];
    for (const Json& line : all) text += line.get<std::string>() + "\n";
    return text;
  }
  double points(const std::string& part) const { return document["parts"][part]["points"]; }
};

Judged judged(const std::string& method, const std::string& flags = "--seeds 2") {
  const Finished run = judged_methods("judge --json - --machine ring:4 --algorithm " + method + " " + flags);
  EXPECT_EQ(run.err, "");
  return {run.exit_code, Json::parse(run.out, nullptr, false)};
}

void expect_wrong(const Judged& judged, const std::string& verdict, const std::string& complaints) {
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_EQ(judged.document["status"], "wrong");
  EXPECT_EQ(judged.verdict(), verdict);
  EXPECT_NE(judged.complaints().find(complaints), std::string::npos) << judged.complaints();
  EXPECT_EQ(judged.points("data"), 0);
  EXPECT_EQ(judged.points("bound"), 0);
}

/// Expects a run that also does not reach its end.
void expect_failed(const Judged& judged, const std::string& verdict, const std::string& complaint) {
  expect_wrong(judged, verdict, complaint);
  EXPECT_EQ(judged.points("rules"), 0);
  EXPECT_TRUE(judged.size()["steps"].is_null());
}

TEST(Judge, GivesARightProgramItsPoints) {
  const Judged right = judged("allgather/right");
  EXPECT_EQ(right.exit_code, 0);
  EXPECT_EQ(right.document["status"], "right");
  EXPECT_EQ(right.verdict(), "right");
  EXPECT_EQ(right.complaints(), "");
  EXPECT_EQ(right.size()["steps"], 3);
  EXPECT_EQ(right.size()["bound_steps"], 2);
  EXPECT_EQ(right.size()["best"]["algorithm"], "allgather/neighbour-exchange");
  EXPECT_EQ(right.size()["best"]["steps"], 2);
  EXPECT_EQ(right.size()["time"], 6);
  EXPECT_EQ(right.document["points"], 93.3);  // 60 + 20 + 20 * 2/3
}

TEST(Judge, SharesPointsByItsFlags) {
  const Judged right = judged("allgather/right", "--seeds 0 --data-points 3 --rules-points 0 --bound-points 1.5");
  EXPECT_EQ(right.document["points"], 4);
  EXPECT_EQ(right.points("data"), 3);
  EXPECT_EQ(right.points("rules"), 0);
}

TEST(Judge, TakesPointsForStepsPastTheBound) {
  const Judged slow = judged("allgather/slow");
  EXPECT_EQ(slow.exit_code, 0);
  EXPECT_EQ(slow.size()["steps"], 11);
  EXPECT_DOUBLE_EQ(slow.size()["nearness"], 2.0 / 11);
  EXPECT_EQ(slow.points("bound"), 3.6);
  EXPECT_EQ(slow.points("data"), 60);
}

TEST(Judge, LetsATotalExchangeCombineBlocks) {
  const Finished run = judged_methods("judge --json - --seeds 0 --machine complete:4 --algorithm alltoall/combining");
  const Json document = Json::parse(run.out, nullptr, false);
  EXPECT_EQ(document["points"], 100);
  EXPECT_EQ(document["sizes"][0]["steps"], 2);
  EXPECT_EQ(document["sizes"][0]["bound_steps"], 2);
  EXPECT_EQ(document["sizes"][0]["best"]["steps"], 2);
}

TEST(Judge, NamesTheMissingBlocksAndTheirLastReceivers) {
  const Judged incomplete = judged("allgather/incomplete");
  expect_wrong(incomplete, "wrong data",
               "; rank 0 lacks the block of rank 1, which rank 3 got last, from rank 2 in cycle 1");
  EXPECT_EQ(incomplete.points("rules"), 20);
}

TEST(Judge, OutlivesProgramsThatDoNotEnd) {
  expect_failed(judged("allgather/endless", "--time-limit 0.5"), "out of time",
                "rank programs did not end within 0.5 s");
  expect_failed(judged("allgather/restless"), "livelock", "not ended within 1000000 cycles (--max-cycles)");
}

TEST(Judge, OutlivesProgramsThatCrash) {
  expect_failed(judged("allgather/crashing"), "crashed",
                sanitized ? "AddressSanitizer: SEGV" : "crashed: Segmentation fault");
  expect_failed(judged("allgather/aborting"), "crashed", "crashed: Aborted");
}

TEST(Judge, SaysWhatACrashSaid) {
  expect_failed(judged("allgather/asserting"), "crashed",
                "crashed: Aborted; its last line was: Assertion `blocks > 0' failed.\n");
}

TEST(Judge, OutlivesProgramsThatTakeAllMemory) {
  expect_failed(judged("allgather/greedy"), "out of memory", "needs more than 2.0 GiB of memory");
}

TEST(Judge, OutlivesProgramsThatEndTheProcess) {
  const std::string said = "ended without a result (exit code 0): a program must co_return";
  expect_failed(judged("allgather/exiting"), "no result", said);
  expect_failed(judged("allgather/closing"), "no result", said);
}

TEST(Judge, DoesNotMindWhatProgramsPrint) { EXPECT_EQ(judged("allgather/printing").verdict(), "right"); }

TEST(Judge, SaysWhatAProgramThrew) { expect_failed(judged("allgather/throwing"), "exception", "no block 17"); }

TEST(Judge, SaysWhichRuleWasBroken) {
  expect_failed(judged("allgather/sending-twice"), "send-limit",
                "cycle 0, rank 0, ports 0 and 1: a second send in one cycle");
}

TEST(Judge, NamesTheProcessorsThatWait) {
  const Judged waiting = judged("allgather/waiting");
  expect_failed(waiting, "deadlock", "rank 0 waits on port 1 for rank 3");
}

TEST(Judge, FindsDataThatNoMessageBrought) {
  const Judged peeking = judged("allgather/peeking");
  expect_wrong(peeking, "data without messages",
               "rank 0 ends with the block of rank 1, which no message brought it: it must have looked at another "
               "processor's data");
  EXPECT_NE(peeking.complaints().find("0 steps, fewer than the 2 that any program needs"), std::string::npos);
  expect_wrong(judged("allgather/sending-foreign-data"), "data without messages",
               "rank 0 sends the block of rank 2 in cycle 1, which no message has brought it");
  expect_wrong(judged("reduce/alone"), "data without messages",
               "rank 0 ends with what depends on the data of rank 1, from which no chain of messages leads to it");
}

TEST(Judge, FindsATranspositionThatNoMessageBrought) {
  expect_wrong(judged("transpose/alone"), "data without messages",
               "rank 0 ends with the block of rank 1 for it, which no message brought it");
  const Finished right = lockstep("judge --seeds 0 --algorithm transpose/1d-exchange --machine hypercube:0..3");
  EXPECT_EQ(right.exit_code, 0) << right.out;
}

TEST(Judge, TakesEmptyMessagesForNoData) {
  expect_wrong(judged("reduce/empty-messages"), "data without messages", "from which no chain of messages leads to it");
}

TEST(Judge, DoesNotBelieveABoundOfTheProgramsOwn) {
  const Judged modest = judged("allgather/modest");
  EXPECT_EQ(modest.size()["bound_steps"], 2);
  expect_wrong(modest, "data without messages", "0 steps, fewer than the 2 that any program needs");
}

TEST(Judge, HasABoundOfTheMachineWhereNoneIsStated) {
  const Json size =
      Json::parse(judged_methods("judge --json --seeds 0 --machine ring:6 --algorithm broadcast/from-rank-0").out,
                  nullptr, false)["sizes"][0];
  EXPECT_EQ(size["bound_steps"], 3);
}

TEST(Judge, SharesThePointsOfAnUnknownBoundOut) {
  const Finished run = judged_methods("judge --seeds 0 --machine ring:4 --algorithm gossip/lonely");
  EXPECT_EQ(lines(run.out).back(), "points 100 of 100: data 75 of 75 (100%), rules 25 of 25 (100%); no bound known");
}

TEST(Judge, TriesAnotherRootAndOtherData) {
  const Judged fixed = judged("broadcast/from-rank-0");
  expect_wrong(fixed, "wrong data", "(with --root 3 --words 3 --seed 2)");
  EXPECT_EQ(judged("broadcast/from-rank-0", "--root 0").verdict(), "right");
  expect_wrong(judged("allgather/for-one-word"), "wrong data", "(with --words 3 --seed 2)");
}

TEST(Judge, TakesNoLimitForTheSchedule) {
  const Judged slow = judged("allgather/slow-in-other-orders", "--seeds 20 --time-limit 1");
  expect_failed(slow, "out of time", "rank programs did not end within 1 s (with --executor seeded --schedule-seed ");
}

TEST(Judge, FindsThatAProgramDependsOnTheSchedule) {
  const Judged ordered = judged("allgather/ordered", "--seeds 20");
  expect_wrong(ordered, "depends on the schedule", "depends on the schedule: ");
  EXPECT_NE(ordered.complaints().find(" differ; with --executor seeded --schedule-seed "), std::string::npos);
  EXPECT_EQ(ordered.points("rules"), 20);
}

TEST(Judge, SaysWhatIsNotAsPredicted) {
  const Judged optimistic = judged("allgather/optimistic");
  EXPECT_EQ(optimistic.exit_code, 1);
  EXPECT_EQ(optimistic.verdict(), "not as predicted");
  EXPECT_EQ(optimistic.complaints(), "counted 3 steps, predicted exactly 1 (1)\n");
  EXPECT_EQ(optimistic.points("data"), 60);
}

#ifdef LOCKSTEP_ADDRESS_SANITIZER
TEST(Judge, SaysWhatAddressSanitizerFound) {
  expect_failed(judged("allgather/reading-past-the-end"), "crashed", "AddressSanitizer: heap-buffer-overflow\n");
}
#endif

TEST(Judge, ShowsATable) {
  const Finished run = judged_methods("judge --machine ring:4,ring:8 --algorithm allgather/incomplete --seeds 1");
  EXPECT_EQ(run.exit_code, 1);
  const std::vector<std::string> shown = lines(run.out);
  ASSERT_EQ(shown.size(), 7U) << run.out;
  EXPECT_EQ(shown[0], "allgather/incomplete, judged on 2 machines and in 1 order of processors");
  EXPECT_EQ(shown[1], "machine  steps  bound  best  by                  time  its time  verdict");
  EXPECT_EQ(shown[2], "ring:4       2      2     2  neighbour-exchange     4         5  wrong data");
  EXPECT_TRUE(shown[4].starts_with("ring:4: wrong data: ")) << shown[4];
  EXPECT_TRUE(shown[5].starts_with("ring:8: wrong data: ")) << shown[5];
  EXPECT_EQ(shown[6], "points 20 of 100: data 0 of 60 (0%), rules 20 of 20 (100%), bound 0 of 20 (0%)");
}

// A ring of three takes 1 step if the root may send on both ports at once, and 2 with one port and no multicast.
TEST(Judge, ComparesUnderTheRulesOfTheProgram) {
  for (const auto& [flags, steps, rules] :
       {std::tuple("broadcast/bfs-tree", 2, "one port"), std::tuple("broadcast/two-way", 1, "one port, multicast"),
        std::tuple("broadcast/bfs-tree --multicast on", 1, "one port, multicast"),
        std::tuple("broadcast/bfs-tree --ports all", 1, "all ports")}) {
    const Finished run = lockstep("judge --json - --seeds 0 --machine ring:3 --algorithm " + std::string(flags));
    const Json size = Json::parse(run.out, nullptr, false)["sizes"][0];
    EXPECT_EQ(size["rules"], rules) << flags;
    EXPECT_EQ(size["bound_steps"], steps) << flags;
    EXPECT_EQ(size["best"]["steps"], steps) << flags;
  }
}

// On a ring of six, messages of one block each take floor(6^2/4) = 9 steps, and bundles of them no more than 5.
TEST(Judge, ComparesWhatIsNotCombinedWithItsLike) {
  const Finished run = lockstep("judge --json - --seeds 0 --machine ring:6 --algorithm alltoall/factor");
  const Json single = Json::parse(run.out, nullptr, false)["sizes"][0];
  EXPECT_EQ(single["rules"], "one port, without combining");
  EXPECT_EQ(single["bound_steps"], 9);
  EXPECT_EQ(single["best"]["steps"], 9);
}

TEST(Judge, TakesTheMachinesOfTheProgram) {
  const Finished run = judged_methods("judge --json --seeds 0 --algorithm allgather/right");
  const Json sizes = Json::parse(run.out, nullptr, false)["sizes"];
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0]["machine"], "ring:4");
  EXPECT_EQ(sizes[1]["machine"], "ring:8");
}

TEST(Judge, TakesSmallMachinesElse) {
  const Finished run = lockstep("judge --json --seeds 0 --algorithm scan/hub");
  std::vector<std::string> machines;
  const Json document = Json::parse(run.out, nullptr, false);
  for (const Json& size : document["sizes"]) machines.push_back(size["machine"]);
  EXPECT_EQ(machines, (std::vector<std::string>{"rh:0,0", "rh:1,1", "rh:2,2"}));
}

TEST(Judge, TakesMachinesThatAreNoPowersOfTwo) {
  const Finished run = lockstep("judge --json --seeds 0 --algorithm alltoall/rotate-drop");
  std::vector<std::uint64_t> processors;
  const Json document = Json::parse(run.out, nullptr, false);
  for (const Json& size : document["sizes"]) processors.push_back(size["processors"]);
  EXPECT_EQ(processors, (std::vector<std::uint64_t>{1, 2, 3, 4, 6, 8, 16, 32, 64}));
}

TEST(Judge, LeavesOutMachinesThatWereNotRequested) {
  EXPECT_EQ(judged_methods("judge --seeds 0 --algorithm allgather/strict").exit_code, 0);
  expect_refused(judged_methods("judge --seeds 0 --algorithm allgather/strict --machine ring:6"),
                 {"allgather/strict is for multiples of 4 processors"});
}

TEST(Judge, RefusesWhatItCannotJudge) {
  expect_refused(lockstep("judge"), {"judge needs --algorithm"});
  expect_refused(lockstep("judge --algorithm allgather/daisychain"), {"did you mean 'allgather/daisy-chain'"});
  expect_refused(lockstep("judge --algorithm allgather/daisy-chain --machine complete:4"), {"ring", "torus"});
  expect_refused(lockstep("judge --algorithm allgather/daisy-chain --machine ring:x"), {"ring:x"});
  expect_refused(lockstep("judge --algorithm allgather/daisy-chain --root 1"),
                 {"--root is not a parameter of allgather/daisy-chain"});
  expect_refused(lockstep("judge --algorithm allgather/daisy-chain --machine ring:4 --machine ring:4"),
                 {"--machine 'ring:4' is given twice"});
  expect_refused(lockstep("judge --time-limit 0"), {"--time-limit '0' is not a number of seconds"});
  expect_refused(lockstep("judge --memory-limit 2XB"),
                 {"--memory-limit '2XB' is not a size such as 512MiB, 500MB or 4G"});
  expect_refused(lockstep("judge --memory-limit 1MiB"), {"--memory-limit '1MiB' is out of range: 64.0 MiB to 10^6 TB"});
  expect_refused(lockstep("judge --data-points x"),
                 {"--data-points 'x' is not a number from 0 to 1e+06, such as 12.5"});
  expect_refused(lockstep("judge --seeds 1001"), {"--seeds"});
  expect_refused(lockstep("judge --bound-points -1"), {"--bound-points"});
  expect_refused(lockstep("judge --against a,,b"), {"--against names no program"});
}

/// The program under several names; under each it has one method.
class Judges : public testing::Test {
 protected:
  std::string named(const std::string& name) {
    std::string path = directory_.file(name);
    std::filesystem::create_symlink(LOCKSTEP_JUDGED_METHODS, path);
    return path;
  }

  TemporaryDirectory directory_;
};

TEST_F(Judges, AreALeague) {
  const std::string right = named("right"),
                    others = named("slow") + "," + named("incomplete") + "," + directory_.file("absent");
  const std::string text_file = directory_.file("text");
  write_file(text_file, "no program");
  const Finished run = judged_methods(
      "judge --seeds 1 --machine ring:4 --against " + others + " --against /bin/true," + text_file + " --json -",
      right);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json league = Json::parse(run.out, nullptr, false)["league"];
  ASSERT_EQ(league.size(), 6U);
  const auto entry = [&](const std::string& name) {
    for (const Json& each : league) {
      if (each["program"].get<std::string>().ends_with("/" + name)) return each;
    }
    return Json();
  };
  EXPECT_EQ(entry("right"), (Json{{"rank", 1},
                                  {"program", right},
                                  {"rules", "one port"},
                                  {"points", 93.3},
                                  {"steps", 3},
                                  {"time", 6.0},
                                  {"complaint", nullptr}}));
  EXPECT_EQ(entry("slow")["rank"], 2);
  EXPECT_EQ(entry("slow")["points"], 83.6);
  EXPECT_EQ(entry("incomplete")["points"], 20);
  EXPECT_TRUE(entry("incomplete")["complaint"].get<std::string>().starts_with("ring:4: wrong data"));
  EXPECT_EQ(entry("absent")["complaint"], "cannot be started: No such file or directory");
  EXPECT_EQ(entry("true")["complaint"], "is not a program with `judge` (exit code 0)");
  EXPECT_TRUE(entry("text")["complaint"].get<std::string>().starts_with("cannot be started: "));
}

TEST_F(Judges, AreRankedUnderEqualRules) {
  const std::string flags = "judge --seeds 0 --machine ring:4 --against " + named("of-all-ports") + "," + named("slow");
  const std::string right = named("right");
  const Json league = Json::parse(judged_methods(flags + " --json -", right).out, nullptr, false)["league"];
  ASSERT_EQ(league.size(), 3U);
  const auto place = [&](std::size_t index) {
    const std::string program = league[index]["program"];
    return program.substr(program.rfind('/') + 1) + " " + league[index]["rank"].dump() + " " +
           league[index]["rules"].get<std::string>();
  };
  EXPECT_EQ(place(0), "right 1 one port");
  EXPECT_EQ(place(1), "slow 2 one port");
  EXPECT_EQ(place(2), "of-all-ports 1 all ports");
  const std::string text = judged_methods(flags, right).out;
  EXPECT_LT(text.find("\n\nunder other rules: all ports\n"), text.rfind("/of-all-ports")) << text;
}

TEST_F(Judges, AreNotTakenAtTheirWord) {
  const Finished run =
      judged_methods("judge --seeds 0 --machine ring:4 --against " + named("boasting"), named("right"));
  EXPECT_NE(run.out.find("is not a program with `judge`"), std::string::npos) << run.out;
}

TEST_F(Judges, OutliveEachOther) {
  const std::string right = named("right"), hanging = named("hanging");
  const Finished run = judged_methods("judge --seeds 0 --machine ring:4 --time-limit 5 --against " + hanging, right);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("did not end within 25 s"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("rank  program"), std::string::npos) << run.out;
}

/// Whether a process of judge runs for that machine.
bool is_run_on(const std::string& machine) {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    const std::string words = read_file(process.path() / "cmdline");
    if (words.find("judge-run") != std::string::npos && words.find(machine) != std::string::npos) return true;
  }
  return false;
}

TEST(Judge, EndsItsProcessesWhenItIsInterrupted) {
  Running run({"judge", "--algorithm", "allgather/endless", "--machine", "ring:1009", "--json", "-"},
              Running::Outputs::pipes, {}, LOCKSTEP_JUDGED_METHODS);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!is_run_on("ring:1009") && std::chrono::steady_clock::now() < deadline) usleep(1000);
  ASSERT_TRUE(is_run_on("ring:1009"));
  run.send(SIGINT);
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_FALSE(is_run_on("ring:1009"));
  EXPECT_EQ(Json::parse(finished.out, nullptr, false)["status"], "interrupted");
}

}  // namespace
}  // namespace lockstep::test::judge_test
