// --emulate and --embed: the methods of one machine on another, and the embeddings in info.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "command_line.hpp"

namespace lockstep::test::carried_test {
namespace {

using Json = nlohmann::json;

TEST(CarriedRun, CountsOnTheHostAndNamesTheGuest) {
  // mukherjee.md, Emulation: k + D E = 2 + 4 * 10 steps, N (k + D (n+1)) messages.
  const Json report = run_json("rh:2,2", "allgather/adea", "--emulate hypercube");
  EXPECT_EQ(report["machine"]["spec"], "rh:2,2");
  EXPECT_EQ(report["machine"]["links"], 64 * 3 / 2);
  EXPECT_EQ(report["carried"]["guest"], "hypercube:6");
  EXPECT_EQ(report["carried"]["slowdown"], 7.0);
  EXPECT_EQ(report["counted"]["steps"], 42);
  EXPECT_EQ(report["predicted"]["steps"]["value"], 42);
  EXPECT_EQ(report["predicted"]["steps"]["kind"], "exact");
  EXPECT_EQ(report["counted"]["messages"], 64 * (2 + 4 * 3));
  EXPECT_EQ(report["measures"]["guest_steps"], 6);
  EXPECT_EQ(report["measures"]["congestion"], 4);
  EXPECT_EQ(report["measures"]["dilation"], 5);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["lower_bound"]["steps"], 6);  // the emulated hypercube has all its links
}

TEST(CarriedRun, OfAGridCountsAsTheGridDoes) {
  const Json own = run_json("torus:4x8", "alltoall/product");
  const Json report = run_json("hypercube:5", "alltoall/product", "--embed torus:4x8");
  for (const char* count : {"steps", "cycles", "messages", "words", "longest_sum", "startups", "busiest_link_words"}) {
    EXPECT_EQ(report["counted"][count], own["counted"][count]) << count;
  }
  EXPECT_EQ(report["modelled_time"]["synchronous"], own["modelled_time"]["synchronous"]);
  EXPECT_EQ(report["predicted"]["steps"]["value"], own["counted"]["steps"]);
  // The cube's: every processor's 31 blocks, one a message, cross 5 * 16 links together.
  EXPECT_EQ(report["lower_bound"]["steps"], 80);
  EXPECT_EQ(report["carried"]["slowdown"], 1.0);
  EXPECT_EQ(report["measures"]["congestion"], 1);
}

TEST(CarriedRun, IsTheSameAgainAndOnEveryExecutor) {
  const std::string run = "run --machine rh:2,1 --emulate hypercube --algorithm sort/bitonic --words 5 --json - ";
  const Json expected = Json::parse(lockstep(run).out);
  for (const std::string how :
       {"--repeat 3", "--executor threads --threads 3", "--executor seeded", "--channels compact"}) {
    const Finished again = lockstep(run + how);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(Json::parse(again.out)["digest"], expected["digest"]) << how;
  }
}

TEST(CarriedRun, ShowsWhatItEmulates) {
  const Finished run = lockstep("run --machine rh:1,1 --emulate hypercube --algorithm broadcast/sbt");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("emulates       hypercube:3: equal addresses; 2.333 times its own steps"), std::string::npos)
      << run.out;
  const Finished ring = lockstep("run --machine hypercube:3 --embed ring:6 --algorithm allgather/daisy-chain --cycles");
  EXPECT_EQ(ring.exit_code, 0) << ring.err;
  EXPECT_NE(ring.out.find("holds          ring:6: the rank in Gray code; 1 times its own steps"), std::string::npos)
      << ring.out;
}

