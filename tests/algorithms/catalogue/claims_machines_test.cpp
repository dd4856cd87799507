// What Saad & Schultz 1988, section 4, conclude of their six machines, measured: each operation by its best method on
// 64 processors. Also their optimal number of packets, where it is a whole number.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "built_machine.hpp"

namespace lockstep::claims_machines_test {
namespace {

using Methods = std::map<std::string, std::vector<std::string>>;  // by machine

constexpr std::uint64_t k = 64;

const std::string cube = "hypercube:6";
const std::string ring = "ring:64";
const std::string grid = "torus:8x8";
const std::string bus = "bus:64";
const std::string memory = "shared:64,kstar=1";
const std::string crossbar = "switch:64";

const Methods sends{{cube, {"send/pipelined", "send/disjoint-paths"}},
                    {ring, {"send/pipelined", "send/disjoint-paths"}},
                    {grid, {"send/pipelined", "send/disjoint-paths"}},
                    {bus, {"send/direct"}},
                    {memory, {"send/direct"}},
                    {crossbar, {"send/direct"}}};
const Methods broadcasts{
    {cube, {"broadcast/sbt", "broadcast/sbt-pipelined"}},
    {ring, {"broadcast/one-way", "broadcast/two-way"}},
    {grid, {"broadcast/axis", "broadcast/two-phase", "broadcast/two-streams", "broadcast/two-streams-late"}},
    {bus, {"broadcast/direct"}},
    {memory, {"broadcast/direct"}},
    {crossbar, {"broadcast/ring", "broadcast/doubling", "broadcast/tree"}}};
const Methods allgathers{{cube, {"allgather/daisy-chain", "allgather/adea", "allgather/tea1", "allgather/tea2"}},
                         {ring, {"allgather/daisy-chain"}},
                         {grid, {"allgather/daisy-chain", "allgather/two-pass"}},
                         {bus, {"allgather/direct"}},
                         {memory, {"allgather/direct"}},
                         {crossbar, {"allgather/daisy-chain", "allgather/doubling"}}};
const Methods scatters{{cube, {"scatter/sbt"}},       {ring, {"scatter/two-way"}},
                       {grid, {"scatter/two-phase"}}, {bus, {"scatter/direct", "scatter/direct-one-message"}},
                       {memory, {"scatter/direct"}},  {crossbar, {"scatter/shift"}}};
const Methods alltoalls{{cube, {"alltoall/exchange", "alltoall/rotated-sbt"}},
                        {ring, {"alltoall/rotate-drop"}},
                        {grid, {"alltoall/two-phase"}},
                        {bus, {"alltoall/direct"}},
                        {memory, {"alltoall/direct"}},
                        {crossbar, {"alltoall/exchange"}}};

double time_of(const BuiltMachine& machine, const std::string& method, Settings settings, double beta, double tau) {
  Model model = machine.method(method).defaults;
  model.cost.beta = beta;
  model.cost.tau = tau;
  const Outcome outcome = machine.run(method, model, std::move(settings));
  EXPECT_EQ(outcome.wrong, "") << method << " on " << machine.spec.text;
  return outcome.report.time_synchronous;
}

/// The synchronous time of each machine's best method.
std::map<std::string, double> times(const Methods& methods, std::uint64_t words, double beta, double tau) {
  std::map<std::string, double> best;
  for (const auto& [machine, names] : methods) {
    const BuiltMachine built(machine);
    best[machine] = std::numeric_limits<double>::infinity();
    for (const std::string& method : names) {
      Settings settings;
      settings.words = words;
      best[machine] = std::min(best[machine], time_of(built, method, settings, beta, tau));
    }
  }
  return best;
}

void expect_fastest(const std::string& winner, const std::map<std::string, double>& times) {
  for (const auto& [machine, time] : times) {
    if (machine == winner) continue;
    EXPECT_LT(times.at(winner), time) << machine;
  }
}

constexpr std::uint64_t many = 8 * k * k;  // words of the whole operation, N

TEST(MachineClaims, LargeDataMovesFastestOnTheHypercube) {
  expect_fastest(cube, times(sends, many, 1, 1));
  expect_fastest(cube, times(allgathers, many / k, 1, 1));
  expect_fastest(cube, times(alltoalls, many / (k * k), 1, 1));
}

// "Clearly best performed by a broadcast bus": of compared with machines that send everything over one link of the
// root. The grid's two streams leave over four links, half of the data over two each, and take about half the time.
TEST(MachineClaims, LargeDataIsBroadcastFastestOnTheBusButForTwoStreamsOnTheGrid) {
  auto time = times(broadcasts, many, 1, 1);
  EXPECT_LT(time.at(grid), 0.6 * time.at(bus));
  Methods one_stream = broadcasts;
  one_stream.at(grid) = {"broadcast/axis", "broadcast/two-phase"};
  time = times(one_stream, many, 1, 1);
  expect_fastest(bus, time);
  EXPECT_DOUBLE_EQ(time.at(bus), 1 + static_cast<double>(many));  // beta + N tau
}

// The paper's exception is the broadcast alone. By its own formulas a scatter is another exception (B-25): the roots of
// ring and grid send over several links at once, half of the data or little more over each.
TEST(MachineClaims, LargeDataIsScatteredFasterOnRingAndGridThanOnTheHypercube) {
  const auto time = times(scatters, many / k, 1, 1);
  expect_fastest(ring, time);
  EXPECT_LT(time.at(grid), time.at(cube));
  const auto words = static_cast<double>(many / k);
  EXPECT_DOUBLE_EQ(time.at(ring), 32 + 32 * words);    // floor(k/2) (beta + m tau)
  EXPECT_DOUBLE_EQ(time.at(grid), 8 + 4 * 9 * words);  // 2h beta + h (s+1) m tau
  EXPECT_DOUBLE_EQ(time.at(cube), 6 + 63 * words);     // n beta + (k-1) m tau
}

// "O(k)" for ring and memory, "O(sqrt k)" for the grid, "O(log k)" for hypercube and switch, in start-ups; the bus is
// mixed.
TEST(MachineClaims, SmallDataTakesTheFewestStartUpsOnHypercubeAndSwitchAndTheMostOnRingAndMemory) {
  constexpr double start_up = 1e6;
  const auto start_ups = [&](const Methods& methods) {
    std::map<std::string, double> counted;
    for (const auto& [machine, time] : times(methods, 6, start_up, 0.001))
      counted[machine] = std::floor(time / start_up);
    return counted;
  };
  using Counted = std::map<std::string, double>;
  EXPECT_EQ(start_ups(broadcasts), (Counted{{ring, 32}, {memory, 64}, {grid, 8}, {cube, 6}, {crossbar, 6}, {bus, 1}}));
  EXPECT_EQ(start_ups(allgathers),
            (Counted{{ring, 63}, {memory, 128}, {grid, 14}, {cube, 6}, {crossbar, 6}, {bus, 64}}));
  EXPECT_EQ(start_ups(scatters), (Counted{{ring, 32}, {memory, 64}, {grid, 8}, {cube, 6}, {crossbar, 6}, {bus, 1}}));
  EXPECT_EQ(start_ups(alltoalls),
            (Counted{{ring, 63}, {memory, 128}, {grid, 14}, {cube, 6}, {crossbar, 6}, {bus, 64}}));
  EXPECT_EQ(start_ups(sends), (Counted{{ring, 32}, {memory, 2}, {grid, 8}, {cube, 6}, {crossbar, 1}, {bus, 1}}));
}

// nu = sqrt((L-1) N tau / beta) = sqrt(6 96 / 9) = 8, which divides N; then the time is (sqrt(N tau) + sqrt((L-1)
// beta))^2 = 294, which is 96 + 54 + 2 sqrt(96 54).
TEST(MachineClaims, TheBestNumberOfPacketsIsWhereTheFormulaPutsIt) {
  constexpr std::uint64_t words = 96;
  struct Pipeline {
    std::string machine;
    std::string method;
  };
  const std::vector<Pipeline> pipelines_of_seven_hops{
      {"ring:8", "broadcast/one-way"},   {"ring:15", "broadcast/two-way"},           {"ring:14", "send/pipelined"},
      {"hypercube:7", "send/pipelined"}, {"hypercube:7", "broadcast/sbt-pipelined"}, {"switch:8", "broadcast/ring"}};
  for (const auto& [machine, method] : pipelines_of_seven_hops) {
    SCOPED_TRACE(method + " on " + machine);
    const BuiltMachine built(machine);
    std::vector<std::uint64_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint64_t packets = 1; packets <= words; ++packets) {
      Settings settings;
      settings.words = words;
      settings.packets = packets;
      const double time = time_of(built, method, settings, 9, 1);
      EXPECT_GE(time, 294 - 1e-9) << packets << " packets";
      if (time < least) best.clear();
      if (time <= least) best.push_back(packets);
      least = std::min(least, time);
    }
    EXPECT_EQ(best, (std::vector<std::uint64_t>{8}));
    EXPECT_DOUBLE_EQ(least, 294);
    Settings settings;
    settings.words = words;
    EXPECT_DOUBLE_EQ(time_of(built, method, settings, 9, 1), 294);
  }
}

}  // namespace
}  // namespace lockstep::claims_machines_test
