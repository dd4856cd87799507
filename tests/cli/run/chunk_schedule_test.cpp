// Schedules of other programs on the command line.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::chunk_schedule_test {
namespace {

using Json = nlohmann::json;

const std::string data = LOCKSTEP_TEST_DATA "/msccl/";
const std::string alltoall = data + "ndv4_a2a2ll.xml";

TEST(ChunkSchedule, IsValidatedOnASwitch) {
  const Finished run = lockstep("validate " + alltoall + " --json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_EQ(report["machine"]["spec"], "switch:8");
  EXPECT_EQ(report["algorithm"]["name"], alltoall);
  EXPECT_EQ(report["algorithm"]["operation"], "alltoall");
  EXPECT_EQ(report["algorithm"]["parameters"]["words"], 2);
  EXPECT_EQ(report["counted"]["messages"], 112);
  EXPECT_EQ(report["counted"]["words"], 112);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["schedule"]["format"], "MSCCL XML");
  EXPECT_EQ(report["schedule"]["name"], "alltoall_allpairs");
  EXPECT_EQ(report["schedule"]["warnings"], Json::array());
  // collectives.md, Alltoall: pairwise P - 1 steps of 2 words, 21 in all; Bruck's 3 steps of 8 words.
  EXPECT_EQ(report["schedule"]["best"]["steps"], 7);
  // Through one port 14 words must enter every rank: 2 words from each of 7 others.
  EXPECT_EQ(report["lower_bound"]["longest_sum"], 14);
}

// tea2 examines blocks; a block a step over every link takes ceil(7/3) steps, as long without a look.
TEST(ChunkSchedule, IsComparedUnderItsOwnCosts) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("tea2.xml");
  lockstep("plan --machine hypercube:3 --algorithm allgather/tea2 --ports all --words 8 --format msccl --output " +
           file);
  const auto best_under = [&](const std::string& costs) {
    const std::string rules = " --machine hypercube:3 --ports all --words 8 --json ";
    return Json::parse(lockstep("validate " + file + rules + costs).out, nullptr, false)["schedule"]["best"];
  };
  EXPECT_EQ(best_under(""), (Json{{"algorithm", "allgather/tea2"}, {"steps", 3}, {"time", 27.0}}));
  EXPECT_EQ(best_under("--scan-cost 1000"), (Json{{"algorithm", "allgather/gossip"}, {"steps", 3}, {"time", 27.0}}));
}

TEST(ChunkSchedule, IsValidatedOnACompleteGraphUnderAllPorts) {
  const Json report =
      Json::parse(lockstep("validate " + alltoall + " --ports all --words 6 --json").out, nullptr, false);
  EXPECT_EQ(report["machine"]["spec"], "complete:8");
  EXPECT_EQ(report["counted"]["words"], 336);
  EXPECT_EQ(report["counted"]["steps"], 2);
  EXPECT_EQ(report["lower_bound"]["longest_sum"], 6);  // 42 words over 7 ports
}

// Lockstep's own format describes the same schedules as others and has the same bound: on a ring the farthest rank is
// p/2 links away; 2 (p - 1) m/p words enter a rank in an allreduce, and in a reduction m, the first of them after
// ceil(log2 p) steps.
TEST(ChunkSchedule, OfLockstepsOwnHasTheBoundOfOthers) {
  struct Case {
    std::string flags;
    std::uint64_t steps, longest_sum;
  };
  const TemporaryDirectory directory;
  for (const Case& one : std::vector<Case>{{"--machine ring:8 --algorithm allreduce/ring --words 8", 4, 14},
                                           {"--machine ring:8 --algorithm allreduce/two-way-ring --words 8", 4, 7},
                                           {"--machine switch:8 --algorithm reduce/binomial --words 5", 3, 7},
                                           {"--machine switch:5 --algorithm reduce-scatter/ring --words 10", 3, 8},
                                           {"--machine switch:1 --algorithm allreduce/ring --words 4", 0, 0}}) {
    const std::string ports = one.flags.find("two-way") != std::string::npos ? " --ports all" : " --ports one";
    const std::string words = one.flags.substr(one.flags.find(" --words"));
    const std::string machine = one.flags.substr(0, one.flags.find(" --algorithm"));
    for (const std::string format : {"lockstep", "msccl"}) {
      const std::string file = directory.file(format);
      ASSERT_EQ(lockstep("plan " + one.flags + " --format " + format + " --output " + file).exit_code, 0) << one.flags;
      const Finished run = lockstep("validate " + file + " " + machine + ports + words + " --json");
      ASSERT_EQ(run.exit_code, 0) << run.err;
      const Json bound = Json::parse(run.out)["lower_bound"];
      EXPECT_EQ(bound["steps"], one.steps) << format << ": " << one.flags;
      EXPECT_EQ(bound["longest_sum"], one.longest_sum) << format << ": " << one.flags;
    }
  }
  const std::string file = directory.file("found");
  ASSERT_EQ(lockstep("search --operation allgather --machine ring:5 --chunks 2 --ports all --output " + file).exit_code,
            0);
  const Json found = Json::parse(lockstep("validate " + file + " --ports all --words 6 --json").out);
  EXPECT_EQ(found["lower_bound"]["steps"], 2);         // a block reaches 1, 3, 9 ranks
  EXPECT_EQ(found["lower_bound"]["longest_sum"], 12);  // 24 words over two links
  // A block is one chunk, so whole blocks are written. With multicast it reaches three others in a step.
  const std::string broadcast = "search --operation broadcast --machine complete:4 --ports one --output " + file;
  ASSERT_EQ(lockstep(broadcast).exit_code, 0);
  const auto bound = [&](const std::string& flags) {
    const Json whole = Json::parse(lockstep("validate " + file + flags + " --json").out)["lower_bound"];
    return std::pair<std::uint64_t, std::uint64_t>(whole["steps"], whole["longest_sum"]);
  };
  EXPECT_EQ(bound(" --words 6"), std::pair(std::uint64_t{2}, std::uint64_t{7}));  // 6 - 1 + 2
  EXPECT_EQ(bound(" --words 6 --multicast on"), std::pair(std::uint64_t{1}, std::uint64_t{6}));
}

