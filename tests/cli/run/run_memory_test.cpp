// What a run is estimated to take is within 1.5 times of what it takes; --memory-limit and --force.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "../sanitized.hpp"
#include "command_line.hpp"

namespace lockstep::test::run_memory_test {
namespace {

struct MeasuredRun {
  std::string machine;
  std::string algorithm;
  std::string flags;
};

std::uint64_t bytes_in(const MeasuredRun& run, const char* field) {
  return run_json(run.machine, run.algorithm, run.flags + " --threads 2")["wall"][field];
}

/// The peak of a process whose run takes next to nothing.
std::uint64_t peak_of_the_command() {
  static const std::uint64_t peak = bytes_in({"hypercube:1", "broadcast/sbt", ""}, "peak_rss_bytes");
  return peak;
}

/// Each in a process of its own, whose peak is measured. Below 64 MiB the program's own memory matters too much.
void expect_estimates(const std::vector<MeasuredRun>& runs) {
  for (const MeasuredRun& run : runs) {
    SCOPED_TRACE(run.algorithm + " on " + run.machine + " " + run.flags);
    const nlohmann::json wall = run_json(run.machine, run.algorithm, run.flags + " --threads 2")["wall"];
    const std::uint64_t peak = wall["peak_rss_bytes"];
    const auto taken = static_cast<double>(peak - std::min(peak, peak_of_the_command()));
    const double estimated = wall["estimated_bytes"];
    EXPECT_GE(taken, 64e6) << "too small to tell";
    EXPECT_LE(estimated, 1.5 * taken);
    EXPECT_GE(estimated, taken / 1.5);
  }
}

bool measures_all() { return std::getenv("LOCKSTEP_MEASURE_ALL") != nullptr; }

// Many processors with a word each, some with 64, and few with many.
TEST(RunMemory, IsEstimatedWithinOneAndAHalfTimes) {
  if (sanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  expect_estimates({{"hypercube:11", "allgather/bfs-tree", "--words 1"},
                    {"hypercube:9", "allgather/bfs-tree", "--words 64"},
                    {"hypercube:6", "allgather/bfs-tree", "--words 4096"},
                    {"hypercube:17", "broadcast/sbt", "--words 1"},
                    {"hypercube:17", "broadcast/sbt", "--words 64"},
                    {"hypercube:6", "broadcast/sbt", "--words 6000000"},
                    {"hypercube:11", "allgather/tea2", "--words 1"},
                    {"hypercube:9", "allgather/tea2", "--words 64"},
                    {"hypercube:6", "allgather/tea2", "--words 4096"},
                    {"hypercube:16", "allreduce/bfs-tree", "--words 1"},
                    {"hypercube:15", "allreduce/bfs-tree", "--words 64"},
                    {"hypercube:6", "allreduce/bfs-tree", "--words 131072"},
                    {"switch:4096", "allreduce/rabenseifner", "--words 1"},
                    {"switch:4096", "allreduce/rabenseifner", "--words 64"},
                    {"switch:64", "allreduce/rabenseifner", "--words 131072"}});
}

TEST(RunMemory, IsEstimatedForMoreMethodsAsWell) {
  if (sanitized || !measures_all()) GTEST_SKIP() << "LOCKSTEP_MEASURE_ALL is not set";
  const auto expect_all = [](const std::string& machine, const std::vector<std::string>& algorithms,
                             const std::string& flags) {
    for (const std::string& algorithm : algorithms) expect_estimates({{machine, algorithm, flags}});
  };
  const std::vector<std::string> on_cubes{"allgather/adea",        "allgather/bfs-tree",     "allgather/daisy-chain",
                                          "allgather/tea1",        "allgather/tea1-grouped", "allgather/tea2",
                                          "allgather/tea2-grouped"};
  const std::vector<std::string> on_switches{"allgather/circulant", "allgather/doubling", "allgather/sparbit"};
  expect_all("hypercube:12", on_cubes, "--words 1");
  expect_all(
      "hypercube:9",
      {"allgather/adea", "allgather/bfs-tree", "allgather/gossip", "allgather/rarest-first", "allgather/sequential",
       "allgather/tea1", "allgather/tea1-grouped", "allgather/tea2", "allgather/tea2-grouped"},
      "--words 64");
  expect_all("hypercube:6",
             {"allgather/adea", "allgather/bfs-tree", "allgather/gossip", "allgather/rarest-first",
              "allgather/sequential", "allgather/tea1", "allgather/tea2"},
             "--words 4096");
  expect_all("hypercube:6", {"allgather/daisy-chain"}, "--words 65536");
  expect_all("switch:4096", on_switches, "--words 1");
  expect_all("switch:512", on_switches, "--words 64");
  expect_all("switch:64", on_switches, "--words 4096");
  expect_all("switch:512", {"allgather/neighbour-exchange"}, "--words 64");
  for (const std::string torus : {"torus:64x64", "mesh:64x64"}) expect_all(torus, {"allgather/two-pass"}, "--words 1");
  for (const std::string torus : {"torus:32x64", "mesh:32x64"}) {
    expect_all(torus, {"allgather/two-pass", "allgather/daisy-chain"}, "--words 64");
  }
  expect_all("torus:16x32", {"allgather/torus"}, "--words 64");
  expect_all("bus:4096", {"allgather/direct"}, "--words 1");
  expect_all("bus:64", {"allgather/direct"}, "--words 65536");
  const std::vector<std::string> in_parts{"allreduce/circulant", "allreduce/rabenseifner", "allreduce/ring",
                                          "allreduce/recursive-doubling", "allreduce/two-tree"};
  expect_all("switch:64", in_parts, "--words 131072");
  expect_all("switch:64", in_parts, "--words 131072 --operator max");
  expect_all("switch:65536", {"allreduce/recursive-doubling", "allreduce/two-tree"}, "--words 1");
  expect_all("hypercube:6",
             {"allreduce/ring", "allreduce/rings", "allreduce/gossip", "allreduce/gossip-sums",
              "allreduce/rarest-first", "allreduce/dimension-exchange"},
             "--words 131072");
  expect_all("bus:65536", {"allreduce/direct", "broadcast/doubling-kstar"}, "--words 1");
  expect_all("complete:1024", {"allreduce/direct"}, "--words 64");
  expect_all("switch:131072", {"broadcast/bine", "broadcast/k-nomial", "broadcast/doubling", "broadcast/circulant"},
             "--words 1");
  expect_all("switch:64",
             {"broadcast/bine", "broadcast/k-nomial", "broadcast/scatter-allgather", "broadcast/tree",
              "broadcast/two-tree", "broadcast/scatter-doubling"},
             "--words 131072");
  expect_all("hypercube:16", {"broadcast/drbt", "broadcast/msbt", "broadcast/msbt-redundant", "broadcast/bfs-tree"},
             "--words 1");
}

TEST(RunMemory, IsLimitedByTheUser) {
  const std::string run = "run --machine hypercube:12 --algorithm allgather/bfs-tree --memory-limit ";
  expect_refused(lockstep(run + "100MB"), {"allgather/bfs-tree on hypercube:12 needs 5",
                                           " MiB of memory, but only 95.4 "
                                           "MiB are available (--memory-limit)"});
  const std::string small = "run --machine hypercube:4 --algorithm allgather/bfs-tree --quiet --memory-limit ";
  for (const std::string size : {"8GiB", "500MB", "1.5TiB", "64KiB", "1000000B", "4G", "64K"}) {
    EXPECT_EQ(lockstep(small + size).exit_code, 0) << size;
  }
  EXPECT_EQ(lockstep(small + "1KB --force").exit_code, 0);
  expect_refused(lockstep(small + "1KB"), {"needs", "1000 B are available (--memory-limit)"});
  expect_refused(lockstep("compare --machine hypercube:4 --operation allgather --memory-limit 1XB"),
                 {"--memory-limit '1XB' is not a size such as 512MiB, 500MB or 4G"});
  for (const std::string size : {"8", "GiB", "-1GiB", "1e3MB", "1.2.3MB", "8 GiB", "infGB", "8Gi", "8g", "BG"}) {
    expect_refused(
        lockstep({"run", "--machine", "hypercube:4", "--algorithm", "broadcast/sbt", "--memory-limit=" + size}),
        {"--memory-limit '" + size + "' is not a size"});
  }
  for (const std::string size : {"0B", "2000000TB"}) {
    expect_refused(lockstep(small + size), {"--memory-limit '" + size + "' is out of range: 1 B to 10^6 TB"});
  }
}

// A machine whose links would fill memory if all were used, and of which a run uses few.
TEST(RunMemory, OfLinksThatARunDoesNotUseIsNotNeeded) {
  if (sanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const std::string run = "run --machine hypercube:18 --algorithm broadcast/sbt --quiet --memory-limit ";
  EXPECT_EQ(lockstep(run + "300MiB").exit_code, 0);  // 537 MiB with all links
}

}  // namespace
}  // namespace lockstep::test::run_memory_test
