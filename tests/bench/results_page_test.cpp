#include "results_page.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "../temporary_directory.hpp"
#include "ratios.hpp"

namespace lockstep::bench::results_page_test {
namespace {

Timing run_of(double nanoseconds) {
  return {.setup_seconds = 0.25, .run_seconds = nanoseconds * 1e-9, .messages = 1, .processors = 1, .peak_bytes = 2000};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ResultsPage, HasTheTimesOverNAndADashWhereThereIsNone) {
  Measurements measurements;
  measurements.add("E/lockstep/2/6", run_of(12.34));
  measurements.add("E/lockstep/1/6", run_of(23.61));
  measurements.add("E/boost_fiber/2/6", run_of(345.6));
  measurements.add("E/plain_loop/1/20", run_of(0.456));
  const std::string page = results_page(measurements, {"a host", 0.25});
  EXPECT_TRUE(contains(page, "| 6 | 64 | 12.3 | 23.6 | 346 | - | - | - |\n")) << page;
  EXPECT_TRUE(contains(page, "| 7 | 128 | - | - | - | - | - | - |\n")) << page;
  EXPECT_TRUE(contains(page, "| 20 | 1048576 | - | - | - | - | - | 0.456 |\n")) << page;
  EXPECT_TRUE(contains(page, "on a host."));
  EXPECT_TRUE(contains(page, "load average was 0.25"));
}

TEST(ResultsPage, HasEveryRatio) {
  Measurements measurements;
  measurements.add("E/lockstep/2/16", run_of(10));
  measurements.add("E/lockstep/1/16", run_of(15));
  measurements.add("E/boost_fiber/2/16", run_of(200));
  const std::string page = results_page(measurements, {"a host", 0.25});
  for (const Ratio& ratio : ratios()) EXPECT_TRUE(contains(page, "| " + ratio.name + " | ")) << ratio.name;
  EXPECT_TRUE(contains(page, "| E n=16: Boost.Fiber / Lockstep | 20 |\n")) << page;
  EXPECT_TRUE(contains(page, "| E n=16: 1 thread / 2 threads | 1.5 |\n")) << page;
  EXPECT_TRUE(contains(page, "| E n=10: Boost.Fiber / Lockstep | - |\n")) << page;
}

TEST(ResultsPage, SaysOnceWhatTheMeasuredRatiosDependOn) {
  Measurements measurements;
  measurements.add("E/lockstep/2/16", run_of(10));
  measurements.add("E/boost_fiber/2/16", run_of(200));
  EXPECT_FALSE(contains(results_page(measurements, {"a host", 0.25}), "Bare coroutines touch"));
  measurements.add("E/lockstep/2/20", run_of(10));
  measurements.add("E/bare_coroutines/2/16", run_of(2));
  measurements.add("E/bare_coroutines/2/20", run_of(3));
  const std::string page = results_page(measurements, {"a host", 0.25});
  EXPECT_TRUE(contains(
      page, "\n- E n=16: bare coroutines / Lockstep; E n=20: bare coroutines / Lockstep. Bare coroutines touch"))
      << page;
  EXPECT_EQ(occurrences(page, "Bare coroutines touch"), 1U) << page;
  EXPECT_TRUE(contains(page, "\n- E n=16: Boost.Fiber / Lockstep. Fibers with stacks")) << page;
}

TEST(ResultsPage, HasAllKernels) {
  Measurements measurements;
  measurements.add("S/lockstep/2/20", run_of(80));
  measurements.add("E/lockstep/2/20", run_of(20));
  measurements.add("alltoall/lockstep/2/32", run_of(125));
  const std::string page = results_page(measurements, {"a host", 0.25});
  EXPECT_TRUE(contains(page, "| S: a token's hop on a ring of 2^20 | 80 | ")) << page;
  EXPECT_TRUE(contains(page, "| alltoall/product on torus:32x32 | 125 | 8 | ")) << page;
  EXPECT_TRUE(contains(page, "| E, n = 20 | 20 | 50 | 0.25 | 2000 |\n")) << page;
  const std::string row = "| E, n = 20, where ports lead tabled beforehand |";
  EXPECT_EQ(page.find(row), page.rfind(row));
  EXPECT_TRUE(contains(page, row));
}

TEST(ResultsPage, HasTheInstructionsOfEveryKernelThatIsWatched) {
  Measurements measurements;
  measurements.set_instructions("Word, --ports one, --channels compact", 149.5);
  measurements.set_instructions("Block, --ports one, --channels lockfree", 270);
  const std::string page = results_page(measurements, {"a host", 0.25});
  EXPECT_TRUE(contains(page, "| Word, --ports one, --channels compact | 150 |\n")) << page;
  EXPECT_TRUE(contains(page, "| Block, --ports one, --channels lockfree | 270 |\n")) << page;
  EXPECT_TRUE(contains(page, "| Word, --ports all, --channels compact | - |\n")) << page;
}

TEST(ResultsPage, ComparesEveryMethodWithTheOneOfFewLargeBlocks) {
  Measurements measurements;
  measurements.add("transpose/2d-spt/2/hypercube:10", {.setup_seconds = 0.5,
                                                       .run_seconds = 2e-6,
                                                       .verify_seconds = 0.25,
                                                       .messages = 10,
                                                       .words = 1000,
                                                       .processors = 1024});
  measurements.add("alltoall/sbnt/2/hypercube:10",
                   {.run_seconds = 9e-6, .messages = 100, .words = 900, .processors = 1024});
  const std::string page = results_page(measurements, {"a host", 0.25});
  EXPECT_TRUE(
      contains(page, "| transpose/2d-spt | hypercube:10 | --matrix 1024x1024 | 200 | 2 | 1 | 0.5 | 2e-06 | 0.25 |\n"))
      << page;
  EXPECT_TRUE(contains(page, "| alltoall/sbnt | hypercube:10 | --words 1 | 90 | 10 | 5 | 0 | 9e-06 | 0 |\n")) << page;
  for (const MethodSize& size : method_sizes()) EXPECT_TRUE(contains(page, "| " + std::string(size.method) + " | "));
}

TEST(Record, IsWrittenWhole) {
  const test::TemporaryDirectory directory;
  Measurements measurements;
  for (const Ratio& ratio : ratios()) {
    measurements.add(ratio.above.benchmark, run_of(2));
    measurements.add(ratio.below.benchmark, run_of(1));
  }
  write_results(measurements, {"a host", 0.25}, directory.path());
  EXPECT_EQ(directory.files(), (std::vector<std::string>{"RESULTS.md", "ratios.csv", "time_per_message.dat",
                                                         "time_per_message.gp", "time_per_message.svg"}));
}

TEST(Record, IsNotTouchedWhereARatioIsMissing) {
  const test::TemporaryDirectory directory;
  Measurements measurements;
  EXPECT_THROW(write_results(measurements, {"a host", 0.25}, directory.path()), std::runtime_error);
  for (const Ratio& ratio : ratios()) measurements.add(ratio.above.benchmark, run_of(2));
  EXPECT_THROW(write_results(measurements, {"a host", 0.25}, directory.path()), std::runtime_error);
  EXPECT_TRUE(directory.files().empty());
}

TEST(Host, IsMeasuredForARecordOnlyWhereItIsIdle) {
  EXPECT_NO_THROW(require_idle({"a host", 0.5}));
  try {
    require_idle({"a host", 4.25});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "the host's load average is 4.25, for a record it has to be at most 0.5; try again when nothing else "
                 "has run for some minutes");
  }
}

TEST(Record, IsRefusedBeforeMeasuringWhereItCannotBeWritten) {
  EXPECT_NO_THROW(require_directory(LOCKSTEP_BENCH_DIRECTORY));
  try {
    require_directory("/no/such/place");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "no directory '/no/such/place' for a record");
  }
}

TEST(ResultsPlot, HasACurveForEveryContenderAndAPointForWhatWasMeasured) {
  Measurements measurements;
  measurements.add("E/lockstep/2/6", run_of(12));
  measurements.add("E/lockstep/2/7", run_of(24));
  measurements.add("E/plain_loop/1/20", run_of(0.5));
  const cli::report::Plot plot = results_plot(measurements, {"a host", 0.25});
  EXPECT_EQ(plot.title, "Kernel E: time a message (a host)");
  EXPECT_TRUE(plot.y.is_log);
  ASSERT_EQ(plot.series.size(), 6U);
  EXPECT_EQ(plot.series.front().title, "Lockstep, 2 threads");
  ASSERT_EQ(plot.series.front().points.size(), 2U);
  EXPECT_EQ(plot.series.front().points[1].x, 7);
  EXPECT_DOUBLE_EQ(plot.series.front().points[1].y, 24);
  EXPECT_EQ(plot.series.back().title, "plain loop, 1 thread");
  EXPECT_DOUBLE_EQ(plot.series.back().points.front().y, 0.5);
}

}  // namespace
}  // namespace lockstep::bench::results_page_test
