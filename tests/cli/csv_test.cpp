// CSV: a header and one row a run.
#include <gtest/gtest.h>

#include <algorithm>

#include "command_line.hpp"

namespace lockstep::test {
namespace {

/// The fields of a row; a quoted field may hold commas.
std::vector<std::string> fields(const std::string& row) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char letter : row) {
    if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      result.emplace_back();
    } else {
      result.back() += letter;
    }
  }
  return result;
}

std::string field(const std::vector<std::string>& header, const std::vector<std::string>& row,
                  const std::string& column) {
  const auto place = std::find(header.begin(), header.end(), column);
  EXPECT_NE(place, header.end()) << column;
  return place == header.end() ? "" : row.at(static_cast<std::size_t>(place - header.begin()));
}

TEST(Csv, StandardOutputGetsHeaderAndRowOnly) {
  const Finished run = lockstep("run --machine rh:3,2 --algorithm broadcast/drbt --words 2 --csv -");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto text = lines(run.out);
  ASSERT_EQ(text.size(), 2U);
  const auto header = fields(text[0]);
  const auto row = fields(text[1]);
  ASSERT_EQ(header.size(), row.size());
  EXPECT_EQ(field(header, row, "machine"), "rh:3,2");
  EXPECT_EQ(field(header, row, "algorithm"), "broadcast/drbt");
  EXPECT_EQ(field(header, row, "parameters"), "words=2 root=0 order=longest-first seed=1");
  EXPECT_EQ(field(header, row, "steps"), "14");
  EXPECT_EQ(field(header, row, "predicted_steps"), "14");
  EXPECT_EQ(field(header, row, "predicted_steps_kind"), "exact");
  EXPECT_EQ(field(header, row, "words"), "254");
  EXPECT_EQ(field(header, row, "lower_bound_steps"), "9");
  EXPECT_EQ(field(header, row, "lower_bound_steps_ratio").substr(0, 6), "1.5555");
  EXPECT_EQ(field(header, row, "optimal"), "false");
  EXPECT_EQ(field(header, row, "measures"), "");
  EXPECT_EQ(field(header, row, "max_packet_words"), "");
  EXPECT_EQ(field(header, row, "verified"), "true");
  EXPECT_EQ(field(header, row, "digest").size(), 16U);
}

TEST(Csv, MeasuresOfAMethodAreOneField) {
  const auto text = lines(lockstep("run --machine rh:1,1 --algorithm barrier/tree --csv -").out);
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(field(fields(text[0]), fields(text[1]), "measures"), "last_arrival=0 first_release=5 last_release=10");
}

TEST(Csv, ParametersWithoutAValueAreLeftOut) {
  const auto text = lines(lockstep("run --machine hypercube:3 --algorithm broadcast/drbt --csv -").out);
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(field(fields(text[0]), fields(text[1]), "parameters"), "words=1 root=0 seed=1");
}

TEST(Csv, RunsOfDifferentMethodsShareAFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("runs.csv");
  for (const std::string what : {"--machine hypercube:3 --algorithm broadcast/sbt",
                                 "--machine product:ring:3*path:2 --algorithm alltoall/product --repeat 2",
                                 "--machine hypercube:0 --algorithm broadcast/sbt"}) {
    const Finished run = lockstep("run --quiet " + what + " --csv " + file);
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
  const auto text = lines(read_file(file));
  ASSERT_EQ(text.size(), 4U);
  for (const std::string& row : text) EXPECT_EQ(fields(row).size(), fields(text[0]).size());
  EXPECT_TRUE(text[0].starts_with("machine,"));
  EXPECT_TRUE(text[1].starts_with("hypercube:3,"));
  EXPECT_TRUE(text[2].starts_with("product:ring:3*path:2,"));
  EXPECT_EQ(directory.files().size(), 1U);
}

TEST(Csv, ARowStartsALineOfItsOwn) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("runs.csv");
  const std::string command = "run --quiet --machine hypercube:3 --algorithm broadcast/sbt --csv " + file;
  ASSERT_EQ(lockstep(command).exit_code, 0);
  std::string text = read_file(file);
  ASSERT_EQ(text.back(), '\n');
  text.pop_back();  // as some editors leave it
  write_file(file, text);
  EXPECT_EQ(lockstep(command).exit_code, 0);
  const auto rows = lines(read_file(file));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(fields(rows[1]).size(), fields(rows[0]).size());
  EXPECT_TRUE(rows[2].starts_with("hypercube:3,"));
}

TEST(Csv, AFileWithSomethingElseIsLeftAlone) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("letter.txt");
  write_file(file, "Dear reader\n");
  const Finished run = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --csv " + file);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(lines(run.err).size(), 1U);
  EXPECT_EQ(read_file(file), "Dear reader\n");
}

TEST(Csv, AFailedRunAddsNoRow) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("runs.csv");
  EXPECT_EQ(lockstep("run --machine hypercube:6 --algorithm broadcast/sbt --max-cycles 2 --csv " + file).exit_code, 1);
  EXPECT_TRUE(directory.files().empty());
}

}  // namespace
}  // namespace lockstep::test