TEST(CarriedRun, RefusesWhatMakesNoSense) {
  const std::string run = "run --algorithm broadcast/sbt --machine ";
  expect_refused(lockstep(run + "rh:2,1 --emulate hypercube --embed ring:16"), {"--emulate", "--embed"});
  expect_refused(lockstep(run + "torus:4x5 --emulate hypercube"), {"torus:4x5 has 20 processors", "power of two"});
  expect_refused(lockstep(run + "hypercube:4 --emulate hypercube"), {"needs no embedding in itself"});
  expect_refused(lockstep(run + "rh:2,1 --emulate torus"), {"--emulate 'torus'", "hypercube"});
  expect_refused(lockstep(run + "hypercube:4 --embed hypercube:4"), {"needs no embedding in itself"});
  expect_refused(lockstep(run + "hypercube:4 --embed binary-tree"), {"no method runs on it"});
  expect_refused(lockstep(run + "hypercube:4 --embed torus:4x4"), {"broadcast/sbt", "hypercube"});
  expect_refused(lockstep(run + "hypercube:4 --embed torus:8x4"), {"hypercube:4 has 16 processors", "torus:8x4"});
  expect_refused(lockstep(run + "bus:4 --embed ring:4"), {"nothing can be embedded in bus:4"});
  expect_refused(lockstep(run + "rh:2,1 --emulate hypercube --ports one-strict"), {"--ports one and all"});
  expect_refused(lockstep(run + "rh:2,1 --emulate hypercube --duplex half-node"), {"--duplex full"});
  expect_refused(lockstep("run --machine rh:2,1 --emulate hypercube --algorithm broadcast/drbt --order cross-first"),
                 {"--order"});
  expect_refused(lockstep(run + "rh:40,3 --emulate hypercube"), {"rh:40,3"});
  expect_refused(lockstep(run + "torus:4x4 --emulate hypercube --map snake"), {"--map", "--embed"});
  expect_refused(lockstep(run + "torus:4x4 --map snake"), {"--map", "--embed"});
  for (const std::string command : {"compare --operation broadcast", "sweep --operation broadcast"}) {
    expect_refused(lockstep(command + " --machine rh:2,1 --emulate hypercube"), {"--emulate"});
  }
}

TEST(InfoEmbed, ShowsMapAndCosts) {
  const Finished torus = lockstep("info hypercube:3 --embed torus:2x4");
  EXPECT_EQ(torus.exit_code, 0) << torus.err;
  for (const std::string part : {"0:0 1:1 2:3 3:2 4:4 5:5 6:7 7:6", "at most 1 link of the host", "Saad & Schultz",
                                 "run --machine hypercube:3 --embed torus:2x4"}) {
    EXPECT_NE(torus.out.find(part), std::string::npos) << part << "\n" << torus.out;
  }
  const Json cycles = Json::parse(lockstep("info rh:3,2 --embed ccc:4 --json -").out)["embedding"];
  EXPECT_EQ(cycles["guest_processors"], 64);
  EXPECT_EQ(cycles["dilation"], 1);
  EXPECT_EQ(cycles["congestion"], 1);
  EXPECT_EQ(cycles["expansion"]["value"], 2.0);
  EXPECT_EQ(cycles["places"].size(), 64U);
  const Json cube = Json::parse(lockstep("info rh:5,2 --embed hypercube:9 --json -").out)["embedding"];
  EXPECT_EQ(cube["average_dilation"]["exact"], "17/9");
  EXPECT_EQ(cube["dilation"], 5);
  const Finished tree = lockstep("info rh:3,2 --embed binary-tree");
  EXPECT_NE(tree.out.find("none: no machine"), std::string::npos) << tree.out;
}

// Grama et al. 2003, 2.7.1: sqrt(p) / 2 links of the hypercube share a link of a mesh, sqrt(p) + 1 of the mesh one of a
// linear array; a mesh with a side of even length has a Hamiltonian cycle.
TEST(InfoEmbed, ShowsHypercubesInMeshesAndMeshesInRings) {
  const auto costs = [](const std::string& arguments) {
    const Json shown = Json::parse(lockstep("info " + arguments + " --json -").out)["embedding"];
    return std::vector<int>{shown["dilation"], shown["congestion"]};
  };
  EXPECT_EQ(costs("mesh:4x4 --embed hypercube:4"), (std::vector<int>{3, 2}));
  EXPECT_EQ(costs("ring:16 --embed mesh:4x4"), (std::vector<int>{7, 5}));
  EXPECT_EQ(costs("mesh:4x4 --embed ring:16"), (std::vector<int>{1, 1}));
  EXPECT_EQ(costs("torus:4x4 --embed hypercube:4"), (std::vector<int>{1, 1}));
  EXPECT_EQ(costs("hypercube:4 --embed shuffle-exchange:4")[0], 4);
  const Finished shuffled = lockstep("info mesh:4x4 --embed hypercube:4 --map shuffled");
  EXPECT_NE(shuffled.out.find("shuffled row-major"), std::string::npos) << shuffled.out;
  EXPECT_NE(shuffled.out.find("--embed hypercube:4 --map shuffled"), std::string::npos) << shuffled.out;
}

