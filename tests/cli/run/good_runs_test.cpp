// Runs of every operation, planned, run and checked as by the command, but without a process: counts and modelled time.
// The runs of run_test.cpp, one for each kind of flag, are not repeated.
// The expected numbers are typed from the pages: saad-schultz-1985.md, Broadcast, ADEA; mukherjee.md, Broadcast,
// Reduction, Sorting; dimakopoulos.md, Rings to Products.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../reads_so_far.hpp"
#include "good_run.hpp"
#include "run_in_process.hpp"

namespace lockstep::cli::run::good_runs_test {
namespace {

using test::expect_counts;
using test::GoodRun;

void expect_counts(const std::vector<GoodRun>& runs) {
  for (const GoodRun& expected : runs) {
    const RunRecord record = run_in_process(expected.flags());
    EXPECT_EQ(exit_code_of(record), 0);
    expect_counts(report::json_report(record, false), expected);
  }
}

// Each file with a memory limit takes at least one read.
TEST(GoodRuns, DoNotEachReadTheLimitsOfMemory) {
  const std::uint64_t before = test::reads_so_far();
  if (before == 0) GTEST_SKIP() << "the system does not count reads";
  for (int run = 0; run < 200; ++run) run_in_process("--machine hypercube:1 --algorithm broadcast/sbt");
  EXPECT_LT(test::reads_so_far() - before, 100U);
}

// saad-schultz-1985.md, Broadcast: n steps, k - 1 messages of m words.
TEST(GoodRuns, OfBroadcastSbt) {
  expect_counts({{"hypercube:0", "broadcast/sbt", "", 0, 0, 0, 0},
                 {"hypercube:1", "broadcast/sbt", "--root 1", 1, 1, 1, 1},
                 {"hypercube:8", "broadcast/sbt", "--ports all --seed 99", 8, 255, 255, 8}});
}

// mukherjee.md, Broadcast, one-port: B1(k-n) + (n+1) 2^n + 1; all-port: k - n + T(n) with T = 1, 5, 12. A cube of
// dimension v: 2(v-1), v.
TEST(GoodRuns, OfBroadcastDrbt) {
  expect_counts({{"rh:0,0", "broadcast/drbt", "", 1, 1, 1, 1},
                 {"rh:1,1", "broadcast/drbt", "--root 5", 5, 7, 7, 5},
                 {"rh:3,2", "broadcast/drbt", "--words 4 --root 0b1100101", 14, 127, 508, 56},
                 {"rh:3,2", "broadcast/drbt", "--ports all", 13, 127, 127, 13},
                 {"hypercube:6", "broadcast/drbt", "--root 63", 10, 63, 63, 10},
                 {"hypercube:6", "broadcast/drbt", "--ports all --words 3", 6, 63, 189, 18}});
}

// saad-schultz-1985.md, ADEA, k = 2^n: f n steps, n k messages, k (k - 1) m words, longest sum f (k - 1) m; f = 2
// unless duplex is full.
TEST(GoodRuns, OfAllgatherAdea) {
  expect_counts({{"hypercube:0", "allgather/adea", "", 0, 0, 0, 0},
                 {"hypercube:1", "allgather/adea", "--duplex half-node", 2, 2, 2, 2},
                 {"hypercube:4", "allgather/adea", "--words 3", 4, 64, 720, 45},
                 {"hypercube:4", "allgather/adea", "--words 3 --duplex half-link", 8, 64, 720, 90},
                 {"hypercube:6", "allgather/adea", "--ports one-strict --seed 4", 6, 384, 4032, 63}});
}

// mukherjee.md, Reduction: k + (n+1) 2^n steps on RH(k,n); matrix2 and concat are forwarded from 0 to the root over the
// E-cube path.
TEST(GoodRuns, OfReduceTree) {
  expect_counts({{"hypercube:0", "reduce/tree", "", 0, 0, 0, 0},
                 {"hypercube:6", "reduce/tree", "--operator max --root 0b101010 --words 3", 6, 63, 189, 18},
                 {"hypercube:6", "reduce/tree", "--operator concat --root 0b101010", 9, 66, 66, 9},
                 {"rh:2,1", "reduce/tree", "--operator xor --root 13 --ports all", 6, 17, 17, 6},
                 {"rh:3,2", "reduce/tree", "--type double --duplex half-node", 15, 143, 143, 15},
                 {"rh:3,2", "reduce/tree", "--operator matrix2 --words 8", 15, 143, 1144, 120}});
}

// mukherjee.md, Prefix: phase I of RH(3,2) takes 3 steps and 384 messages, II 36 and 100 + 24 + 9 + 1, III 3 and 105;
// of RH(2,1) II 7 and 10, for hub 0 it takes 5 and 6. The cube takes v steps and v N messages.
TEST(GoodRuns, OfScans) {
  expect_counts({{"rh:0,0", "scan/hub", "", 1, 1, 1, 1},
                 {"rh:2,1", "scan/hub", "--hub 0 --operator concat --ports all", 9, 47, 47, 9},
                 {"rh:3,2", "scan/hub", "--operator matrix2 --ports one-strict", 42, 623, 2492, 168},
                 {"hypercube:0", "scan/cube", "", 0, 0, 0, 0},
                 {"hypercube:6", "scan/cube", "--words 5 --seed 3", 6, 384, 1920, 30}});
}

// mukherjee.md, Barrier: the reduction's steps and messages, then the broadcast's.
TEST(GoodRuns, OfBarrierTree) {
  expect_counts({{"hypercube:0", "barrier/tree", "--arrivals 3", 0, 0, 0, 0},
                 {"hypercube:6", "barrier/tree", "--words 2", 12, 126, 252, 24},
                 {"rh:1,1", "barrier/tree", "--duplex half-node", 10, 16, 16, 10},
                 {"rh:3,2", "barrier/tree", "", 15 + 14, 143 + 127, 270, 29}});
}

// mukherjee.md, Sorting, cube: v (v+1) / 2 steps of b words.
TEST(GoodRuns, OfSortBitonic) {
  expect_counts({{"hypercube:0", "sort/bitonic", "--words 9", 0, 0, 0, 0},
                 {"hypercube:3", "sort/bitonic", "--ports one-strict", 6, 48, 48, 6},
                 {"hypercube:6", "sort/bitonic", "--words 5 --type double --seed 3", 21, 1344, 6720, 105},
                 {"hypercube:4", "sort/bitonic", "--words 2 --type string --ports all", 10, 160, 320, 20}});
}

// mukherjee.md, Sorting, on RH(2,1): 3 steps inside, G = 1 each way, P = 2 + X with X = 3 (1+1), 3 + 2 or 3 (1+3).
TEST(GoodRuns, OfSortOnReducedHypercube) {
  expect_counts(
      {{"rh:2,1", "sort/merge", "", 13, 48 + 64 + 16, 16 * (3 + 8 + 1), 3 + 2 + 16},
       {"rh:2,1", "sort/resort", "--type string --ports all", 19, 48 + 112 + 16, 16 * (3 + 14 + 1), 3 + 2 + 28},
       {"rh:0,0", "sort/merge", "--words 3", 1, 2, 6, 3}});
}

// mukherjee.md, Routing: 2^d - 1 or 2^(d-1) steps to or from one processor, d for the complement; d 2^(d-1) or d 2^d
// messages.
TEST(GoodRuns, OfRouteEcube) {
  expect_counts({{"hypercube:4", "route/ecube", "--pattern gather", 15, 32, 32, 15},
                 {"hypercube:5", "route/ecube", "--seed 3", 5, 160, 160, 5},
                 {"rh:0,0", "route/ecube", "", 1, 2, 2, 1}});
}

// dimakopoulos.md, Rings to Paths: ring floor(m^2/4), path ceil(m^2/2) - 1, complete m - 1 steps; messages are the sums
// of the path lengths.
TEST(GoodRuns, OfAlltoallFactor) {
  expect_counts({{"ring:1", "alltoall/factor", "", 0, 0, 0, 0},
                 {"ring:2", "alltoall/factor", "", 1, 2, 2, 1},
                 {"ring:7", "alltoall/factor", "--words 3", 12, 84, 252, 36},
                 {"ring:8", "alltoall/factor", "--seed 5", 16, 128, 128, 16},
                 {"path:6", "alltoall/factor", "", 17, 70, 70, 17},
                 {"path:5", "alltoall/factor", "--words 2", 12, 40, 80, 24},
                 {"complete:9", "alltoall/factor", "", 8, 72, 72, 8}});
}

// dimakopoulos.md, Products: its examples; messages are processors times the average status.
TEST(GoodRuns, OfAlltoallProduct) {
  expect_counts({{"torus:4x3", "alltoall/product", "", 20, 240, 240, 20},
                 {"torus:3x4x5", "alltoall/product", "--words 2", 172, 10320, 20640, 344},
                 {"torus:2x2", "alltoall/product", "", 4, 16, 16, 4},
                 {"mesh:3x2", "alltoall/product", "", 11, 50, 50, 11},
                 {"product:path:3*ring:4", "alltoall/product", "", 28, 272, 272, 28},
                 {"hypercube:5", "alltoall/product", "--seed 3", 80, 2560, 2560, 80}});
}

// saad-schultz-1985.md, Pipelined broadcast, Disjoint paths; saad-schultz-1988.md, Ring paths, Four paths, Axis
// broadcast: S, M, V, W.
TEST(GoodRuns, OfPackets) {
  expect_counts({{"hypercube:4", "broadcast/sbt-pipelined", "--words 6 --packets 3", 6, 45, 90, 12},
                 {"torus:5x5", "broadcast/axis", "--words 4 --packets 2 --root 0b11", 5, 48, 96, 10},
                 {"mesh:4x5", "broadcast/axis", "--words 4 --packets 2", 8, 38, 76, 16},
                 {"path:6", "broadcast/two-phase", "--words 4 --packets 2", 6, 10, 20, 12},
                 {"torus:4x6", "broadcast/two-streams", "--words 12 --packets 3", 7, 138, 276, 14},
                 {"torus:2x3x4", "broadcast/two-streams-late", "--words 6 --packets 2", 7, 138, 138, 7},
                 {"torus:5x6", "send/pipelined", "--words 6 --packets 3", 7, 15, 30, 14},
                 {"mesh:3x4", "send/disjoint-paths", "--words 4 --packets 2", 6, 20, 20, 6},
                 {"ring:5", "send/disjoint-paths", "--destination 4 --packets 2", 5, 10, 10, 5},
                 {"torus:5x5", "send/disjoint-paths", "--destination 1 --words 8 --packets 1", 7, 16, 32, 14},
                 {"hypercube:4", "send/pipelined", "--source 3 --destination 3 --packets 2", 0, 0, 0, 0}});
}

}  // namespace
}  // namespace lockstep::cli::run::good_runs_test
