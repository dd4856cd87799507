// Good runs, end to end: exit code, counts, modelled time and the text report.
#include <gtest/gtest.h>

#include "command_line.hpp"
#include "good_run.hpp"

namespace lockstep::test::run_test {
namespace {

using Json = nlohmann::json;

// One run for each kind of flag; good_runs_test.cpp tests the counts without a process.
TEST(Run, CountsWhatTheSpecificationSays) {
  const std::vector<GoodRun> runs{
      {"hypercube:5", "broadcast/sbt", "--words 7 --root 0b10101", 5, 31, 217, 35},
      {"hypercube:3", "broadcast/sbt", "--ports one-strict --duplex half-node", 3, 7, 7, 3},
      {"rh:4,2", "broadcast/drbt", "--order longest-first", 15, 255, 255, 15},
      {"rh:2,1", "scan/hub", "--words 3 --operator max --type double", 11, 51, 153, 33},
      {"rh:3,2", "barrier/tree", "--ports all --arrivals 0", 15 + 13, 270, 270, 28},
      {"rh:2,1", "sort/classic", "--move packets --words 2", 12, 48 + 56 + 16, 32 * 11, 2 * 19},
      {"hypercube:4", "route/ecube", "--pattern scatter --ports all --words 3", 8, 32, 96, 24},
      {"product:complete:4*ring:5", "alltoall/product", "", 39, 780, 780, 39},
      {"hypercube:3", "send/disjoint-paths", "--source 0b101 --destination 0b100 --words 6 --packets 1", 3, 7, 14, 6}};
  for (const GoodRun& run : runs) {
    const Finished finished = lockstep("run --json - " + run.flags());
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    expect_counts(nlohmann::ordered_json::parse(finished.out, nullptr, false), run);
  }
}

// Section 7: nu_opt = sqrt((L-1) N tau / beta) follows the given costs.
TEST(Run, PacketsFollowTheCosts) {
  const auto packets = [](const std::string& costs) {
    return run_json("hypercube:5", "send/pipelined", "--words 100 " + costs)["algorithm"]["parameters"]["packets"];
  };
  EXPECT_EQ(packets(""), 20);
  EXPECT_EQ(packets("--beta 4"), 10);
  EXPECT_EQ(packets("--beta 0"), 100);
  EXPECT_EQ(packets("--tau 0"), 1);
  EXPECT_EQ(packets("--packets 7"), 7);
}

TEST(Run, SendsToTheFarthestByDefault) {
  const auto destination = [](const std::string& how) {
    return run_json("hypercube:4", "send/pipelined", how)["algorithm"]["parameters"]["destination"];
  };
  EXPECT_EQ(destination(""), 15);
  EXPECT_EQ(destination("--source 0b101"), 10);
  EXPECT_EQ(destination("--destination 0b0011"), 3);
}

TEST(Run, CrossFirstIsSlowerThanLongestFirstButWithinItsBound) {
  const Json report = run_json("rh:2,2", "broadcast/drbt", "--order cross-first");
  EXPECT_EQ(report["predicted"]["steps"]["kind"], "at_most");
  EXPECT_EQ(report["predicted"]["steps"]["value"], 15);  // mukherjee.md, Broadcast: stage 2 takes 15 for n = 2
  EXPECT_LE(report["counted"]["steps"], 15);
  EXPECT_GE(report["counted"]["steps"], 13);  // longest first is optimal for the tree
  EXPECT_EQ(report["modelled_time"]["predicted"], nullptr);
}

TEST(Run, AllExecutorsAndSeedsGiveOneDigest) {
  // A cycle of fewer than 64 processors runs on one thread; here every cycle has 256.
  const std::string digest = run_json("torus:16x16", "alltoall/product")["digest"];
  EXPECT_EQ(digest.size(), 16U);
  for (const std::string how : {"--executor tbb --threads 4", "--executor threads --threads 3", "--executor sequential",
                                "--executor seeded --schedule-seed 1", "--executor seeded --schedule-seed 77"}) {
    EXPECT_EQ(run_json("torus:16x16", "alltoall/product", how)["digest"], digest) << how;
  }
  EXPECT_NE(run_json("torus:16x16", "alltoall/product", "--seed 2")["digest"], digest) << "the data differs";
}

TEST(Run, HumanReportFitsOneScreen) {
  for (const std::string what :
       {"--machine hypercube:10 --algorithm broadcast/sbt", "--machine rh:3,2 --algorithm broadcast/drbt",
        "--machine rh:3,2 --algorithm reduce/tree --operator concat --root 77",
        "--machine ring:16 --algorithm alltoall/factor --repeat 2",
        "--machine torus:4x5 --algorithm alltoall/product --max-packet 3 --copy-cost 0.5"}) {
    SCOPED_TRACE(what);
    const Finished run = lockstep("run " + what);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_LE(lines(run.out).size(), 24U);
    for (const std::string& line : lines(run.out)) EXPECT_LE(line.size(), 100U) << line;
    EXPECT_NE(run.out.find("\nverified "), std::string::npos);
    EXPECT_EQ(run.out.find('\033'), std::string::npos) << "colour in a pipe";
  }
}

TEST(Run, HumanReportShowsCountsBesidePredictions) {
  const Finished run = lockstep("run --machine hypercube:10 --algorithm broadcast/sbt");
  EXPECT_NE(run.out.find("hypercube:10: 1,024 processors, 5,120 links, degree 10, diameter 10"), std::string::npos);
  EXPECT_NE(run.out.find("broadcast/sbt --words 1 --root 0 --seed 1"), std::string::npos);
  EXPECT_NE(run.out.find("1,023  =           1,023   exactly"), std::string::npos) << run.out;
}

TEST(Run, KnowsMethodsByThePapersNames) {
  EXPECT_EQ(run_json("hypercube:3", "smg")["algorithm"]["name"], "alltoall/sequential-gather");
  EXPECT_EQ(run_json("switch:4", "MTADEA")["algorithm"]["source"],
            run_json("switch:4", "alltoall/exchange")["algorithm"]["source"]);
  const Finished run = lockstep("run --machine hypercube:3 --algorithm SBnT");
  EXPECT_NE(run.out.find("alltoall/sbnt --words 1 --seed 1\n"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("SBnT"), std::string::npos) << run.out;
}

// Words follow the header of a packet; steps of whole messages do not show this.
TEST(Run, PredictsNoTimesOfSwitchedTranspositions) {
  for (const char* method : {"transpose/2d-spt-pipelined", "transpose/2d-dpt"}) {
    for (const char* switching : {"cut-through", "circuit"}) {
      for (const char* size : {"2 --matrix 4x4", "2 --matrix 16x16", "4", "6 --matrix 32x32"}) {
        const Finished run = lockstep("run --machine hypercube:" + std::string(size) + " --algorithm " + method +
                                      " --switching " + switching + " --json -");
        EXPECT_EQ(run.exit_code, 0) << run.err;
        const Json report = Json::parse(run.out, nullptr, false);
        EXPECT_EQ(report["status"], "verified");
        EXPECT_EQ(report["modelled_time"]["predicted"], nullptr);
      }
    }
  }
}

TEST(Run, AParameterWithoutAValueIsShownInJsonOnly) {
  const Finished run = lockstep("run --machine hypercube:3 --algorithm broadcast/drbt");
  EXPECT_NE(run.out.find("broadcast/drbt --words 1 --packets 1 --root 0 --seed 1\n"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("null"), std::string::npos);
  EXPECT_EQ(run_json("hypercube:3", "broadcast/drbt")["algorithm"]["parameters"]["order"], nullptr);
}

// 4 exchanges of 4, 8, 64 and 128 blocks in each of 16 processors.
TEST(Run, GathersBlocksOnlyOnRequest) {
  const auto expect = [](const std::string& given, const std::string& shown, unsigned startups) {
    const Json report = run_json("hypercube:4", "transpose/reassign-3", "--matrix 64x64" + given);
    EXPECT_EQ(report["algorithm"]["parameters"]["gather"], shown);
    EXPECT_EQ(report["counted"]["startups"], startups);
    EXPECT_EQ(report["problems"], Json::array());
  };
  expect("", "off", 16 * (4 + 8 + 64 + 128));
  expect(" --gather off", "off", 16 * (4 + 8 + 64 + 128));
  expect(" --gather on", "on", 16 * 4);
  const Finished run = lockstep("run --machine hypercube:4 --algorithm transpose/reassign-2 --gather on");
  EXPECT_NE(run.out.find("transpose/reassign-2 --matrix 16x16 --gather on --seed 1\n"), std::string::npos) << run.out;
}

TEST(Run, QuietSaysNothing) {
  const Finished run = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --quiet");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out + run.err, "");
}

TEST(Run, CycleTableLeavesOutTheMiddleOfLongRuns) {
  const Finished few = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --cycles");
  EXPECT_NE(few.out.find("cycle"), std::string::npos);
  EXPECT_EQ(few.out.find("..."), std::string::npos);
  const Finished many = lockstep("run --machine ring:30 --algorithm alltoall/factor --cycles");
  const std::size_t table = many.out.find("     cycle");
  ASSERT_NE(table, std::string::npos);
  EXPECT_EQ(lines(many.out.substr(table)).size(), 1U + 20U + 1U + 5U);
  EXPECT_NE(many.out.find("       ..."), std::string::npos);
}

}  // namespace
}  // namespace lockstep::test::run_test
