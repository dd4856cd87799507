// --emulate and --embed: the methods of one machine on another, and the embeddings in info.
#include <gtest/gtest.h>

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
  EXPECT_EQ(report["lower_bound"]["steps"], nullptr);  // that is the torus's
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
  expect_refused(lockstep(run + "torus:4x4 --emulate hypercube"), {"reduced hypercubes (rh:K,N)", "torus:4x4"});
  expect_refused(lockstep(run + "rh:2,1 --emulate torus"), {"--emulate 'torus'", "hypercube"});
  expect_refused(lockstep(run + "hypercube:4 --embed hypercube:4"), {"needs no embedding in itself"});
  expect_refused(lockstep(run + "hypercube:4 --embed binary-tree"), {"no method runs on it"});
  expect_refused(lockstep(run + "hypercube:4 --embed torus:4x4"), {"broadcast/sbt", "hypercube"});
  expect_refused(lockstep(run + "hypercube:4 --embed torus:8x4"), {"hypercube:5"});
  expect_refused(lockstep(run + "bus:4 --embed ring:4"), {"nothing can be embedded in bus:4"});
  expect_refused(lockstep(run + "rh:2,1 --emulate hypercube --ports one-strict"), {"--ports one and all"});
  expect_refused(lockstep(run + "rh:2,1 --emulate hypercube --duplex half-node"), {"--duplex full"});
  expect_refused(lockstep("run --machine rh:2,1 --emulate hypercube --algorithm broadcast/drbt --order cross-first"),
                 {"--order"});
  expect_refused(lockstep(run + "rh:40,3 --emulate hypercube"), {"rh:40,3"});
  for (const std::string command : {"plan", "trace", "compare --operation broadcast", "sweep --operation broadcast"}) {
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

TEST(InfoEmbed, RefusesWhatMakesNoSense) {
  expect_refused(lockstep("info torus:4x4 --embed ring:4"),
                 {"no embedding of ring:4 in torus:4x4", "torus holds complete:N"});
  expect_refused(lockstep("info hypercube:5 --embed torus:4x8 --dot -"), {"--embed", "not as a graph"});
  expect_refused(lockstep("info hypercube:5 --embed torus:4x8 --status"), {"--status", "--embed"});
  expect_refused(lockstep("info hypercube:5 --embed torus:4x"), {"torus:4x"});
  expect_refused(lockstep("info hypercube:30 --embed torus:32768x32768"), {"16,777,216"});
  expect_refused(lockstep("info hypercube:5 --embed="), {"--embed"});
}

}  // namespace
}  // namespace lockstep::test::carried_test
