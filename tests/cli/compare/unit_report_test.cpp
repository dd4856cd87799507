// `lockstep compare --per`: machines beside each other over many operations (mukherjee.md, Comparison).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "command_line.hpp"

namespace lockstep::test::unit_report_test {
namespace {

using Json = nlohmann::json;

Json report(const std::string& flags) {
  const Finished compared = lockstep("compare " + flags + " --json -");
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  return Json::parse(compared.out);
}

/// The least cost of each operation on the machine, of its tasks of several sizes.
std::map<std::string, double> costs(const Json& report, const std::string& machine) {
  std::map<std::string, double> by_operation;
  for (const Json& row : report["rows"]) {
    const std::string task = row["task"];
    if (row["machine"] != machine) continue;
    const double cost = row["cost"];
    const auto [place, is_new] = by_operation.try_emplace(task.substr(0, task.find(',')), cost);
    if (!is_new) place->second = std::min(place->second, cost);
  }
  return by_operation;
}

// RH(2,2) has 96 links and 3 ports a processor, the 6-cube 192 and 6. Steps with one port: 9 down or up a breadth-first
// tree, and as many for a gossip; a barrier of the cube is an exchange over each dimension; sort 29 by merge
// and v (v+1) / 2 = 21.
TEST(ComparePer, MultipliesTheBestStepsOfEachMachine) {
  const std::map<std::string, std::pair<double, double>> steps{
      {"broadcast", {9, 6}}, {"reduce", {9, 6}}, {"barrier", {9, 6}}, {"scan", {9, 6}}, {"sort", {29, 21}}};
  const std::map<std::string, std::pair<double, double>> units{
      {"processor", {64, 64}}, {"link", {96, 192}}, {"port", {3, 6}}};
  for (const auto& [unit, numbers] : units) {
    const Json compared = report("--machine rh:2,2 --machine hypercube:6 --predict --by steps --per " + unit);
    EXPECT_EQ(compared["per"], unit);
    EXPECT_EQ(compared["by"], "steps");
    const auto reduced = costs(compared, "rh:2,2");
    const auto cube = costs(compared, "hypercube:6");
    for (const auto& [operation, counted] : steps) {
      ASSERT_TRUE(reduced.contains(operation) && cube.contains(operation)) << operation;
      EXPECT_EQ(reduced.at(operation), counted.first * numbers.first) << operation << " per " << unit;
      EXPECT_EQ(cube.at(operation), counted.second * numbers.second) << operation << " per " << unit;
    }
    for (const Json& row : compared["rows"]) EXPECT_GE(row["ratio"], 1.0);
  }
}

// With all ports the diameter of RH(2,2), 8, is enough: 8 * 96 against 6 * 192.
TEST(ComparePer, OfABroadcastWithAllPortsIsTheDiameterOnRh22) {
  const Json compared =
      report("--machine rh:2,2 --machine hypercube:6 --operation broadcast --ports all --by steps --per link");
  ASSERT_EQ(compared["rows"].size(), 4U);  // two for methods that divide the item, a word for every processor
  for (const Json& row : compared["rows"]) {
    if (row["task"] != "broadcast, --words 1") continue;
    const bool is_cube = row["machine"] == "hypercube:6";
    EXPECT_EQ(row["cost"], is_cube ? 1152.0 : 768.0);
    EXPECT_EQ(row["ratio"], is_cube ? 1.5 : 1.0);
  }
}

TEST(ComparePer, ShowsATableAndWhatIsLeftOut) {
  const Finished compared = lockstep("compare --machine rh:2,1 --machine hypercube:4 --per link --predict");
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  for (const std::string part :
       {"time x links", "broadcast/bfs-tree", "hypercube:4 costs least in", "not on all machines", "allgather"}) {
    EXPECT_NE(compared.out.find(part), std::string::npos) << part << "\n" << compared.out;
  }
  const Finished table =
      lockstep("compare --machine rh:2,1 --machine hypercube:4 --operation reduce --per port --csv -");
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(lines(table.out).size(), 5U) << table.out;  // of one word, and of one for every processor
  EXPECT_EQ(lines(table.out).front(), "per,by,task,machine,algorithm,figure,at_most,units,cost,ratio");
}

TEST(ComparePer, RefusesWhatMakesNoSense) {
  const std::string two = "compare --machine rh:2,1 --machine hypercube:4 ";
  expect_refused(lockstep("compare --machine rh:2,1 --per link"), {"--machine twice"});
  expect_refused(lockstep(two + "--per wire"), {"--per 'wire'", "processor, link"});
  expect_refused(lockstep(two + "--per link --by links"), {"--by links"});
  expect_refused(lockstep(two + "--per link --ports one --ports all"), {"--ports"});
  expect_refused(lockstep(two + "--per link --operation scan --pattern gather"), {"--pattern"});
  expect_refused(lockstep("compare --machine bus:4 --machine hypercube:4 --per link --operation convert"),
                 {"no operation"});
  expect_refused(lockstep("compare --machine rh:2,1 --machine hypercub:4 --per link"), {"hypercub"});
  // Not only the applications, which have no --words, are left then.
  for (const std::string words : {"0", "18446744073709551615"}) {
    expect_refused(lockstep(two + "--per link --predict --words " + words),
                   {"--words " + words + " is out of range: 1 to"});
  }
  expect_refused(lockstep("compare --machine bus:4 --machine hypercube:4 --per link --pattern gather"), {"--pattern"});
  // For a machine on which none of the operation's methods can run, the reason is stated.
  expect_refused(lockstep("compare --machine hypercube:4 --machine bus:16 --per link --predict --operation broadcast "
                          "--words 5 --ports all"),
                 {"no method of broadcast can be compared on bus:16: broadcast/direct: ", "--ports"});
}

}  // namespace
}  // namespace lockstep::test::unit_report_test
