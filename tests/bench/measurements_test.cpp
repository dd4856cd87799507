#include "measurements.hpp"

#include <gtest/gtest.h>

namespace lockstep::bench::measurements_test {
namespace {

/// Runs of ten messages on five processors.
Timing run_of(double seconds, std::uint64_t peak_bytes = 0) {
  return {
      .setup_seconds = 2 * seconds, .run_seconds = seconds, .messages = 10, .processors = 5, .peak_bytes = peak_bytes};
}

TEST(Measurements, NameABenchmarkByKernelContenderThreadsAndSize) {
  EXPECT_EQ(benchmark_name("E", "lockstep", 2, 16), "E/lockstep/2/16");
}

TEST(Measurements, HaveNoValueWhereNothingWasMeasured) {
  const Measurements measurements;
  EXPECT_FALSE(measurements.value("E", Quantity::run));
  EXPECT_FALSE(measurements.value("E", Quantity::memory));
  EXPECT_FALSE(measurements.setup_seconds("E"));
  EXPECT_TRUE(measurements.spreads().empty());
}

TEST(Measurements, TellTimesAMessageAndBytesAProcessor) {
  Measurements measurements;
  measurements.add("E", run_of(3e-6, 400));
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::run), 300);
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::setup), 600);
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::memory), 80);
  EXPECT_DOUBLE_EQ(*measurements.setup_seconds("E"), 6e-6);
  EXPECT_FALSE(measurements.value("S", Quantity::run));
}

TEST(Measurements, TellOfMethodsTheTimeAWordAndOfTheVerification) {
  Measurements measurements;
  measurements.add("E", {.run_seconds = 3e-6, .verify_seconds = 2e-6, .messages = 10, .words = 100, .processors = 5});
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::word), 30);
  EXPECT_DOUBLE_EQ(*measurements.run_seconds("E"), 3e-6);
  EXPECT_DOUBLE_EQ(*measurements.verify_seconds("E"), 2e-6);
}

TEST(Measurements, KeepInstructions) {
  Measurements measurements;
  measurements.set_instructions("E", 150);
  EXPECT_EQ(measurements.instructions("E"), 150);
  EXPECT_FALSE(measurements.instructions("F"));
}

TEST(Measurements, TakeTheFirstQuartileOfTimesAndTheMostOfMemory) {
  Measurements measurements;
  for (const double microseconds : {9, 2, 7, 1, 5}) measurements.add("E", run_of(microseconds * 1e-6, 50));
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::run), 200);  // 1 2 | 5 7 9
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::setup), 400);
  measurements.add("E", run_of(4e-6, 75));
  EXPECT_DOUBLE_EQ(*measurements.value("E", Quantity::memory), 15);
}

TEST(Measurements, TellHowFarTimesScatter) {
  Measurements measurements;
  for (const double microseconds : {9, 2, 7, 1, 5}) measurements.add("wide", run_of(microseconds * 1e-6));
  for (int repetition = 0; repetition < 5; ++repetition) measurements.add("narrow", run_of(1e-6));
  const auto spreads = measurements.spreads();
  ASSERT_EQ(spreads.size(), 2U);
  EXPECT_EQ(spreads[0].benchmark, "narrow");
  EXPECT_DOUBLE_EQ(spreads[0].share, 0);
  EXPECT_EQ(spreads[1].benchmark, "wide");
  EXPECT_DOUBLE_EQ(spreads[1].share, 1.5);  // from 2 to 5
}

}  // namespace
}  // namespace lockstep::bench::measurements_test
