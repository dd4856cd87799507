// Good runs of every method, end to end: exit code, counts and modelled time. The expected numbers are typed from the
// pages: saad-schultz-1985.md, Broadcast, ADEA; mukherjee.md, Broadcast, Reduction, Sorting; dimakopoulos.md, Rings to
// Products.
#include <gtest/gtest.h>

#include <ostream>

#include "command_line.hpp"

namespace lockstep::test {
namespace {

using Json = nlohmann::json;

struct GoodRun {
  std::string machine;
  std::string algorithm;
  std::string further;
  std::uint64_t steps;
  std::uint64_t messages;
  std::uint64_t words;
  std::uint64_t longest_sum;
};

void PrintTo(const GoodRun& run, std::ostream* out) {
  *out << run.machine << " " << run.algorithm << " " << run.further;
}

class GoodRuns : public testing::TestWithParam<GoodRun> {};

TEST_P(GoodRuns, CountWhatTheSpecificationSays) {
  const GoodRun& expected = GetParam();
  const Json report = run_json(expected.machine, expected.algorithm, "--beta 0.5 --tau 0.25 " + expected.further);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["counted"]["steps"], expected.steps);
  EXPECT_EQ(report["counted"]["messages"], expected.messages);
  EXPECT_EQ(report["counted"]["words"], expected.words);
  EXPECT_EQ(report["counted"]["longest_sum"], expected.longest_sum);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["problems"], Json::array());
  EXPECT_EQ(report["machine"]["spec"], expected.machine);
  EXPECT_EQ(report["algorithm"]["name"], expected.algorithm);
  const double time = 0.5 * static_cast<double>(expected.steps) + 0.25 * static_cast<double>(expected.longest_sum);
  EXPECT_EQ(report["modelled_time"]["synchronous"], time);
  EXPECT_LE(report["modelled_time"]["asynchronous"], time);
}

// saad-schultz-1985.md, Broadcast: n steps, k - 1 messages of m words.
INSTANTIATE_TEST_SUITE_P(
    BroadcastSbt, GoodRuns,
    testing::Values(GoodRun{"hypercube:0", "broadcast/sbt", "", 0, 0, 0, 0},
                    GoodRun{"hypercube:1", "broadcast/sbt", "--root 1", 1, 1, 1, 1},
                    GoodRun{"hypercube:5", "broadcast/sbt", "--words 7 --root 0b10101", 5, 31, 217, 35},
                    GoodRun{"hypercube:8", "broadcast/sbt", "--ports all --seed 99", 8, 255, 255, 8},
                    GoodRun{"hypercube:3", "broadcast/sbt", "--ports one-strict --duplex half-node", 3, 7, 7, 3}));

// mukherjee.md, Broadcast, one-port: B1(k-n) + (n+1) 2^n + 1; all-port: k - n + T(n) with T = 1, 5, 12. A cube of
// dimension v: 2(v-1), v.
INSTANTIATE_TEST_SUITE_P(
    BroadcastDrbt, GoodRuns,
    testing::Values(GoodRun{"rh:0,0", "broadcast/drbt", "", 1, 1, 1, 1},
                    GoodRun{"rh:1,1", "broadcast/drbt", "--root 5", 5, 7, 7, 5},
                    GoodRun{"rh:3,2", "broadcast/drbt", "--words 4 --root 0b1100101", 14, 127, 508, 56},
                    GoodRun{"rh:3,2", "broadcast/drbt", "--ports all", 13, 127, 127, 13},
                    GoodRun{"rh:4,2", "broadcast/drbt", "--order longest-first", 15, 255, 255, 15},
                    GoodRun{"hypercube:6", "broadcast/drbt", "--root 63", 10, 63, 63, 10},
                    GoodRun{"hypercube:6", "broadcast/drbt", "--ports all --words 3", 6, 63, 189, 18}));

// saad-schultz-1985.md, ADEA, k = 2^n: f n steps, n k messages, k (k - 1) m words, longest sum f (k - 1) m; f = 2
// unless duplex is full.
INSTANTIATE_TEST_SUITE_P(
    AllgatherAdea, GoodRuns,
    testing::Values(GoodRun{"hypercube:0", "allgather/adea", "", 0, 0, 0, 0},
                    GoodRun{"hypercube:1", "allgather/adea", "--duplex half-node", 2, 2, 2, 2},
                    GoodRun{"hypercube:4", "allgather/adea", "--words 3", 4, 64, 720, 45},
                    GoodRun{"hypercube:4", "allgather/adea", "--words 3 --duplex half-link", 8, 64, 720, 90},
                    GoodRun{"hypercube:6", "allgather/adea", "--ports one-strict --seed 4", 6, 384, 4032, 63}));