// In a mesh of lines of 5 a path goes back and forth: its processor 7 is in the middle of the second line, its 5 at the
// right end, where the rows' order has 9.
TEST(CarriedRun, ShowsWhereTheGuestsRanksAre) {
  const std::string run = "run --machine torus:3x5 --algorithm ";
  const Json report =
      Json::parse(lockstep(run + "broadcast/bfs-tree --embed path:15 --root 5 --json -").out, nullptr, false);
  EXPECT_EQ(report["algorithm"]["parameters"]["root"], 5);
  EXPECT_EQ(report["carried"]["root"], 9);
  EXPECT_EQ(report["carried"]["source"], nullptr);
  const auto shows = [&](const std::string& flags, const std::string& text) {
    const std::string out = lockstep(run + flags).out;
    // Long lines are wrapped.
    const std::string joined = std::regex_replace(out, std::regex("\\s+"), " ");
    EXPECT_NE(joined.find(text), std::string::npos) << out;
  };
  shows("broadcast/bfs-tree --embed path:15 --root 14",
        "times its own steps; root 14 is rank 14 of torus:3x5 algorithm");
  shows("broadcast/bfs-tree --embed path:15 --root 9", "times its own steps; root 9 is rank 5 of torus:3x5 algorithm");
  shows("send/store-and-forward --embed path:15 --source 5 --destination 7",
        "; source 5 is rank 9, destination 7 is rank 7 of torus:3x5 algorithm");
  shows("allgather/bfs-tree --embed path:15", "times its own steps algorithm");
}

class MappedGuest : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    std::ofstream(directory_.file("places.txt")) << text;
    return directory_.file("places.txt");
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(MappedGuest, StandsWhereTheFileHasIt) {
  const std::string map = " --map " + file("# a ring of 8 round a mesh\n0\n1\n2\n3\n7\n6\n5\n4\n");
  const Json shown = Json::parse(lockstep("info mesh:2x4 --embed ring:8 --json -" + map).out)["embedding"];
  EXPECT_EQ(shown["places"], Json({0, 1, 2, 3, 7, 6, 5, 4}));
  EXPECT_EQ(shown["dilation"], 1);
  EXPECT_EQ(shown["congestion"], 1);
  EXPECT_NE(shown["map"].get<std::string>().find("as in the file"), std::string::npos);
  // Each of its links is one of the mesh: 7 steps, as on a ring.
  const Json run = run_json("mesh:2x4", "allgather/daisy-chain", "--embed ring:8" + map);
  EXPECT_EQ(run["counted"]["steps"], 7);
  EXPECT_EQ(run["predicted"]["steps"]["value"], 7);
  EXPECT_EQ(run["measures"]["dilation"], 1);
  const Json rows =
      Json::parse(lockstep("compare --operation allgather --machine mesh:2x4 --embed ring:8 --ports one --json -" + map)
                      .out)["rows"];
  const auto chain = std::ranges::find_if(rows, [](const Json& row) {
    return row.value("guest", "") == "ring:8" && row["algorithm"] == "allgather/daisy-chain";
  });
  ASSERT_NE(chain, rows.end());
  EXPECT_EQ((*chain)["figures"]["steps"], 7);
  // A permutation of the machine's own ranks.
  const Json own = run_json("mesh:2x4", "broadcast/axis", "--embed mesh:2x4" + map);
  EXPECT_EQ(own["verified"], true);
}

TEST_F(MappedGuest, IsRefusedWhereTheFileIsWrong) {
  const std::string map = file("0\n1\n1\n");
  for (const std::string command :
       {"info ring:4", "run --machine ring:4 --algorithm barrier/tree",
        "trace --machine ring:4 --algorithm barrier/tree", "plan --machine ring:4 --algorithm broadcast/k-nomial",
        "judge --machine ring:4 --algorithm barrier/dissemination --seeds 0"}) {
    const std::vector<std::string> said{"places.txt, line 3", "rank 1 is given twice"};
    if (command.starts_with("run") || command.starts_with("trace")) {
      expect_refused(lockstep(command + " --embed hypercube:2 --map " + map), said);
    } else {
      expect_refused(lockstep(command + " --embed complete:4 --map " + map), said);
    }
  }
}

