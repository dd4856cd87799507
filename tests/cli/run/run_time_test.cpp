// The time of a run is estimated before it begins.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::run_time_test {
namespace {

double estimated(const std::string& machine, const std::string& algorithm, const std::string& flags) {
  return run_json(machine, algorithm, flags)["wall"]["estimated_s"];
}

TEST(RunTime, GrowsWithWhatIsToDo) {
  const double short_run = estimated("hypercube:3", "broadcast/sbt", "--threads 1");
  EXPECT_GT(short_run, 0);
  EXPECT_LT(short_run, 1);
  EXPECT_GT(estimated("hypercube:10", "broadcast/sbt", "--threads 1"), short_run);
  EXPECT_GT(estimated("hypercube:3", "broadcast/sbt", "--threads 1 --words 100000"), short_run);
  EXPECT_GT(estimated("hypercube:3", "alltoall/sequential-gather", "--threads 1"), short_run);
}

TEST(RunTime, IsThatOfAllRuns) {
  const double one = estimated("hypercube:4", "broadcast/sbt", "--threads 1");
  EXPECT_DOUBLE_EQ(estimated("hypercube:4", "broadcast/sbt", "--threads 1 --repeat 7"), 7 * one);
  EXPECT_DOUBLE_EQ(estimated("hypercube:4", "broadcast/sbt", "--threads 1 --repeat 2 --warmup 3"), 5 * one);
}

TEST(RunTime, IsNotKnownOfGuests) {
  const nlohmann::json run = run_json("hypercube:3", "broadcast/two-way", "--embed ring:8");
  EXPECT_TRUE(run["wall"]["estimated_s"].is_null());
}

}  // namespace
}  // namespace lockstep::test::run_time_test
