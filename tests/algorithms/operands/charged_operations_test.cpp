// Reductions and scans are charged --flop for every word that is combined: times of the literature, and predictions
// that equal the runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep {
namespace {

constexpr double ts = 100;  // time of a start-up
constexpr double tw = 2;    // of a word on a link
constexpr double tc = 0.5;  // of a word combined

Model charged(PortModel ports = PortModel::one) {
  Model model = model_of(ports);
  model.cost.beta = ts;
  model.cost.tau = tw;
  model.cost.flop = tc;
  return model;
}

/// Expects both clocks of a run on vectors of n words, and the prediction, to show that time. Where ranks are not all
/// busy in every step, the asynchronous clock may be ahead.
void expect_time(const std::string& machine, std::string_view method, std::uint64_t n, double time,
                 bool all_are_busy = true) {
  SCOPED_TRACE(std::string(method) + " on " + machine);
  const BuiltMachine built(machine);
  const Report report = built.run(method, charged(), block_settings(n)).report;
  EXPECT_DOUBLE_EQ(report.time_synchronous, time);
  EXPECT_LE(report.time_asynchronous, time);
  if (all_are_busy) {
    EXPECT_DOUBLE_EQ(report.time_asynchronous, time);
  }
  const auto predicted = synchronous_time(built.predict(method, charged(), block_settings(n)), charged().cost);
  ASSERT_TRUE(predicted);
  EXPECT_DOUBLE_EQ(predicted->value, time);
}

// Thakur, Rabenseifner, Gropp 2005, sections 4.2 to 4.4; Chan, Heimlich, Purkayastha, van de Geijn 2007, section 6.
TEST(ChargedOperations, GiveTheTimesOfTheLiteratureOn16Ranks) {
  constexpr double n = 1024;
  constexpr double most = 15.0 / 16 * n;  // (p - 1)/p n
  const auto expect = [](std::string_view method, double time) { expect_time("switch:16", method, 1024, time); };
  expect("allreduce/rabenseifner", 2 * 4 * ts + 2 * most * tw + most * tc);  // 5,120
  expect("allreduce/circulant", 2 * 4 * ts + 2 * most * tw + most * tc);
  expect("allreduce/swing", 2 * 4 * ts + 2 * most * tw + most * tc);
  expect("allreduce/ring", 2 * 15 * ts + 2 * most * tw + most * tc);
  expect("allreduce/recursive-doubling", 4 * (ts + n * tw + n * tc));  // 10,640
  expect("reduce/binomial", 4 * (ts + n * tw + n * tc));
  expect("reduce-scatter/halving", 4 * ts + most * (tw + tc));
  expect("reduce-scatter/circulant", 4 * ts + most * (tw + tc));
  expect("reduce-scatter/pairwise", 15 * ts + most * (tw + tc));
  expect("reduce-scatter/ring", 15 * ts + most * (tw + tc));  // 3,900
  expect("scan/doubling", 4 * (ts + n * tw + n * tc));
  // Traeff 2025: distances 1, 2, 3, 6, 12. What comes first is not combined; in the second round a rank combines its
  // value with that before it sends.
  expect_time("switch:16", "exscan/123-doubling", 1024, 5 * (ts + n * tw) + n * tc + 4 * n * tc, false);
  expect_time("switch:16", "exscan/shift", 1024, 5 * (ts + n * tw) + 4 * n * tc, false);
}

TEST(ChargedOperations, AreThoseOfOneVectorForEveryRankThatIsFoldedIn) {
  constexpr double n = 1200;
  expect_time("switch:12", "reduce-scatter/ring", 1200, 11 * ts + 11.0 / 12 * n * (tw + tc));
  // Four ranks are folded into eight.
  expect_time("switch:12", "allreduce/recursive-doubling", 1200, (3 + 2) * (ts + n * tw) + (3 + 1) * n * tc, false);
  expect_time("switch:12", "allreduce/rabenseifner", 1200,
              (2 * 3 + 2) * ts + (2 * 7.0 / 8 + 2) * n * tw + (7.0 / 8 + 1) * n * tc, false);
}

TEST(ChargedOperations, AreChargedOverLinks) {
  constexpr double n = 64;
  expect_time("hypercube:4", "reduce/tree", 64, 4 * (ts + n * tw + n * tc));
  expect_time("hypercube:4", "allreduce/tree", 64, 2 * 4 * (ts + n * tw) + 4 * n * tc);
  // The upper half of every pair puts what it receives before its prefix and before the total of its subcube.
  expect_time("hypercube:4", "scan/cube", 64, 4 * (ts + n * tw + 2 * n * tc));
  expect_time("ring:16", "allreduce/ring", 64, 2 * 15 * (ts + 4 * tw) + 15 * 4 * tc);
  expect_time("torus:4x4", "allreduce/torus", 64,
              2 * (3 * (ts + 16 * tw) + 3 * (ts + 4 * tw)) + 3 * 16 * tc + 3 * 4 * tc);
}

TEST(ChargedOperations, AreNoneWhereStringsAreAppended) {
  const BuiltMachine machine("switch:4");
  Settings settings;
  settings.words = 3;
  settings.operator_name = "concat";
  EXPECT_EQ(machine.run("allreduce/recursive-doubling", charged(), settings).report.operations, 0U);
}

bool combines(const Method& method) {
  constexpr std::string_view operations[] = {"reduce", "allreduce", "reduce-scatter", "scan", "exscan"};
  return std::ranges::find(operations, method.operation) != std::end(operations);
}

// Words that the parts of vectors, and packets, cannot share evenly, and fewer words than ranks.
TEST(ChargedOperations, ArePredictedForEveryMethodAndModel) {
  for (const Case& one : catalogue_cases()) {
    const Method& method = *one.method;
    const BuiltMachine machine(one.machine);
    const std::uint64_t p = machine.spec.processors;
    if (!combines(method) || p > 32) continue;
    for (const PortModel ports : method.port_models) {
      if (ports == PortModel::ring && machine.spec.family != "ring") continue;
      Model model = charged(ports);
      model.multicast = method.defaults.multicast;
      for (const std::uint64_t words : {std::uint64_t{1}, p / 2 + 1, 5 * p + 3}) {
        for (const std::uint64_t packets : {1, 3}) {
          Settings settings = block_settings(words);
          if (packets > 1) settings.packets = packets;
          if (packets > 1 && (!takes(method, "packets") || packets > words)) continue;
          if (takes(method, "root")) settings.root = p - 1;
          if (packets > 1 && !accepts(method, machine.spec, settings)) continue;  // fewer can be combined at once
          method.resolve(machine.spec, model, settings);
          SCOPED_TRACE(std::string(method.name) + " on " + one.machine + ", " + std::string(name(ports)) + ", " +
                       std::to_string(words) + " words in " + std::to_string(packets));
          const Prediction predicted = method.predict(machine.spec, model, settings);
          const Report report = machine.run(method.name, model, settings).report;
          EXPECT_GE(report.operations, (method.operation == "exscan" ? p - 2 : p - 1) * (p > 1 ? words : 0));
          EXPECT_TRUE(synchronous_time(predicted, charged().cost));
          expect_kept(predicted, report, charged().cost);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
