// The program beside a trace: a line for every cycle in which messages move, as in the documents of the papers.
#include "texts/pseudo_code.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "coded_run.hpp"

namespace lockstep::cli::learn::pseudo_code_test {
namespace {

/// Runs of every method that has code, many of them on machines with little to do.
std::vector<std::string> many_runs() {
  std::vector<std::string> runs;
  const auto add = [&](const std::vector<std::string>& machines, const std::vector<std::string>& methods,
                       const std::vector<std::string>& flags = {""}) {
    for (const auto& machine : machines) {
      for (const auto& method : methods) {
        for (const auto& flag : flags) runs.push_back(flags_for(machine, method, flag));
      }
    }
  };
  const std::vector<std::string> cubes{"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:5"};
  const std::vector<std::string> reduced{"rh:0,0", "rh:1,0", "rh:3,0", "rh:1,1",
                                         "rh:2,1", "rh:4,1", "rh:2,2", "rh:3,2"};
  const std::vector<std::string> switches{"switch:1", "switch:2", "switch:3", "switch:4",
                                          "switch:5", "switch:7", "switch:8", "switch:13"};
  const std::vector<std::string> rings{"ring:1", "ring:2", "ring:3", "ring:4", "ring:7", "ring:8"};
  const std::vector<std::string> tori{"torus:1x1", "torus:2x2", "torus:3x3", "torus:4x4", "torus:5x5"};
  const std::vector<std::string> buses{"bus:1", "bus:2", "bus:5", "bus:6,kstar=2"};
  const std::vector<std::string> memories{"shared:1,kstar=1", "shared:2,kstar=2", "shared:7,kstar=1",
                                          "shared:7,kstar=2", "shared:8,kstar=3", "shared:9,kstar=4",
                                          "shared:3,kstar=3"};
  const std::vector<std::string> packets{"--packets 1", "--packets 2 --words 5", "--packets 9 --words 40"};

  add(cubes, {"broadcast/sbt", "broadcast/drbt", "scatter/sbt", "gather/sbt", "reduce/tree", "barrier/tree"},
      {"", "--ports all", "--duplex half-node"});
  add(cubes, {"allgather/adea", "allgather/tea1", "allgather/tea2", "alltoall/exchange"},
      {"", "--duplex half-link", "--duplex half-node"});
  add(cubes, {"allgather/daisy-chain", "scan/cube", "sort/bitonic", "alltoall/product", "alltoall/greedy"});
  add({"hypercube:3"}, {"broadcast/sbt", "broadcast/drbt", "scatter/sbt", "gather/sbt"}, {"--root 5"});
  add({"hypercube:3", "rh:2,1"}, {"reduce/tree"}, {"--root 5", "--root 7 --operator concat"});
  add(reduced,
      {"broadcast/drbt", "reduce/tree", "barrier/tree", "scan/hub", "sort/resort", "sort/merge", "sort/classic"},
      {"", "--ports all"});
  add({"rh:1,1", "rh:3,1", "rh:2,2", "rh:3,2"}, {"scan/hub"}, {"--hub 0"});
  add({"rh:1,1", "rh:3,1", "rh:2,2", "rh:3,2"}, {"broadcast/drbt"}, {"--order cross-first"});
  add(switches, {"broadcast/doubling", "allgather/doubling", "allgather/daisy-chain"});
  add(switches, {"allgather/circulant", "allgather/sparbit", "allreduce/circulant", "allreduce/rabenseifner",
                 "allreduce/recursive-doubling", "allreduce/ring", "alltoall/bruck", "alltoall/pairwise",
                 "barrier/dissemination", "broadcast/scatter-allgather", "exscan/123-doubling",
                 "reduce-scatter/circulant", "reduce-scatter/pairwise", "reduce-scatter/ring", "scan/doubling"});
  add({"complete:1", "complete:2", "complete:6", "complete:17"},
      {"allreduce/circulant", "allreduce/recursive-doubling", "scan/doubling", "exscan/123-doubling"});
  add({"switch:13"}, {"alltoall/bruck"}, {"--radix 3", "--radix 5", "--radix 13"});
  add({"switch:2", "switch:4", "switch:6", "switch:14", "ring:2", "ring:4", "ring:10"},
      {"allgather/neighbour-exchange"});
  add({"switch:1", "switch:2", "switch:8", "switch:16"}, {"reduce-scatter/halving"});
  add({"ring:1", "ring:2", "ring:5", "torus:4x3", "hypercube:3", "rh:0,0", "rh:2,1"}, {"allreduce/ring"});
  add(switches, {"broadcast/ring"}, packets);
  add({"switch:1", "switch:2", "switch:4", "switch:8", "omega:16"}, {"broadcast/tree"}, packets);
  add({"switch:1", "switch:2", "switch:4", "switch:16", "omega:8"}, {"alltoall/exchange"}, {"", "--duplex half-node"});
  add(rings, {"allgather/daisy-chain", "alltoall/greedy"});
  add({"rh:0,0", "rh:1,1", "rh:2,1"}, {"allgather/daisy-chain"});
  add(rings, {"broadcast/one-way", "broadcast/two-way"}, packets);
  add(tori, {"allgather/daisy-chain", "allgather/two-pass"});
  add({"torus:1x1", "torus:2x2", "torus:3x3", "torus:4x4", "mesh:3x4", "torus:2x3x4"}, {"allgather/daisy-chain-snake"});
  add({"torus:2x4", "torus:3x4", "torus:6x4", "torus:1x5", "torus:2x3x4", "torus:5", "mesh:3x3", "mesh:1x1", "path:5"},
      {"allgather/daisy-chain", "allgather/two-pass"}, {"", "--ports all"});
  add(tori, {"broadcast/axis"}, packets);
  add({"torus:2x3", "torus:3x2x4", "mesh:1x4", "mesh:3x2", "mesh:2x3x2", "path:5"}, {"broadcast/axis"}, packets);
  add({"mesh:3x4", "path:7"}, {"broadcast/axis"}, {"--root 3 --words 5 --packets 2"});
  add(cubes, {"broadcast/sbt-pipelined"}, packets);
  add({"ring:1", "ring:2", "ring:5", "ring:6", "path:1", "path:2", "path:5", "path:6", "complete:1", "complete:2",
       "complete:5"},
      {"alltoall/factor"});
  add({"torus:2x3", "torus:4x3", "torus:3x4", "torus:2x3x4", "mesh:3x2", "mesh:2x3x2", "product:ring:3*complete:3"},
      {"alltoall/product"});
  add({"mesh:2x2", "mesh:3x3", "path:4"}, {"alltoall/greedy", "alltoall/search"});
  add(buses, {"broadcast/direct", "allgather/direct"});
  add(memories, {"broadcast/direct", "allgather/direct"});
  add({"hypercube:2", "hypercube:4", "hypercube:6"}, {"transpose/2d-spt", "transpose/2d-mpt"});
  add({"hypercube:4"}, {"transpose/2d-mpt"}, {"--rounds 1", "--rounds 3", "--matrix 64x64 --beta 0.01"});
  return runs;
}

TEST(PseudoCode, HasOneStepForEveryCycleInWhichMessagesMove) {
  for (const std::string& flags : many_runs()) {
    SCOPED_TRACE(flags);
    const CodedRun run = run_with(flags);
    EXPECT_FALSE(run.ends_early);
    ASSERT_TRUE(run.code.has_value());
    const auto& [why, lines, steps] = *run.code;
    EXPECT_FALSE(why.empty());
    EXPECT_LE(why.size(), 200U);
    EXPECT_GE(lines.size(), 4U);
    EXPECT_LE(lines.size(), 14U);
    for (const std::string& line : lines) EXPECT_LE(line.size(), 72U) << line;
    ASSERT_EQ(steps.size(), run.trace.cycles().size());
    for (std::size_t index = 0; index < steps.size(); ++index) {
      EXPECT_EQ(steps[index].cycle, run.trace.cycles()[index].cycle);
      ASSERT_LT(steps[index].line, lines.size());
      EXPECT_FALSE(steps[index].values.empty());
    }
  }
}

/// "line | values" of every step, without indentation.
std::vector<std::string> steps_of(const std::string& flags) {
  const CodedRun run = run_with(flags);
  std::vector<std::string> steps;
  for (const PseudoCode::Step& step : run.code.value().steps) {
    const std::string& line = run.line(step);
    steps.push_back(line.substr(line.find_first_not_of(' ')) + " | " + step.values);
  }
  return steps;
}

using Steps = std::vector<std::string>;

// saad-schultz-1985.md: Broadcast, ADEA, TEA1, TEA2, Scatter, Gather, MTADEA.
TEST(PseudoCode, FollowsTheDimensionsOfCubes) {
  EXPECT_EQ(steps_of(flags_for("hypercube:4", "broadcast/sbt")),
            (Steps{"send the item over dimension i | i = 0: 1 holder sends",
                   "send the item over dimension i | i = 1: 2 holders send",
                   "send the item over dimension i | i = 2: 4 holders send",
                   "send the item over dimension i | i = 3: 8 holders send"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:3", "allgather/adea")),
            (Steps{"send held to rank xor 2^d, and receive as much from it | d = 2: 1 block each way",
                   "send held to rank xor 2^d, and receive as much from it | d = 1: 2 blocks each way",
                   "send held to rank xor 2^d, and receive as much from it | d = 0: 4 blocks each way"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:2", "allgather/adea", "--duplex half-node")),
            (Steps{"processors whose bit d is 1 send held to rank xor 2^d | d = 1: 1 block",
                   "then the others send it what they held before | d = 1: 1 block",
                   "processors whose bit d is 1 send held to rank xor 2^d | d = 0: 2 blocks",
                   "then the others send it what they held before | d = 0: 2 blocks"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:2", "alltoall/exchange")),
            (Steps{"send rank xor 2^d the blocks for ranks with its bit d | d = 1: 2 blocks each way",
                   "send rank xor 2^d the blocks for ranks with its bit d | d = 0: 2 blocks each way"}));
  EXPECT_EQ(
      steps_of(flags_for("hypercube:3", "scatter/sbt")),
      (Steps{"send over dimension d the blocks for ranks with another bit d | d = 0: 1 processor sends 4 blocks",
             "send over dimension d the blocks for ranks with another bit d | d = 1: 2 processors send 2 blocks each",
             "send over dimension d the blocks for ranks with another bit d | d = 2: 4 processors send 1 block each"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:3", "gather/sbt")),
            (Steps{"send blocks over dimension d | d = 2: 4 processors send 1 block each",
                   "send blocks over dimension d | d = 1: 2 processors send 2 blocks each",
                   "send blocks over dimension d | d = 0: 1 processor sends 4 blocks"}));
}

// The 4-cube has C(3,i-1) and C(4,i) blocks at distance i.
TEST(PseudoCode, FollowsTheDistancesOfTotalExchanges) {
  const std::string tea1 = "send y the blocks at hand whose origin is i links away from y | ";
  EXPECT_EQ(steps_of(flags_for("hypercube:4", "allgather/tea1")),
            (Steps{tea1 + "i = 1: 1 block over every link", tea1 + "i = 2: 3 blocks over every link",
                   tea1 + "i = 3: 3 blocks over every link", tea1 + "i = 4: 1 block over every link"}));
  const std::string tea2 = "send y the blocks at hand whose origin x is i links away from y, | ";
  EXPECT_EQ(steps_of(flags_for("hypercube:4", "allgather/tea2")),
            (Steps{tea2 + "i = 1: each receives 4 blocks, at most 1 over a link",
                   tea2 + "i = 2: each receives 6 blocks, at most 2 over a link",
                   tea2 + "i = 3: each receives 4 blocks, at most 1 over a link",
                   tea2 + "i = 4: each receives 1 block, at most 1 over a link"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:1", "allgather/tea1", "--duplex half-link")),
            (Steps{tea1 + "i = 1, even: 1 block over every link", tea1 + "i = 1, odd: 1 block over every link"}));
}

// saad-schultz-1988.md: Bus, Shared memory, Switch, Ring broadcast, Two passes.
TEST(PseudoCode, FollowsTheStepsOnSixMachines) {
  EXPECT_EQ(steps_of(flags_for("bus:3", "allgather/direct")),
            (Steps{"send the own block to all others, in one transaction | q = 0",
                   "send the own block to all others, in one transaction | q = 1",
                   "send the own block to all others, in one transaction | q = 2"}));
  EXPECT_EQ(steps_of(flags_for("bus:3", "broadcast/direct", "--root 2")),
            (Steps{"send the item to all others, in one transaction | root = 2"}));
  EXPECT_EQ(steps_of(flags_for("shared:6,kstar=2", "broadcast/direct")),
            (Steps{"write the item into the slot | root = 0", "read the slot | r = 1: 2 processors read",
                   "read the slot | r = 2: 2 processors read", "read the slot | r = 3: 1 processor reads"}));
  EXPECT_EQ(steps_of(flags_for("shared:3,kstar=2", "allgather/direct")),
            (Steps{"write the own block into slot `rank` | r = 0: processors 0 to 1",
                   "write the own block into slot `rank` | r = 1: processor 2",
                   "read the slots of all others, in one access | r = 0: processors 0 to 1",
                   "read the slots of all others, in one access | r = 1: processor 2"}));
  EXPECT_EQ(steps_of(flags_for("switch:6", "allgather/doubling")),
            (Steps{"send the first `more` blocks to rank - held (mod k) | held = 1, more = 1",
                   "send the first `more` blocks to rank - held (mod k) | held = 2, more = 2",
                   "send the first `more` blocks to rank - held (mod k) | held = 4, more = 2"}));
  EXPECT_EQ(steps_of(flags_for("switch:6", "broadcast/doubling")),
            (Steps{"send the item to the processor c places on | c = 1: 1 holder sends",
                   "send the item to the processor c places on | c = 2: 2 holders send",
                   "send the item to the processor c places on | c = 4: 2 of 4 holders send"}));
  EXPECT_EQ(steps_of(flags_for("switch:8", "broadcast/tree", "--packets 2")),
            (Steps{"in an even cycle t: send it to the left child | t = 0: packet 0 leaves the root",
                   "in an odd cycle t: send it to the right child | t = 1: packet 0 leaves the root",
                   "in an even cycle t: send it to the left child | t = 2: packet 1 leaves the root",
                   "in an odd cycle t: send it to the right child | t = 3: packet 1 leaves the root",
                   "in an even cycle t: send it to the left child | t = 4: all packets have left the root",
                   "in an odd cycle t: send it to the right child | t = 5: all packets have left the root"}));
  EXPECT_EQ(steps_of(flags_for("ring:4", "broadcast/one-way", "--packets 3")),
            (Steps{"send packet p to the next place | t = 0: packet 0 moves",
                   "send packet p to the next place | t = 1: packets 0 to 1 move",
                   "send packet p to the next place | t = 2: packets 0 to 2 move",
                   "send packet p to the next place | t = 3: packets 1 to 2 move",
                   "send packet p to the next place | t = 4: packet 2 moves"}));
  EXPECT_EQ(steps_of(flags_for("ring:5", "broadcast/two-way", "--packets 2")),
            (Steps{"send packet p on; the root sends it both ways | t = 0: packet 0 moves",
                   "send packet p on; the root sends it both ways | t = 1: packets 0 to 1 move",
                   "send packet p on; the root sends it both ways | t = 2: packet 1 moves"}));
  const std::string chain = "send block to the next place, receive one from the place before | ";
  EXPECT_EQ(steps_of(flags_for("ring:4", "allgather/daisy-chain")),
            (Steps{chain + "t = 1: each sends its own", chain + "t = 2: each sends what began 1 place back",
                   chain + "t = 3: each sends what began 2 places back"}));
  EXPECT_EQ(
      steps_of(flags_for("torus:3x3", "allgather/two-pass")),
      (Steps{"send list to the next row, receive one from the row before | t = 1: each sends its own",
             "send list to the next row, receive one from the row before | t = 2: each sends what began 1 row back",
             "send list to the next column, receive one from the column before | t = 1: each sends its own",
             "send list to the next column, receive one from the column before | "
             "t = 2: each sends what began 1 column back"}));
  const std::string up = "send up to the next place; up = what comes from below, kept | ";
  const std::string down = "send down to the place before; down = what comes from above, kept | ";
  const std::string both = "send up to the next place, and down to the one before | ";
  EXPECT_EQ(steps_of(flags_for("path:3", "allgather/daisy-chain")),
            (Steps{up + "t = 1", up + "t = 2", down + "t = 1", down + "t = 2"}));
  EXPECT_EQ(steps_of(flags_for("mesh:3x2", "allgather/two-pass", "--ports all")),
            (Steps{both + "dimension = 0, t = 1", both + "dimension = 0, t = 2", both + "dimension = 1, t = 1"}));
  EXPECT_EQ(steps_of(flags_for("mesh:2x2", "allgather/two-pass")),
            (Steps{up + "dimension = 0, t = 1", down + "dimension = 0, t = 1", up + "dimension = 1, t = 1",
                   down + "dimension = 1, t = 1"}));
}

// dimakopoulos.md, Products: the ring of three takes 2 steps, that of four 4; 4 * 2 + 3 * 4 = 20.
TEST(PseudoCode, FollowsTheRoundsOfProducts) {
  Steps expected;
  for (const char* r : {"0", "1", "2", "3"}) {
    for (const char* step : {"1", "2"}) {
      expected.push_back(std::string("all copies of B at once run B's own exchange; | r = ") + r + ": step " + step +
                         " of 2");
    }
  }
  for (const char* q : {"0", "1", "2"}) {
    for (const char* step : {"1", "2", "3", "4"}) {
      expected.push_back(std::string("all copies of A at once run A's own exchange; | q = ") + q + ": step " + step +
                         " of 4");
    }
  }
  EXPECT_EQ(steps_of(flags_for("torus:4x3", "alltoall/product")), expected);
  // For a 3-cube B is dimension 2, with 1 step, and A a square, with 4: two of its last dimension, then two.
  const std::string a = "all copies of A at once run A's own exchange; | q = ";
  const Steps cube = steps_of(flags_for("hypercube:3", "alltoall/product"));
  ASSERT_EQ(cube.size(), 12U);
  EXPECT_EQ(cube[3], "all copies of B at once run B's own exchange; | r = 3: step 1 of 1");
  EXPECT_EQ((Steps{cube.begin() + 8, cube.end()}),
            (Steps{a + "1: step 1 of 4, in dimension 1", a + "1: step 2 of 4, in dimension 1",
                   a + "1: step 3 of 4, in dimension 0", a + "1: step 4 of 4, in dimension 0"}));
}

// dimakopoulos.md, Rings, Paths: floor(5^2/4) = 6 steps, 4^2/2 - 1 = 7 steps.
TEST(PseudoCode, FollowsTheExchangesOfFactors) {
  const std::string on_ring = "send block on, clockwise if d <= m / 2, else the other way | ";
  EXPECT_EQ(steps_of(flags_for("ring:5", "alltoall/factor")),
            (Steps{on_ring + "d = 1: link 1 of 1", on_ring + "d = 2: link 1 of 2", on_ring + "d = 2: link 2 of 2",
                   on_ring + "d = 3: link 1 of 2", on_ring + "d = 3: link 2 of 2", on_ring + "d = 4: link 1 of 1"}));
  const std::string right = "send the first of queue to rank + 1 | ";
  const std::string left = "the same to the left, with the blocks for lower ranks | ";
  EXPECT_EQ(steps_of(flags_for("path:4", "alltoall/factor")),
            (Steps{"if m is even: the two middle ranks exchange blocks | the middle", right + "step 1 of 3",
                   right + "step 2 of 3", right + "step 3 of 3", left + "step 1 of 3", left + "step 2 of 3",
                   left + "step 3 of 3"}));
  EXPECT_EQ(steps_of(flags_for("complete:3", "alltoall/factor")),
            (Steps{"send the block for `to` to it | d = 1", "send the block for `to` to it | d = 2"}));
}

// johnsson-ho.md, Two dimensions, Multiple paths: on the 4-cube k_1 = 2 and k_2 = 1.
TEST(PseudoCode, FollowsTransposedBlocks) {
  EXPECT_EQ(steps_of(flags_for("hypercube:4", "transpose/2d-spt")),
            (Steps{"send the block over dimension h + i | i = 1: dimension 3",
                   "send the block that came on over dimension i | i = 1: dimension 1",
                   "send the block over dimension h + i | i = 0: dimension 2",
                   "send the block that came on over dimension i | i = 0: dimension 0"}));
  const std::string packets = "on all paths the round's first packet crosses link e, | ";
  EXPECT_EQ(steps_of(flags_for("hypercube:4", "transpose/2d-mpt")),
            (Steps{packets + "H = 1: round 1, e = 1; H = 2: round 1, e = 1",
                   packets + "H = 1: round 1, e = 2; H = 2: round 1, e = 2",
                   packets + "H = 1: round 2, e = 1; H = 2: round 1, e = 3",
                   packets + "H = 1: round 2, e = 2; H = 2: round 1, e = 4",
                   "the second packets of round k cross link 2H | H = 1: last packets; H = 2: last packets"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:4", "transpose/2d-mpt", "--rounds 1"))[2],
            packets + "H = 1: last packets; H = 2: round 1, e = 3");
}

// mukherjee.md: Reduction, Barrier, Prefix. On RH(1,1) there are 4 blocks of 2 processors.
TEST(PseudoCode, FollowsReductionsAndScans) {
  const std::string in_block = "if bit i of x is 1: send result over port i, then stop | ";
  const std::string between = "if bit i of b is 1: send result to block b xor 2^i, then stop | ";
  EXPECT_EQ(steps_of(flags_for("rh:1,1", "reduce/tree")),
            (Steps{in_block + "i = 0", between + "i = 0: link 1 of 1", between + "i = 1: link 1 of 3",
                   between + "i = 1: link 2 of 3", between + "i = 1: link 3 of 3"}));
  EXPECT_EQ(steps_of(flags_for("hypercube:2", "reduce/tree", "--root 3 --operator concat")),
            (Steps{in_block + "i = 0", in_block + "i = 1", "from processor 0 result goes on to the root | link 1 of 2",
                   "from processor 0 result goes on to the root | link 2 of 2"}));
  EXPECT_EQ(
      steps_of(flags_for("hypercube:2", "barrier/tree")),
      (Steps{"if bit i of x is 1: send the token over port i, then wait | i = 0",
             "if bit i of x is 1: send the token over port i, then wait | i = 1",
             "release one child after the other | step 1 of 2", "release one child after the other | step 2 of 2"}));
  const std::string exchange = "send total over dimension i, received = what comes | ";
  EXPECT_EQ(steps_of(flags_for("hypercube:3", "scan/cube")),
            (Steps{exchange + "i = 0: own values", exchange + "i = 1: totals of 2", exchange + "i = 2: totals of 4"}));
  EXPECT_EQ(steps_of(flags_for("rh:1,1", "scan/hub")),
            (Steps{"scan as on a cube: exchange total over port i | i = 0", "send total | i = 0, m = 0: link 1 of 3",
                   "send total | i = 0, m = 0: link 2 of 3", "send total | i = 0, m = 0: link 3 of 3",
                   "send total | i = 1, m = 1: link 1 of 1", "send what came for this i | i = 1, m = 0: link 1 of 3",
                   "send what came for this i | i = 1, m = 0: link 2 of 3",
                   "send what came for this i | i = 1, m = 0: link 3 of 3",
                   "each processor that knows left, at first the hub, sends it over port i | i = 0"}));
}

// mukherjee.md, Sorting: on RH(2,1) c = 1, so only d = 0 of the dimensions of a list takes steps.
TEST(PseudoCode, FollowsTheSorts) {
  const std::string exchange = "exchange all records with rank xor 2^d | ";
  EXPECT_EQ(steps_of(flags_for("hypercube:3", "sort/bitonic")),
            (Steps{exchange + "st = 0, d = 0", exchange + "st = 1, d = 1", exchange + "st = 1, d = 0",
                   exchange + "st = 2, d = 2", exchange + "st = 2, d = 1", exchange + "st = 2, d = 0"}));
  const Steps in_block{"compare-split over port d | st = 0, d = 0", "compare-split over port d | st = 1, d = 1",
                       "compare-split over port d | st = 1, d = 0",
                       "for i = 0 .. n - 1: lists gather over port k - n + i | i = 0"};
  const std::string travel = "lists move to subblock j, which has the links of bit j | ";
  const std::string compare = "compare-split with block b xor 2^j, over port k | ";
  const std::string merge = "compare-split over port d (if d >= k - n: inside a list) | ";
  const std::string back = "for i = n - 1 .. 0: halves of lists go back over port k - n + i | i = 0";
  const auto behind_block = [&](const Steps& steps) {
    Steps all = in_block;
    all.insert(all.end(), steps.begin(), steps.end());
    all.push_back(back);
    return all;
  };
  EXPECT_EQ(steps_of(flags_for("rh:2,1", "sort/merge")),
            behind_block({compare + "i = 0, j = 0", merge + "i = 0, j = 0; d = 0",              //
                          travel + "i = 1, j = 1: link 1 of 1", compare + "i = 1, j = 1",       //
                          merge + "i = 1, j = 1; d = 0", travel + "i = 1, j = 0: link 1 of 1",  //
                          compare + "i = 1, j = 0", merge + "i = 1, j = 0; d = 0"}));
  EXPECT_EQ(steps_of(flags_for("rh:2,1", "sort/classic")),
            behind_block({compare + "i = 0, j = 0", merge + "i = 0, j = 0; d = 0", travel + "i = 1, j = 1: link 1 of 1",
                          compare + "i = 1, j = 1", travel + "i = 1, j = 0: link 1 of 1", compare + "i = 1, j = 0",
                          merge + "i = 1, j = 0; d = 0"}));
  Steps resort;
  for (const std::string meeting : {"i = 0, j = 0", "i = 1, j = 1", "i = 1, j = 0"}) {
    if (!resort.empty()) resort.push_back(travel + meeting + ": link 1 of 1");
    resort.push_back(merge + meeting + "; st = 0, d = 0");
    resort.push_back(merge + meeting + "; st = 1, d = 0");
    resort.push_back(compare + meeting);
    resort.push_back(merge + meeting + "; d = 0");
  }
  EXPECT_EQ(steps_of(flags_for("rh:2,1", "sort/resort")), behind_block(resort));
}

TEST(PseudoCode, HasNoStepsPastTheEndOfTheMethod) {
  for (const char* method : {"broadcast/sbt", "allgather/adea", "sort/bitonic", "transpose/2d-mpt", "reduce/tree"}) {
    SCOPED_TRACE(method);
    const CodedRun small = run_with(flags_for("hypercube:2", method));
    const CodedRun large = run_with(flags_for("hypercube:6", method));
    EXPECT_EQ(pseudo_code_of(small.plan, large.trace).value().steps.size(), small.code.value().steps.size());
  }
}

TEST(PseudoCode, SaysWhatIsLeftOfARunThatFails) {
  const CodedRun run = run_with(flags_for("hypercube:3", "allgather/tea2", "--ports one"));
  EXPECT_TRUE(run.ends_early);
  EXPECT_FALSE(run.code.value().lines.empty());
  EXPECT_TRUE(run.code.value().steps.empty());
}

TEST(PseudoCode, KeepsToTheCyclesOfTheTrace) {
  const CodedRun run = run_with(flags_for("hypercube:4", "broadcast/sbt"), {.from_cycle = 2, .ranks = {}});
  const auto& steps = run.code.value().steps;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].cycle, 2U);
  EXPECT_EQ(steps[0].values, "i = 2: 4 holders send");
}

TEST(PseudoCode, IsNothingWhereItWouldNotTellTheLine) {
  for (const std::string& flags :
       {flags_for("rh:2,1", "sort/merge", "--move packets"), flags_for("hypercube:3", "barrier/tree", "--arrivals 9"),
        flags_for("torus:3x3", "alltoall/product", "--schedules greedy"),
        flags_for("hypercube:4", "transpose/2d-dpt")}) {
    EXPECT_FALSE(run_with(flags).code.has_value()) << flags;
  }
}

TEST(PseudoCode, IsWrittenAsJson) {
  const CodedRun run = run_with(flags_for("bus:2", "broadcast/direct"));
  EXPECT_EQ(json_of(run.code.value()).dump(),
            R"({"lines":["if rank = root:","  send the item to all others, in one transaction","else:",)"
            R"("  keep the item that is heard"],"cycles":[[0,1,"root = 0"]],)"
            R"("why":"All hear what is said on a bus: a broadcast is what it does best."})");
}

}  // namespace
}  // namespace lockstep::cli::learn::pseudo_code_test