TEST(ChunkSchedule, IsAMethodLikeOthers) {
  EXPECT_EQ(lockstep("run --machine switch:8 --quiet --algorithm file:" + alltoall).exit_code, 0);
  const Finished trace = lockstep("trace --machine switch:8 --trace-json - --algorithm file:" + alltoall);
  EXPECT_EQ(Json::parse(trace.out, nullptr, false)["transfers"].size(), 112U) << trace.err;
  const Finished compare =
      lockstep("compare --operation alltoall --machine switch:8 --ports one --json --algorithm file:" + alltoall);
  EXPECT_EQ(compare.exit_code, 0) << compare.err;
  EXPECT_NE(compare.out.find("file:" + alltoall), std::string::npos);
  EXPECT_NE(compare.out.find("alltoall, --words 2"), std::string::npos) << compare.out;
  const Finished sweep =
      lockstep("sweep --operation alltoall --machine switch:8 --ports one --vary words=2,4 --csv - --algorithm file:" +
               alltoall);
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_NE(sweep.out.find("file:" + alltoall), std::string::npos) << sweep.out;
}

TEST(ChunkSchedule, IsRefusedWhereItCannotRun) {
  expect_refused(lockstep("validate " + alltoall + " --machine switch:4"),
                 {"the schedule is for 8 processors, switch:4 has 4"});
  expect_refused(lockstep("validate " + alltoall + " --machine bus:8"), {"the processors of bus:8 have no links"});
  expect_refused(lockstep("validate " + alltoall + " --root 1"), {"--root"});
  expect_refused(lockstep("run --machine switch:8 --algorithm file:/nowhere.xml"), {"cannot read '/nowhere.xml'"});
  expect_refused(lockstep("compare --operation alltoall --machine switch:8 --algorithm alltoall/bruck"),
                 {"--algorithm is 'alltoall/bruck', not file:"});
  const Finished missing = lockstep("validate " + alltoall + " --machine hypercube:3");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.err.find("step 0 (s) sends to gpu 3, and hypercube:3 has no link from 0 to 3"), std::string::npos)
      << missing.err;
}

// Thakur, Rabenseifner, Gropp 2005: 2 log2 p start-ups, 2 m (1 - 1/p) words, and m (1 - 1/p) words combined, for p = 4
// ranks and m = 4 words.
TEST(ChunkSchedule, IsChargedTheWordsThatItCombines) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("own.xml");
  write_file(file, lockstep("plan --machine switch:4 --algorithm allreduce/rabenseifner --words 4 --format msccl").out);
  const Json report = Json::parse(lockstep("validate " + file + " --words 4 --flop 2 --json").out, nullptr, false);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["counted"]["operations"], 4 * 3);
  EXPECT_EQ(report["modelled_time"]["arithmetic"], 2.0 * 3);
  EXPECT_EQ(report["modelled_time"]["synchronous"], 4.0 + 6.0 + 2.0 * 3);
  EXPECT_EQ(report["modelled_time"]["asynchronous"], 4.0 + 6.0 + 2.0 * 3);
}

TEST(ChunkSchedule, ThatIsWrongIsSaidWithItsPlace) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("wrong.xml");
  std::string text = read_file(alltoall);
  const std::string first = "type=\"cpy\" srcbuf=\"i\" srcoff=\"0\"";
  ASSERT_NE(text.find(first), std::string::npos);
  text.replace(text.find(first), first.size(), "type=\"cpy\" srcbuf=\"i\" srcoff=\"2\"");
  write_file(file, text);
  const Finished run = lockstep("validate " + file + " --json");
  EXPECT_EQ(run.exit_code, 1);
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_EQ(report["verified"], false);
  EXPECT_EQ(report["error"]["kind"], "wrong-data");
  EXPECT_NE(run.err.find(": wrong data: gpu 0: o[0] lacks chunk 0 of rank 0 and has chunk 2 of rank 0, which does not "
                         "belong there; written by gpu 0, threadblock "),
            std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace lockstep::test::chunk_schedule_test
