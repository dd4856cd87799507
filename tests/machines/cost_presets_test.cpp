// The numbers of the presets, typed from their sources.
#include "lockstep/machines/cost_presets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lockstep::cost_presets_test {
namespace {

const CostModel& cost_of(std::string_view name) {
  const auto found = std::ranges::find(cost_presets(), name, &CostPreset::name);
  if (found == cost_presets().end()) throw std::out_of_range(std::string(name));
  return found->cost;
}

/// Bits a second of 8-byte words.
double rate(std::string_view name) { return 64 / cost_of(name).tau; }

// Johnsson & Ho, sections 2 and 8.1: 5 ms a start-up, 1 us a byte, packets of 1 KiB, 37 ms to copy 1024 numbers.
TEST(CostPresets, Ipsc) {
  const CostModel& cost = cost_of("ipsc");
  EXPECT_DOUBLE_EQ(cost.beta, 0.005);
  EXPECT_DOUBLE_EQ(cost.tau, 4 * 0.000001);
  EXPECT_EQ(cost.max_packet_words, 1024U / 4);
  EXPECT_NEAR(cost.copy_cost, 0.037 / 1024, 5e-7);
}

// ng-mpi-tukey.dat: 13.564364 us are a round trip of one byte; a message of 4 MiB, in which start-up is lost, takes
// half of 4211.871382 us.
TEST(CostPresets, Tukey) {
  EXPECT_DOUBLE_EQ(cost_of("tukey").beta, 13.564364e-6 / 2);
  const double words = 4'194'304.0 / 8;
  EXPECT_NEAR(cost_of("tukey").beta + words * cost_of("tukey").tau, 4211.871382e-6 / 2, 0.02 * 4211.871382e-6 / 2);
}

TEST(CostPresets, Ethernet) {
  EXPECT_DOUBLE_EQ(cost_of("ethernet-10g").beta, 8.9e-6);
  EXPECT_DOUBLE_EQ(rate("ethernet-10g"), 7.6e9);
  EXPECT_DOUBLE_EQ(cost_of("ethernet-40g").beta, 1.93e-6);
  EXPECT_DOUBLE_EQ(rate("ethernet-40g"), 37.23e9);
}

TEST(CostPresets, InfiniBand) {
  EXPECT_DOUBLE_EQ(cost_of("infiniband-edr").beta, 1.05e-6);
  EXPECT_DOUBLE_EQ(rate("infiniband-edr"), 96.8e9);
  EXPECT_DOUBLE_EQ(cost_of("infiniband-hdr").beta, 1.2e-6);
  EXPECT_DOUBLE_EQ(rate("infiniband-hdr"), 190e9);
}

// TACCL: microseconds for 1 MB of 1,048,576 bytes, which are 131,072 words.
TEST(CostPresets, Gpus) {
  EXPECT_DOUBLE_EQ(cost_of("infiniband-gpu").beta, 2.6e-6);
  EXPECT_DOUBLE_EQ(cost_of("infiniband-gpu").tau * 131'072, 105e-6);
  EXPECT_DOUBLE_EQ(cost_of("nvlink-v100").beta, 0.3e-6);
  EXPECT_DOUBLE_EQ(cost_of("nvlink-v100").tau * 131'072, 46e-6);
  EXPECT_DOUBLE_EQ(cost_of("nvswitch-v100").beta, 0.3e-6);
  EXPECT_DOUBLE_EQ(cost_of("nvswitch-v100").tau * 131'072, 8e-6);
  EXPECT_DOUBLE_EQ(cost_of("nvswitch-h100").beta, 936.25e-9);
  EXPECT_DOUBLE_EQ(8 / cost_of("nvswitch-h100").tau, 400e9);
}

TEST(CostPresets, SayWhoseTheyAreInWhichUnitAndFromWhere) {
  std::set<std::string_view> names;
  for (const CostPreset& preset : cost_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_FALSE(preset.machine.empty()) << preset.name;
    EXPECT_EQ(preset.time_unit, "seconds") << preset.name;
    EXPECT_EQ(preset.units(), "seconds; a word is " + std::string(preset.word)) << preset.name;
    EXPECT_FALSE(preset.source.empty()) << preset.name;
  }
  EXPECT_EQ(names.size(), 10U);
}

}  // namespace
}  // namespace lockstep::cost_presets_test
