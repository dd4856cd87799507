// --stage-cost: the cost of passes through a network of stages.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::stage_cost_test {
namespace {

using Json = nlohmann::json;

constexpr double beta = 3;
constexpr double tau = 0.5;
constexpr double stage_cost = 2;

double synchronous(const Json& report) { return report["modelled_time"]["synchronous"].get<double>(); }

// A step over 2^n lines is a pass of n stages: S (beta + n stage-cost) + W tau.
TEST(StageCost, IsPaidByEveryPassForEveryStage) {
  for (unsigned n = 0; n <= 5; ++n) {
    const double k = 1U << n;
    for (const std::string family : {"omega", "inverse-omega", "indirect-cube", "data-manipulator"}) {
      const std::string machine = family + ":" + std::to_string(1U << n);
      const Json report = run_json(machine, "allgather/doubling", "--words 7 --beta 3 --tau 0.5 --stage-cost 2");
      const double time = n * (beta + n * stage_cost) + (k - 1) * 7 * tau;
      EXPECT_DOUBLE_EQ(synchronous(report), time) << machine;
      EXPECT_DOUBLE_EQ(report["modelled_time"]["asynchronous"].get<double>(), time) << machine;
      EXPECT_DOUBLE_EQ(report["modelled_time"]["predicted"].get<double>(), time) << machine;
      EXPECT_EQ(report["model"]["beta"], beta);
      EXPECT_EQ(report["model"]["stage_cost"], stage_cost);
    }
  }
}

// Packets of 4 words: a message of 10 is three start-ups, each a pass.
TEST(StageCost, IsPaidByEveryPacket) {
  const Json report = run_json("omega:8", "send/direct", "--words 10 --max-packet 4 --beta 3 --tau 0.5 --stage-cost 2");
  EXPECT_DOUBLE_EQ(synchronous(report), 3 * (beta + 3 * stage_cost) + 10 * tau);
}

// (nu + 6) (1 + 3 c) + (6 ceil(64/nu) + 64): the best number of packets falls as stages cost more.
TEST(StageCost, DecidesOnPacketsAsBetaDoes) {
  const auto packets = [](const std::string& costs) {
    return run_json("omega:8", "broadcast/ring", "--words 64 " + costs)["algorithm"]["parameters"]["packets"];
  };
  EXPECT_EQ(packets("--stage-cost 5"), packets("--beta 16"));
  EXPECT_NE(packets("--stage-cost 5"), packets(""));
}

TEST(StageCost, IsZeroUnlessGiven) {
  EXPECT_EQ(run_json("omega:8", "send/direct")["model"]["stage_cost"], 0.0);
  const Json report = run_json("omega:8", "send/direct", "--stage-cost 0");
  EXPECT_DOUBLE_EQ(synchronous(report), 2);
}

TEST(StageCost, IsShownInTheReportForPeople) {
  const Finished run = lockstep("run --machine omega:8 --algorithm send/direct --stage-cost 2");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("beta 1 a start-up, tau 1 a word, 2 a stage: 7 a start-up in all"), std::string::npos)
      << run.out;
}

TEST(StageCost, IsRefusedWhereThereAreNoStages) {
  for (const std::string machine : {"switch:8", "bus:8", "shared:8,kstar=2", "hypercube:3"}) {
    const std::string method = machine == "hypercube:3" ? "broadcast/sbt" : "send/direct";
    const Finished run = lockstep("run --machine " + machine + " --algorithm " + method + " --stage-cost 1");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err,
              "lockstep: --stage-cost is for networks of stages (omega, inverse-omega, indirect-cube, "
              "data-manipulator); " +
                  machine + " has no stages\n");
  }
  const Finished run = lockstep("run --machine omega:8 --algorithm send/direct --stage-cost -1");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--stage-cost '-1'"), std::string::npos) << run.err;
}

TEST(StageCost, IsVariedInSweeps) {
  const Finished run =
      lockstep("sweep --operation broadcast --machine omega:8 --words 64 --vary stage-cost=0..8 --predict --csv -");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("stage_cost"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::test::stage_cost_test