// mukherjee.md, Reduction: k + (n+1) 2^n steps on RH(k,n); matrix2 and concat go on from 0 to the root over the E-cube
// path.
INSTANTIATE_TEST_SUITE_P(
    ReduceTree, GoodRuns,
    testing::Values(GoodRun{"hypercube:0", "reduce/tree", "", 0, 0, 0, 0},
                    GoodRun{"hypercube:6", "reduce/tree", "--operator max --root 0b101010 --words 3", 6, 63, 189, 18},
                    GoodRun{"hypercube:6", "reduce/tree", "--operator concat --root 0b101010", 9, 66, 66, 9},
                    GoodRun{"rh:2,1", "reduce/tree", "--operator xor --root 13 --ports all", 6, 17, 17, 6},
                    GoodRun{"rh:3,2", "reduce/tree", "--type double --duplex half-node", 15, 143, 143, 15},
                    GoodRun{"rh:3,2", "reduce/tree", "--operator matrix2 --words 8", 15, 143, 1144, 120}));

// mukherjee.md, Prefix: phase I of RH(3,2) takes 3 steps and 384 messages, II 36 and 100 + 24 + 9 + 1, III 3 and 105;
// of RH(2,1) II 7 and 10, for hub 0 it takes 5 and 6. The cube takes v steps and v N messages.
INSTANTIATE_TEST_SUITE_P(
    Scans, GoodRuns,
    testing::Values(GoodRun{"rh:0,0", "scan/hub", "", 1, 1, 1, 1},
                    GoodRun{"rh:2,1", "scan/hub", "--words 3 --operator max --type double", 11, 51, 153, 33},
                    GoodRun{"rh:2,1", "scan/hub", "--hub 0 --operator concat --ports all", 9, 47, 47, 9},
                    GoodRun{"rh:3,2", "scan/hub", "--operator matrix2 --ports one-strict", 42, 623, 2492, 168},
                    GoodRun{"hypercube:0", "scan/cube", "", 0, 0, 0, 0},
                    GoodRun{"hypercube:6", "scan/cube", "--words 5 --seed 3", 6, 384, 1920, 30}));

// mukherjee.md, Barrier: the reduction's steps and messages, then the broadcast's.
INSTANTIATE_TEST_SUITE_P(BarrierTree, GoodRuns,
                         testing::Values(GoodRun{"hypercube:0", "barrier/tree", "--arrivals 3", 0, 0, 0, 0},
                                         GoodRun{"hypercube:6", "barrier/tree", "--words 2", 12, 126, 252, 24},
                                         GoodRun{"rh:1,1", "barrier/tree", "--duplex half-node", 10, 16, 16, 10},
                                         GoodRun{"rh:3,2", "barrier/tree", "", 15 + 14, 143 + 127, 270, 29},
                                         GoodRun{"rh:3,2", "barrier/tree", "--ports all --arrivals 0", 15 + 13, 270,
                                                 270, 28}));

// mukherjee.md, Sorting, cube: v (v+1) / 2 steps of b words.
INSTANTIATE_TEST_SUITE_P(
    SortBitonic, GoodRuns,
    testing::Values(GoodRun{"hypercube:0", "sort/bitonic", "--words 9", 0, 0, 0, 0},
                    GoodRun{"hypercube:3", "sort/bitonic", "--ports one-strict", 6, 48, 48, 6},
                    GoodRun{"hypercube:6", "sort/bitonic", "--words 5 --type double --seed 3", 21, 1344, 6720, 105},
                    GoodRun{"hypercube:4", "sort/bitonic", "--words 2 --type string --ports all", 10, 160, 320, 20}));

// mukherjee.md, Sorting, on RH(2,1): 3 steps inside, G = 1 each way, P = 2 + X with X = 3 (1+1), 3 + 2 or 3 (1+3).
INSTANTIATE_TEST_SUITE_P(SortOnReducedHypercube, GoodRuns,
                         testing::Values(GoodRun{"rh:2,1", "sort/merge", "", 13, 48 + 64 + 16, 16 * (3 + 8 + 1),
                                                 3 + 2 + 16},
                                         GoodRun{"rh:2,1", "sort/classic", "--move packets --words 2", 12, 48 + 56 + 16,
                                                 32 * (3 + 7 + 1), 2 * (3 + 2 + 14)},
                                         GoodRun{"rh:2,1", "sort/resort", "--type string --ports all", 19,
                                                 48 + 112 + 16, 16 * (3 + 14 + 1), 3 + 2 + 28},
                                         GoodRun{"rh:0,0", "sort/merge", "--words 3", 1, 2, 6, 3}));