// Round a ring the binomial tree's messages wait and cross several links: 4 + 2 + 1 steps.
TEST(EmbeddedGuest, IsTracedLinkByLink) {
  const Finished trace = lockstep("trace --machine ring:8 --embed complete:8 --algorithm broadcast/k-nomial");
  EXPECT_EQ(trace.exit_code, 0) << trace.err;
  EXPECT_NE(trace.out.find("broadcast/k-nomial of complete:8 on ring:8"), std::string::npos) << trace.out;
  EXPECT_NE(trace.out.find("cycle 3: 1 message\n  3 ──▶ 4   port 0, 1 word, block 0, time 6 to 8"), std::string::npos)
      << trace.out;
  EXPECT_NE(trace.out.find("7 steps"), std::string::npos) << trace.out;
  const Json report =
      Json::parse(lockstep("trace --machine ring:8 --embed complete:8 --algorithm broadcast/k-nomial --json -").out,
                  nullptr, false);
  EXPECT_EQ(report["counted"]["messages"], 4 + 2 * 2 + 4);
  // Beside a method of the machine itself, on one page.
  const TemporaryDirectory directory;
  const Finished page = lockstep(
      "trace --machine ring:8 --embed complete:8 --algorithm broadcast/k-nomial --against broadcast/two-way --against "
      "broadcast/bine@path:8 --html " +
      directory.file("page.html"));
  EXPECT_EQ(page.exit_code, 0) << page.err;
  // With arithmetic the last message still arrives when the run ends.
  const Finished costly =
      lockstep("trace --machine path:4 --embed hypercube:2 --algorithm reduce/tree --flop 3 --words 2");
  EXPECT_EQ(costly.exit_code, 0) << costly.err;
}

TEST(EmbeddedGuest, HasASchedule) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("schedule.json");
  for (const std::string run : {"--machine ring:8 --embed hypercube:3 --algorithm alltoall/exchange",
                                "--machine mesh:2x4 --embed hypercube:3 --algorithm broadcast/sbt --root 3",
                                "--machine mesh:2x4 --emulate hypercube --algorithm gather/sbt --root 6",
                                "--machine torus:2x4 --embed complete:8 --algorithm broadcast/k-nomial --root 5"}) {
    const Finished plan = lockstep("plan " + run + " --output " + file);
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    const Json valid = Json::parse(lockstep("validate " + file + " --json -").out, nullptr, false);
    EXPECT_EQ(valid["verified"], true) << run;
    const Json own = Json::parse(lockstep("run " + run + " --json -").out, nullptr, false);
    EXPECT_EQ(valid["counted"]["steps"], own["counted"]["steps"]) << run;
    EXPECT_EQ(valid["counted"]["words"], own["counted"]["words"]) << run;
  }
  const std::string on_ring = "plan --machine ring:8 --embed complete:8 --algorithm ";
  expect_refused(lockstep(on_ring + "allreduce/ring"), {"plan with --embed", "combines"});
  expect_refused(lockstep(on_ring + "broadcast/k-nomial --format msccl"), {"plan with --embed", "--format lockstep"});
  expect_refused(lockstep(on_ring + "broadcast/k-nomial --switching cut-through"),
                 {"plan with --embed", "cut-through"});
  expect_refused(lockstep("plan --machine ring:8 --embed complete:4 --algorithm broadcast/k-nomial"),
                 {"plan with --embed", "4 of the 8"});
}

// Recursive doubling exchanges over one dimension of the cube a step: 4 steps, the bound.
TEST(EmbeddedGuest, IsJudged) {
  const Finished judged = lockstep(
      "judge --machine hypercube:4 --embed complete:16 --algorithm allreduce/recursive-doubling --seeds 1 --json -");
  EXPECT_EQ(judged.exit_code, 0) << judged.err;
  const Json size = Json::parse(judged.out)["sizes"][0];
  EXPECT_EQ(size["steps"], 4);
  EXPECT_EQ(size["guest"], "complete:16");
  EXPECT_EQ(size["verdict"], "right");
  EXPECT_EQ(size["complaints"], Json::array());
  const Finished moved = lockstep(
      "judge --machine mesh:2x4 --embed hypercube:3 --algorithm scatter/sbt --root 3 --seeds 1 --machine path:8 "
      "--quiet");
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
  expect_refused(lockstep("judge --embed complete:4 --algorithm barrier/dissemination"),
                 {"judge needs --machine, the host of complete:4"});
}

