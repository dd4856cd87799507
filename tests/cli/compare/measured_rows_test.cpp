// What rows of comparisons say of their measurement.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "command_line.hpp"
#include "host/version.hpp"
#include "report/csv_report.hpp"

namespace lockstep::test::measured_rows_test {
namespace {

using Json = nlohmann::json;

Json first_row(const std::string& flags) {
  return Json::parse(lockstep("compare " + flags + " --quiet --json -").out)["rows"][0];
}

TEST(MeasuredRows, SayHowAndWhereTheyWereMeasured) {
  const std::string flags = "--operation allgather --machine ring:8 --methods daisy-chain --threads 2 --repeat 6 ";
  const std::vector<std::string> table = lines(lockstep("compare " + flags + "--warmup 1 --csv -").out);
  ASSERT_EQ(table.size(), 2U);
  const std::vector<std::string> names = cli::report::csv_cells_of(table[0]);
  const std::vector<std::string> cells = cli::report::csv_cells_of(table[1]);
  ASSERT_EQ(names.size(), cells.size());
  std::map<std::string, std::string> row;
  for (std::size_t index = 0; index < names.size(); ++index) {
    EXPECT_TRUE(row.emplace(names[index], cells[index]).second) << names[index] << " is there twice";
  }
  EXPECT_EQ(row["threads"], "2");
  EXPECT_EQ(row["repeats"], "6");
  EXPECT_EQ(row["warmup"], "1");
  EXPECT_EQ(row["executor"], "tbb");
  EXPECT_EQ(row["channels"], "lockfree");
  EXPECT_EQ(row["host_cores"], std::to_string(std::thread::hardware_concurrency()));
  EXPECT_NE(row["compiler"].find("++ "), std::string::npos) << row["compiler"];
  EXPECT_EQ(row["version"], cli::host::version);
  EXPECT_EQ(row["verified"], "true");
  EXPECT_EQ(row["digest"].size(), 16U) << row["digest"];
  const std::vector<std::string> ascending{"run_min_s", "run_q1_s", "run_s", "run_q3_s"};
  for (std::size_t index = 1; index < ascending.size(); ++index) {
    EXPECT_LE(std::stod(row[ascending[index - 1]]), std::stod(row[ascending[index]])) << ascending[index];
  }
  EXPECT_LE(std::stod(row["run_low_s"]), std::stod(row["run_high_s"]));
  const Json measured = first_row(flags);
  EXPECT_EQ(measured["wall"]["samples_s"].size(), 6U);
  EXPECT_EQ(measured["host"]["cores"], std::thread::hardware_concurrency());
  const Json predicted = first_row(flags + "--predict");
  EXPECT_FALSE(predicted.contains("wall")) << predicted;
  EXPECT_FALSE(predicted.contains("host")) << predicted;
}

}  // namespace
}  // namespace lockstep::test::measured_rows_test