// mukherjee.md, Routing: 2^d - 1 or 2^(d-1) steps to or from one processor, d for the complement; d 2^(d-1) or d 2^d
// messages.
INSTANTIATE_TEST_SUITE_P(RouteEcube, GoodRuns,
                         testing::Values(GoodRun{"hypercube:4", "route/ecube", "--pattern gather", 15, 32, 32, 15},
                                         GoodRun{"hypercube:4", "route/ecube",
                                                 "--pattern scatter --ports all --words 3", 8, 32, 96, 24},
                                         GoodRun{"hypercube:5", "route/ecube", "--seed 3", 5, 160, 160, 5},
                                         GoodRun{"rh:0,0", "route/ecube", "", 1, 2, 2, 1}));

// dimakopoulos.md, Rings to Paths: ring floor(m^2/4), path ceil(m^2/2) - 1, complete m - 1 steps; messages are the sums
// of the path lengths.
INSTANTIATE_TEST_SUITE_P(AlltoallFactor, GoodRuns,
                         testing::Values(GoodRun{"ring:1", "alltoall/factor", "", 0, 0, 0, 0},
                                         GoodRun{"ring:2", "alltoall/factor", "", 1, 2, 2, 1},
                                         GoodRun{"ring:7", "alltoall/factor", "--words 3", 12, 84, 252, 36},
                                         GoodRun{"ring:8", "alltoall/factor", "--seed 5", 16, 128, 128, 16},
                                         GoodRun{"path:6", "alltoall/factor", "", 17, 70, 70, 17},
                                         GoodRun{"path:5", "alltoall/factor", "--words 2", 12, 40, 80, 24},
                                         GoodRun{"complete:9", "alltoall/factor", "", 8, 72, 72, 8}));

// dimakopoulos.md, Products: its examples; messages are processors times the average status.
INSTANTIATE_TEST_SUITE_P(AlltoallProduct, GoodRuns,
                         testing::Values(GoodRun{"torus:4x3", "alltoall/product", "", 20, 240, 240, 20},
                                         GoodRun{"torus:3x4x5", "alltoall/product", "--words 2", 172, 10320, 20640,
                                                 344},
                                         GoodRun{"torus:2x2", "alltoall/product", "", 4, 16, 16, 4},
                                         GoodRun{"mesh:3x2", "alltoall/product", "", 11, 50, 50, 11},
                                         GoodRun{"product:complete:4*ring:5", "alltoall/product", "", 39, 780, 780, 39},
                                         GoodRun{"product:path:3*ring:4", "alltoall/product", "", 28, 272, 272, 28},
                                         GoodRun{"hypercube:5", "alltoall/product", "--seed 3", 80, 2560, 2560, 80}));

// saad-schultz-1985.md, Pipelined broadcast, Disjoint paths; saad-schultz-1988.md, Ring paths, Four paths, Axis
// broadcast: S, M, V, W.
INSTANTIATE_TEST_SUITE_P(
    Packets, GoodRuns,
    testing::Values(GoodRun{"hypercube:4", "broadcast/sbt-pipelined", "--words 6 --packets 3", 6, 45, 90, 12},
                    GoodRun{"torus:5x5", "broadcast/axis", "--words 4 --packets 2 --root 0b11", 5, 48, 96, 10},
                    GoodRun{"hypercube:3", "send/disjoint-paths",
                            "--source 0b101 --destination 0b100 --words 6 --packets 1", 3, 7, 14, 6},
                    GoodRun{"ring:5", "send/disjoint-paths", "--destination 4 --packets 2", 5, 10, 10, 5},
                    GoodRun{"torus:5x5", "send/disjoint-paths", "--destination 1 --words 8 --packets 1", 7, 16, 32, 14},
                    GoodRun{"hypercube:4", "send/pipelined", "--source 3 --destination 3 --packets 2", 0, 0, 0, 0}));

// Section 7: nu_opt = sqrt((L-1) N tau / beta) follows the costs that are given.
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

TEST(Run, SendsToTheFarthestUnlessToldOtherwise) {
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
  EXPECT_NE(run_json("torus:16x16", "alltoall/product", "--seed 2")["digest"], digest) << "the data is another";
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

TEST(Run, AParameterWithoutAValueIsShownInJsonOnly) {
  const Finished run = lockstep("run --machine hypercube:3 --algorithm broadcast/drbt");
  EXPECT_NE(run.out.find("broadcast/drbt --words 1 --root 0 --seed 1\n"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("null"), std::string::npos);
  EXPECT_EQ(run_json("hypercube:3", "broadcast/drbt")["algorithm"]["parameters"]["order"], nullptr);
}

// 4 exchanges of 4, 8, 64 and 128 blocks in each of 16 processors.
TEST(Run, GathersBlocksOnlyIfTold) {
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
}  // namespace lockstep::test