// 16 processors of the complete graph: none on 8; the ring of 16 has them all, that of 32 more than them.
TEST(EmbeddedGuest, TakesPartInASweepOverMachines) {
  const Finished sweep = lockstep(
      "sweep --operation broadcast --machine ring:8..32*2 --embed complete:16 --vary words=1,2 --ports one --jsonl -");
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  std::map<std::string, std::set<std::string>> guests;  // of each machine, "refused" for refused ones
  std::istringstream lines(sweep.out);
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    if (!row.contains("guest")) continue;
    guests[row["machine"]].insert(row.contains("figures") ? row["algorithm"].get<std::string>() : "refused");
    if (row["machine"] == "ring:8") {
      EXPECT_EQ(row["reason"], "ring:8 has 8 processors, too few for complete:16, which has 16");
    }
  }
  EXPECT_EQ(guests["ring:8"], std::set<std::string>{"refused"});
  EXPECT_TRUE(guests["ring:16"].contains("broadcast/k-nomial"));
  EXPECT_TRUE(guests["ring:32"].contains("broadcast/k-nomial"));
  const Finished table =
      lockstep("sweep --operation broadcast --machine ring:8..16*2 --embed complete:16 --ports one --predict");
  EXPECT_NE(table.out.find("k-nomial on complete:16"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("Left out: complete:16 on ring:8: ring:8 has 8 processors"), std::string::npos) << table.out;
}

// With one word, 4 steps of recursive doubling cost 4 (beta + tau) = 8, half of any tree's way up and down; over the
// dimensions it is the cube's own.
TEST(EmbeddedGuest, CanBeBest) {
  const Json best = Json::parse(
      lockstep("best --operation allreduce --machine hypercube:4 --embed complete:16 --words 1..4 --ports one --json -")
          .out,
      nullptr, false);
  EXPECT_EQ(best["ranges"][0]["name"], "dimension-exchange");
  EXPECT_EQ(best["ranges"][0]["as_good"], (Json{"recursive-doubling on complete:16", "gossip-sums"}));
  EXPECT_EQ(best["ranges"][0]["first"]["figure"], 8);
  EXPECT_EQ(best["not_predicted"], Json::array());
  const Finished large = lockstep(
      "best --operation allreduce --machine hypercube:4 --embed complete:16 --words 1..1e7*10 --ports one --no-run");
  EXPECT_NE(large.out.find("Not compared at some values beyond about that in brackets"), std::string::npos)
      << large.out;
}

// A torus of sides of 4 is a hypercube: the emulated steps are its own.
TEST(EmbeddedGuest, EmulatesTheHypercubeOnOtherMachines) {
  const Json torus = run_json("torus:4x4", "sort/bitonic", "--emulate hypercube --words 2");
  EXPECT_EQ(torus["carried"]["guest"], "hypercube:4");
  EXPECT_EQ(torus["carried"]["slowdown"], 1.0);
  EXPECT_EQ(torus["counted"]["steps"], 4 * 5 / 2);
  const Json ring = run_json("ring:16", "sort/bitonic", "--emulate hypercube --words 2");
  EXPECT_EQ(ring["verified"], true);
  EXPECT_EQ(ring["digest"].is_string(), true);
  EXPECT_EQ(ring["measures"]["guest_steps"], 10);
  EXPECT_EQ(ring["measures"]["dilation"], 7);
}

TEST(InfoEmbed, RefusesWhatMakesNoSense) {
  expect_refused(lockstep("info torus:4x4 --embed ring:17"), {"torus:4x4 has 16 processors, too few for ring:17"});
  expect_refused(lockstep("info torus:4x4 --map snake"), {"--map", "--embed"});
  expect_refused(lockstep("info torus:4x4 --embed ring:16 --map nowhere"), {"--map cannot read 'nowhere'", "shuffled"});
  expect_refused(lockstep("info hypercube:5 --embed torus:4x8 --dot -"), {"--embed", "not as a graph"});
  expect_refused(lockstep("info hypercube:5 --embed torus:4x8 --status"), {"--status", "--embed"});
  expect_refused(lockstep("info hypercube:5 --embed torus:4x"), {"torus:4x"});
  expect_refused(lockstep("info hypercube:30 --embed torus:32768x32768"), {"16,777,216"});
  expect_refused(lockstep("info hypercube:5 --embed="), {"--embed"});
}

}  // namespace
}  // namespace lockstep::test::carried_test
