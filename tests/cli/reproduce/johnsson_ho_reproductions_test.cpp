// `lockstep reproduce johnsson-ho-...`: numbers worked out by hand from the paper's formulas and the schedules' counts,
// with the iPSC's 5 ms a start-up, 4 us a word, 256 words a packet and 36 us a copied word.
#include <gtest/gtest.h>

#include "command_line.hpp"
#include "reproduced.hpp"

namespace lockstep::test::johnsson_ho_reproductions_test {
namespace {

const Json& reproduced(const std::string& what) { return quickly("johnsson-ho-" + what); }

void expect_time(const Json& table, const std::vector<Json>& first, const std::string& column, double expected) {
  SCOPED_TRACE(Json(first).dump() + " " + column);
  EXPECT_NEAR(value_of(table, row_of(table, first), column).get<double>(), expected, 1e-9);
}

std::string verdict(const Json& table, const std::vector<Json>& first) { return row_of(table, first)["verdict"]; }

// l = 1, k = 3, 1,920 words: an exchange of 60 and splits of 120, 240 and 480, in packets of 64; with all ports the
// splits are divided by 3.
TEST(JohnssonHoTable3, HasBothPortModels) {
  const Json& counted = table_of(reproduced("table-3"), "counted");
  EXPECT_EQ(counted["rows"].size(), 15U);
  for (const std::string method : {"some-to-all/exchange", "all-to-some/exchange"}) {
    expect_time(counted, {"one", method, 1, 3}, "time", (1 + 2 + 4 + 8) * 100 + 900);
  }
  expect_time(counted, {"all", "some-to-all/rotated-sbt", 1, 3}, "time", (1 + 1 + 2 + 3) * 100 + 60 + 280);
  EXPECT_EQ(row_of(counted, {"all", "some-to-all/rotated-sbt", 0, 4})["note"], "J10");
}

TEST(JohnssonHo9, HasNoBreakEvenWithAllPorts) {
  const Json& document = reproduced("9");
  const Json& claimed = table_of(document, "break_even");
  EXPECT_EQ(claimed["rows"].size(), 9U);
  for (const Json& row : claimed["rows"]) {
    EXPECT_EQ(row["verdict"], "wrong");
    EXPECT_EQ(row["note"], "J23");
  }
  expect_time(claimed, {8}, "alike at r", (4 - 3) * (8 + 4));
  expect_time(claimed, {6}, "alike at r", (3 - 2) * (6 + 2));
  expect_time(claimed, {8}, "2-D - 1-D at r = n^2", 4 + 3 + 14 * 64 / 24.0 - (8 + 32));
  const Json& counted = table_of(document, "all_ports");
  expect_time(counted, {4, 128.0, "alltoall/rotated-sbt"}, "time", 4 + 128 / 2);
  expect_time(counted, {4, 128.0, "transpose/2d-mpt"}, "time", 9 * 9);  // (1 + sqrt(64))^2, and 64 is a square
}

TEST(JohnssonHo9, HasOneWhereCopiesTakeTime) {
  const Json& copies = table_of(reproduced("9"), "one_port");
  EXPECT_EQ(value_of(copies, row_of(copies, {"64x64", 2}), "quicker"), "1-D");
  EXPECT_EQ(value_of(copies, row_of(copies, {"64x64", 4}), "quicker"), "2-D");
  expect_time(copies, {"64x64", 4}, "1-D, no copies", 4 * (5e-3 + 128 * 4e-6));
  expect_time(copies, {"64x64", 4}, "2-D, no copies", 4 * (5e-3 + 256 * 4e-6));
  expect_time(copies, {"64x64", 4}, "2-D", 4 * (5e-3 + 256 * 4e-6) + 512 * 3.6e-5);
}

// 64 words a processor on the 6-cube: blocks of 32, 2 of 16, .., 32 of 1.
TEST(JohnssonHo10, CountsStartUpsAndCopies) {
  const Json& document = reproduced("10");
  const Json& without = table_of(document, "unbuffered");
  const Json& with = table_of(document, "buffered");
  EXPECT_EQ(without["rows"].size(), 12U);
  expect_time(without, {"64x64", 6}, "start-ups", 63);
  expect_time(without, {"64x64", 6}, "seconds", 63 * 5e-3 + 6 * 32 * 4e-6);
  expect_time(with, {"64x64", 6}, "copied", 6 * 64);
  expect_time(with, {"64x64", 6}, "seconds", 6 * 5e-3 + 6 * 32 * 4e-6 + 6 * 64 * 3.6e-5);
}

// K = 32,768 on two processors: N + 64 - 128 start-ups are fewer than none.
TEST(JohnssonHo10, ShowsWhereThePaperIsWrong) {
  const Json& document = reproduced("10");
  const Json& without = table_of(document, "unbuffered");
  expect_time(without, {"256x256", 1}, "paper", (2 + 64 - 128) * 5e-3 + 16384 * 4e-6);
  EXPECT_EQ(row_of(without, {"256x256", 1})["note"], "J20");
  EXPECT_EQ(verdict(without, {"256x256", 1}), "wrong");
  EXPECT_EQ(verdict(without, {"256x256", 4}), "equal");
  EXPECT_EQ(verdict(without, {"64x64", 6}), "wrong");
  EXPECT_EQ(verdict(table_of(document, "buffered"), {"256x256", 6}), "equal");
}

TEST(JohnssonHo12, TimesAreAlikeWhereBlocksAreLong) {
  const Json& gain = table_of(reproduced("12"), "gain");
  EXPECT_EQ(verdict(gain, {"64x64", 3}), "equal");  // blocks of 64
  EXPECT_TRUE(row_of(gain, {"64x64", 4})["verdict"].is_null());
  expect_time(gain, {"64x64", 6}, "unbuffered / buffered", 0.315768 / 0.044592);
}

TEST(JohnssonHo14a, GrowsForSmallMatricesAndFallsForLarge) {
  const Json& document = reproduced("14a");
  expect_time(table_of(document, "counted"), {"64x64", 4}, "seconds", 4 * (256 * 4e-6 + 5e-3) + 512 * 3.6e-5);
  const Json& trends = table_of(document, "trends");
  EXPECT_EQ(value_of(trends, row_of(trends, {"16x16"}), "time"), "grows");
  EXPECT_EQ(value_of(trends, row_of(trends, {"256x256"}), "time"), "falls");
}

TEST(JohnssonHo15, HasTheStepsOfBothAlgorithms) {
  const Json& counted = table_of(reproduced("15"), "counted");
  EXPECT_EQ(counted["rows"].size(), 27U);
  expect_time(counted, {"64x64", 6, 64, "transpose/gray-mixed-naive"}, "steps", 10);
  expect_time(counted, {"64x64", 6, 64, "transpose/gray-mixed", "rows-binary"}, "steps", 6);
  expect_time(counted, {"64x64", 6, 64, "transpose/gray-mixed", "rows-gray"}, "steps", 6);
}

TEST(JohnssonHo19, SaysFromWhichCubeOnTwoDimensionsAreQuicker) {
  const Json& document = reproduced("19");
  const Json& one = table_of(document, "one_dimension");
  EXPECT_EQ(verdict(one, {"64x64", 2}), "equal");
  EXPECT_EQ(verdict(one, {"64x64", 4}), "wrong");
  EXPECT_EQ(row_of(one, {"64x64", 4})["note"], "J21");
  const Json& lead = table_of(document, "lead");
  const std::vector<std::pair<std::string, std::string>> expected{
      {"64x64", "4"}, {"128x128", "6"}, {"256x256", "8"}, {"512x512", "8"}, {"1024x1024", "10"}};
  for (const auto& [matrix, n] : expected) EXPECT_EQ(value_of(lead, row_of(lead, {matrix}), "from n"), n) << matrix;
}

TEST(JohnssonHoFigures, HaveAPlotOfEveryCurve) {
  for (const std::string figure : {"10", "12", "14a", "15", "19"}) {
    const TemporaryDirectory directory;
    lockstep("reproduce johnsson-ho-" + figure + " --quick --quiet --plot " + directory.file("figure.svg"));
    const std::string data = read_file(directory.file("figure.dat"));
    for (const std::string matrix : {"64x64", "256x256"}) EXPECT_NE(data.find(matrix), std::string::npos) << figure;
  }
  expect_refused(lockstep("reproduce johnsson-ho-9 --plot figure.svg"), {"johnsson-ho-9 has no plot"});
}

}  // namespace
}  // namespace lockstep::test::johnsson_ho_reproductions_test
