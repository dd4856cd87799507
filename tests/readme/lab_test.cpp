// The programs of the lab and of the tutorial: solutions are right and take the steps worked out by hand, mistakes are
// found, and a family that a program adds does not change the others.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "documents.hpp"

namespace lockstep::test::lab_test {
namespace {

using Json = nlohmann::json;

Json judgement(const std::string& line) { return Json::parse(give_where_shown(line + " --json - 2>&-").output); }

TEST(Lab, SolutionsAreRightAndTakeTheStepsWorkedOutByHand) {
  const Json judged = judgement("build/release/lab judge --seeds 3");
  std::map<std::string, std::map<std::string, std::uint64_t>> steps;
  for (const Json& size : judged.at("sizes")) {
    EXPECT_TRUE(size.at("right_data")) << size;
    steps[size.at("algorithm")][size.at("machine")] = size.at("steps");
  }
  EXPECT_EQ(judged.at("status"), "right");
  const std::map<std::string, std::map<std::string, std::uint64_t>> expected{
      {"broadcast/round", {{"ring:1", 0}, {"ring:2", 1}, {"ring:3", 2}, {"ring:8", 7}}},
      {"broadcast/two-sides", {{"ring:1", 0}, {"ring:2", 1}, {"ring:3", 2}, {"ring:8", 4}}},
      {"broadcast/dimensions", {{"hypercube:0", 0}, {"hypercube:1", 1}, {"hypercube:3", 3}, {"hypercube:6", 6}}},
      {"broadcast/tree", {{"hypercube:0", 0}, {"hypercube:1", 1}, {"hypercube:3", 3}, {"hypercube:6", 6}}},
      {"allgather/round", {{"ring:1", 0}, {"ring:2", 1}, {"ring:3", 2}, {"ring:8", 7}}},
      {"allgather/exchange", {{"hypercube:0", 0}, {"hypercube:1", 1}, {"hypercube:3", 3}, {"hypercube:6", 6}}},
      {"alltoall/combined", {{"hypercube:0", 0}, {"hypercube:1", 1}, {"hypercube:3", 3}, {"hypercube:6", 6}}},
      {"alltoall/one-by-one", {{"hypercube:0", 0}, {"hypercube:1", 1}, {"hypercube:3", 12}, {"hypercube:6", 192}}},
      {"scan/in-order", {{"hypercube:0", 0}, {"hypercube:1", 1}, {"hypercube:3", 3}, {"hypercube:6", 6}}},
      {"sort/odd-even", {{"path:1", 0}, {"path:2", 1}, {"path:7", 7}, {"path:16", 16}}},
      {"barrier/comb", {{"comb:1", 2}, {"comb:2", 4}, {"comb:8", 16}}}};
  EXPECT_EQ(steps, expected);
}

TEST(Lab, SolutionsAreRightForOthersThanTheDefaults) {
  for (const std::string flags :
       {"broadcast/two-sides --machine ring:7,ring:8 --root 3",
        "broadcast/dimensions --machine hypercube:4 --root 5 --words 40",
        "broadcast/tree --machine hypercube:4 --root 5 --ports all",
        "scan/in-order --machine hypercube:0..4 --operator matrix2", "sort/odd-even --machine path:2..9 --words 5",
        "barrier/comb --arrivals 9 --ports all"}) {
    const Given given = give_where_shown("build/release/lab judge --seeds 2 --algorithm " + flags);
    EXPECT_EQ(given.exit_code, 0) << given.output;
  }
}

TEST(Lab, AnnMeetsTheDiameterAndBenGoesAllTheWayRound) {
  for (const auto& [program, steps] :
       std::map<std::string, std::vector<std::uint64_t>>{{"ann", {2, 4, 6, 8}}, {"ben", {2, 6, 10, 14}}}) {
    const Json judged = judgement("build/release/" + program + " judge --seeds 2");
    std::vector<std::uint64_t> counted;
    for (const Json& size : judged.at("sizes")) {
      EXPECT_TRUE(size.at("right_data")) << size;
      counted.push_back(size.at("steps"));
    }
    EXPECT_EQ(counted, steps) << program;
  }
}

TEST(Lab, EveryMistakeIsFoundOut) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"allgather/waits-first --machine ring:4", "ring:4: deadlock in cycle 0: rank 0 waits on port 1 for rank 3"},
      {"broadcast/all-at-once --machine hypercube:3", "cycle 0, rank 0, ports 0 and 1: a second send in one cycle"},
      {"allgather/stops-early --machine ring:8", "rank 0 lacks the block of rank 1, which rank 7 got last"},
      {"scan/out-of-order --machine hypercube:3 --operator matrix2", "wrong data"},
      {"allgather/board --machine ring:8", "it must have looked at another processor's data"},
      {"broadcast/turns --machine hypercube:5", "depends on the schedule"},
      {"broadcast/never-ends --machine ring:3 --time-limit 1", "rank programs did not end within 1 s"}};
  for (const auto& [flags, complaint] : mistakes) {
    const Given given = give_where_shown("build/release/mistakes judge --algorithm " + flags);
    EXPECT_EQ(given.exit_code, 1) << flags;
    EXPECT_NE(given.output.find(complaint), std::string::npos) << given.output;
  }
  const Given given =
      give_where_shown("build/asan/mistakes judge --algorithm broadcast/reference --machine hypercube:3 --words 100");
  EXPECT_EQ(given.exit_code, 1);
  EXPECT_NE(given.output.find("AddressSanitizer: heap-use-after-free"), std::string::npos) << given.output;
}

TEST(Tutorial, CountsOnEveryWheelWhatItPredicts) {
  for (const std::string wheel : {"3", "4", "5", "16"}) {
    for (const std::string root : {"0", "1", "3"}) {
      EXPECT_EQ(give_where_shown("build/release/wheel run --quiet --algorithm broadcast/over-the-hub --machine wheel:" +
                                 wheel + " --root " + root)
                    .exit_code,
                0)
          << wheel << " from " << root;
    }
  }
  for (const std::string machine : {"wheel:3", "wheel:9", "ring:1", "ring:2", "torus:3x4", "hypercube:5"}) {
    EXPECT_EQ(give_where_shown("build/release/wheel run --quiet --algorithm neighbour-sum/at-once --machine " + machine)
                  .exit_code,
              0)
        << machine;
  }
  EXPECT_EQ(
      give_where_shown("build/release/wheel info wheel:2").output,
      "lockstep: machine \"wheel:2\": a rim has at least 3 processors; write wheel:N, N from 3 up, e.g. wheel:6\n");
}

TEST(Tutorial, AddsAFamilyThatLeavesTheNamesOfTheOthers) {
  const Json listed = Json::parse(give_where_shown("build/release/wheel list --json 2>&-").output);
  std::vector<std::string> names;
  for (const Json& machine : listed.at("machines")) names.push_back(machine.at("family"));
  EXPECT_EQ(names.back(), "wheel");
  for (const Json& algorithm : listed.at("algorithms")) {
    for (const std::string family : algorithm.at("families")) {
      EXPECT_NE(std::find(names.begin(), names.end(), family), names.end()) << algorithm.at("name") << " on " << family;
    }
  }
}

}  // namespace
}  // namespace lockstep::test::lab_test
