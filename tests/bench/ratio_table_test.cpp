#include "ratio_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "ratios.hpp"

namespace lockstep::bench::ratio_table_test {
namespace {

/// All measurements of the ratios: a nanosecond a message and a byte a processor, so that every ratio is 1.
Measurements alike() {
  std::set<std::string> names;
  for (const Ratio& ratio : ratios()) names.insert({ratio.above.benchmark, ratio.below.benchmark});
  Measurements measurements;
  for (const std::string& name : names) {
    measurements.add(name,
                     {.setup_seconds = 1e-9, .run_seconds = 1e-9, .messages = 1, .processors = 1, .peak_bytes = 1});
  }
  return measurements;
}

/// The table with every ratio at this value.
std::string table_of(double value) {
  std::vector<RatioRow> table;
  for (const Ratio& ratio : ratios()) table.push_back({ratio.name, value});
  std::ostringstream out;
  write_table(out, table);
  return out.str();
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t found = text.find(part);
  EXPECT_NE(found, std::string::npos) << part;
  return text.replace(found, part.size(), by);
}

struct Checked {
  int exit_code;
  std::string output;
  std::string errors;
  bool measured = false;
};

Checked check_against(const std::string& table, const Measurements& measurements) {
  std::istringstream in(table);
  std::ostringstream out;
  std::ostringstream errors;
  Checked checked{};
  const auto measure = [&] {
    checked.measured = true;
    return measurements;
  };
  checked.exit_code = check(in, measure, out, errors);
  checked.output = out.str();
  checked.errors = errors.str();
  return checked;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RatioTable, NamesEveryRatioOnceAndWithoutCommas) {
  std::set<std::string> names;
  for (const Ratio& ratio : ratios()) {
    EXPECT_TRUE(names.insert(ratio.name).second) << ratio.name;
    EXPECT_FALSE(contains(ratio.name, ",")) << ratio.name;
  }
  EXPECT_EQ(rows(alike()).size(), ratios().size());
}

TEST(RatioTable, IsReadAsItWasWritten) {
  std::istringstream in(table_of(2.5));
  const std::vector<RatioRow> table = read_table(in);
  ASSERT_EQ(table.size(), ratios().size());
  for (std::size_t index = 0; index < table.size(); ++index) {
    EXPECT_EQ(table[index].name, ratios()[index].name);
    EXPECT_DOUBLE_EQ(table[index].value, 2.5);
  }
}

TEST(RatioTable, DividesOneMeasurementByTheOther) {
  Measurements measurements;
  measurements.add("E/boost_fiber/2/16", {.run_seconds = 30e-9, .messages = 1, .processors = 1});
  measurements.add("E/lockstep/2/16", {.run_seconds = 4e-9, .messages = 2, .processors = 1});
  const std::vector<RatioRow> table = rows(measurements);
  ASSERT_EQ(table.size(), 1U);
  EXPECT_EQ(table[0].name, "E n=16: Boost.Fiber / Lockstep");
  EXPECT_DOUBLE_EQ(table[0].value, 15);
}

TEST(RatioTable, PassesIfNothingFell) {
  for (const double recorded : {0.5, 1.0, 1.3}) {  // a quarter less than 1.3 is below 1
    const Checked checked = check_against(table_of(recorded), alike());
    EXPECT_EQ(checked.exit_code, 0) << recorded << "\n" << checked.output;
    EXPECT_TRUE(contains(checked.output, "nothing fell by more than a quarter\n"));
    EXPECT_EQ(checked.errors, "");
  }
}

TEST(RatioTable, NamesWhatFellByMoreThanAQuarter) {
  for (const Ratio& ratio : ratios()) {
    const std::string doctored = replaced(table_of(1), ratio.name + ",1\n", ratio.name + ",1.4\n");
    const Checked checked = check_against(doctored, alike());
    EXPECT_EQ(checked.exit_code, 1) << ratio.name;
    EXPECT_TRUE(contains(checked.output, "fell by more than a quarter: " + ratio.name + "\n")) << checked.output;
    EXPECT_FALSE(contains(checked.output, "nothing fell"));
  }
}

TEST(RatioTable, NamesAllThatFell) {
  const Checked checked = check_against(table_of(1.4), alike());
  EXPECT_EQ(checked.exit_code, 1);
  for (const Ratio& ratio : ratios()) {
    EXPECT_TRUE(contains(checked.output, "fell by more than a quarter: " + ratio.name + "\n")) << ratio.name;
  }
}

TEST(RatioTable, ListsWhatWasNotMeasured) {
  Measurements measurements;
  measurements.add("E/lockstep/2/10", {.run_seconds = 1, .messages = 1, .processors = 1});
  measurements.add("E/lockstep/1/10", {.run_seconds = 1, .messages = 1, .processors = 1});
  const Checked checked = check_against(table_of(1), measurements);
  EXPECT_EQ(checked.exit_code, 0);
  for (const Ratio& ratio : ratios()) {
    EXPECT_EQ(contains(checked.output, ratio.name + ": not measured\n"), ratio.name != "E n=10: 1 thread / 2 threads")
        << checked.output;
  }
}

TEST(RatioTable, RefusesToCompareNothing) {
  const Checked checked = check_against(table_of(1), Measurements());
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_EQ(checked.errors, "none of the recorded ratios was measured\n");
}

TEST(RatioTable, RefusesATableThatLacksARow) {
  for (const Ratio& ratio : ratios()) {
    const Checked checked = check_against(replaced(table_of(1), ratio.name + ",1\n", ""), alike());
    EXPECT_EQ(checked.exit_code, 2);
    EXPECT_EQ(checked.errors, "the recorded ratios are of no use: no row '" + ratio.name + "'; record them anew\n");
    EXPECT_FALSE(checked.measured);
  }
}

TEST(RatioTable, RefusesAMalformedTable) {
  const std::string first = ratios().front().name;
  const std::string row = first + ",1\n";
  const std::string whole = table_of(1);
  const struct {
    std::string table;
    std::string error;
  } cases[] = {
      {"", "line 1: the table begins with the line 'ratio,value'"},
      {"value,ratio\n", "line 1: the table begins with the line 'ratio,value'"},
      {replaced(whole, row, first + "\n"), "line 2: a row is NAME,VALUE: '" + first + "'"},
      {replaced(whole, row, ",1\n"), "line 2: a row is NAME,VALUE: ',1'"},
      {replaced(whole, row, "\n"), "line 2: a row is NAME,VALUE: ''"},
      {replaced(whole, row, first + ",\n"), "line 2: a value is a positive number: '" + first + ",'"},
      {replaced(whole, row, first + ",fast\n"), "line 2: a value is a positive number: '" + first + ",fast'"},
      {replaced(whole, row, first + ",1x\n"), "line 2: a value is a positive number: '" + first + ",1x'"},
      {replaced(whole, row, first + ",nan\n"), "line 2: a value is a positive number: '" + first + ",nan'"},
      {replaced(whole, row, first + ",inf\n"), "line 2: a value is a positive number: '" + first + ",inf'"},
      {replaced(whole, row, first + ",0\n"), "line 2: a value is a positive number: '" + first + ",0'"},
      {replaced(whole, row, first + ",-1\n"), "line 2: a value is a positive number: '" + first + ",-1'"},
      {replaced(whole, row, row + row), "line 3: a second row of '" + first + "'"},
      {replaced(whole, row, row + "another,1\n"), "line 3: there is no ratio 'another'"},
  };
  for (const auto& one : cases) {
    const Checked checked = check_against(one.table, alike());
    EXPECT_EQ(checked.exit_code, 2) << one.error;
    EXPECT_EQ(checked.errors, "the recorded ratios are of no use: " + one.error + "\n");
    EXPECT_FALSE(checked.measured);
  }
}

TEST(RatioTable, IsCommittedWhole) {
  std::ifstream in(LOCKSTEP_BENCH_DIRECTORY "/ratios.csv");
  ASSERT_TRUE(in);
  EXPECT_EQ(read_table(in).size(), ratios().size());
}

}  // namespace
}  // namespace lockstep::bench::ratio_table_test
