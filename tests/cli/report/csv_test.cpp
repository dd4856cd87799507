// CSV: a header and one row for each run.
#include <gtest/gtest.h>

#include <algorithm>

#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"

namespace lockstep::test::csv_test {
namespace {

using CsvLine = std::vector<std::string>;

/// The rows of a text with their fields, by RFC 4180: a quoted field may hold commas, line ends and, doubled, quotes.
std::vector<CsvLine> table(const std::string& text) {
  std::vector<CsvLine> rows;
  bool begins = true;
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (begins) rows.emplace_back(1);
    begins = false;
    if (text[place] == '"') {
      EXPECT_EQ(rows.back().back(), "") << "a quote within a field that does not begin with one";
      for (++place; place < text.size() && (text[place] != '"' || text.substr(place, 2) == "\"\""); ++place) {
        rows.back().back() += text[place];
        if (text[place] == '"') ++place;
      }
    } else if (text[place] == ',') {
      rows.back().emplace_back();
    } else if (text[place] == '\n') {
      begins = true;
    } else {
      rows.back().back() += text[place];
    }
  }
  return rows;
}

/// The fields of one row.
CsvLine fields(const std::string& row) { return table(row).at(0); }

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
  EXPECT_EQ(field(header, row, "schema"), "1");
  EXPECT_EQ(field(header, row, "words_parameter"), "2");
  EXPECT_EQ(field(header, row, "root"), "0");
  EXPECT_EQ(field(header, row, "order"), "longest-first");
  EXPECT_EQ(field(header, row, "seed"), "1");
  EXPECT_EQ(field(header, row, "packets"), "1");
  EXPECT_EQ(field(header, row, "steps"), "14");
  EXPECT_EQ(field(header, row, "predicted_steps"), "14");
  EXPECT_EQ(field(header, row, "predicted_steps_kind"), "exact");
  EXPECT_EQ(field(header, row, "words"), "254");
  EXPECT_EQ(field(header, row, "lower_bound_steps"), "9");
  EXPECT_EQ(field(header, row, "lower_bound_steps_ratio").substr(0, 6), "1.5555");
  EXPECT_EQ(field(header, row, "steps_optimal"), "false");
  EXPECT_EQ(field(header, row, "longest_sum_optimal"), "false");
  EXPECT_EQ(field(header, row, "optimal"), "false");
  EXPECT_EQ(field(header, row, "measures"), "");
  EXPECT_EQ(field(header, row, "max_packet_words"), "");
  EXPECT_EQ(field(header, row, "verified"), "true");
  EXPECT_EQ(field(header, row, "status"), "verified");
  EXPECT_EQ(field(header, row, "error"), "");
  EXPECT_EQ(field(header, row, "digest").size(), 16U);
}

TEST(Csv, MeasuresOfAMethodAreOneField) {
  const auto text = lines(lockstep("run --machine rh:1,1 --algorithm barrier/tree --csv -").out);
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(field(fields(text[0]), fields(text[1]), "measures"), "last_arrival=0 first_release=5 last_release=10");
}

TEST(Csv, ParametersWithoutAValueAreEmpty) {
  const auto text = lines(lockstep("run --machine hypercube:3 --algorithm broadcast/drbt --csv -").out);
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(field(fields(text[0]), fields(text[1]), "order"), "");
  EXPECT_EQ(field(fields(text[0]), fields(text[1]), "words_parameter"), "1");
}

TEST(Csv, EveryParameterOfEveryMethodHasAColumnOfItsOwn) {
  const auto text = lines(lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --csv -").out);
  CsvLine header = fields(text.at(0));
  EXPECT_EQ(header.front(), "schema");
  const auto has = [&header](const std::string& column) {
    return std::find(header.begin(), header.end(), column) != header.end();
  };
  for (const Method* method : catalogue()) {
    for (const Parameter& parameter : method->parameters) {
      std::string column(parameter.name);
      std::replace(column.begin(), column.end(), '-', '_');
      EXPECT_TRUE(has(column == "words" ? "words_parameter" : column)) << column;
    }
  }
  std::sort(header.begin(), header.end());
  EXPECT_EQ(std::adjacent_find(header.begin(), header.end()), header.end()) << "two columns of one name";
}

TEST(Csv, FieldsAreQuotedAsRfc4180HasIt) {
  const TemporaryDirectory directory;
  const std::string name = directory.file("a \"quoted\", odd name.json");
  write_file(name, lockstep("plan --machine path:3 --algorithm alltoall/factor").out);
  const Finished run = lockstep({"validate", name, "--machine", "path:3", "--csv", "-"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto rows = table(run.out);
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(rows[0].size(), rows[1].size());
  EXPECT_EQ(field(rows[0], rows[1], "algorithm"), name);
  EXPECT_EQ(field(rows[0], rows[1], "verified"), "true");
}

TEST(Csv, MatricesFormsAndFlagsAreInTheirColumns) {
  const Finished run = lockstep(
      "run --machine hypercube:2 --algorithm convert/exchange --from row-consecutive --to 2d:cyclic,gray:consecutive "
      "--matrix 8x4 --transposed --csv -");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto rows = table(run.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(field(rows[0], rows[1], "matrix"), "8x4");
  EXPECT_EQ(field(rows[0], rows[1], "from"), "row-consecutive");
  EXPECT_EQ(field(rows[0], rows[1], "to"), "2d:cyclic,gray:consecutive");
  EXPECT_EQ(field(rows[0], rows[1], "transposed"), "true");
  EXPECT_EQ(field(rows[0], rows[1], "words_parameter"), "");
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
  EXPECT_TRUE(text[0].starts_with("schema,machine,"));
  EXPECT_TRUE(text[1].starts_with("1,hypercube:3,"));
  EXPECT_TRUE(text[2].starts_with("1,product:ring:3*path:2,"));
  EXPECT_EQ(directory.files().size(), 1U);
}

TEST(Csv, ARowStartsALineOfItsOwn) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("runs.csv");
  const std::string command = "run --quiet --machine hypercube:3 --algorithm broadcast/sbt --csv " + file;
  ASSERT_EQ(lockstep(command).exit_code, 0);
  std::string text = read_file(file);
  ASSERT_EQ(text.back(), '\n');
  text.pop_back();  // without a final line end, as some editors leave it
  write_file(file, text);
  EXPECT_EQ(lockstep(command).exit_code, 0);
  const auto rows = lines(read_file(file));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(fields(rows[1]).size(), fields(rows[0]).size());
  EXPECT_TRUE(rows[2].starts_with("1,hypercube:3,"));
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

TEST(Csv, AFileWithAnotherHeaderIsRefused) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("runs.csv");
  const std::string command = "run --quiet --machine hypercube:3 --algorithm broadcast/sbt --csv " + file;
  ASSERT_EQ(lockstep(command).exit_code, 0);
  const std::string before = read_file(file);
  const std::string another = "machine" + before.substr(std::string("schema,machine").size());
  write_file(file, another);
  expect_refused(lockstep(command), {file, "not the header", "schema 1", "name a new file"});
  EXPECT_EQ(read_file(file), another);
}

TEST(Csv, AFailedRunIsARowThatSaysSo) {
  const Finished run = lockstep("run --machine hypercube:6 --algorithm broadcast/sbt --max-cycles 2 --csv -");
  EXPECT_EQ(run.exit_code, 1);
  const auto text = lines(run.out);
  ASSERT_EQ(text.size(), 2U);
  const auto header = fields(text[0]);
  const auto row = fields(text[1]);
  ASSERT_EQ(header.size(), row.size());
  EXPECT_EQ(field(header, row, "status"), "failed");
  EXPECT_EQ(field(header, row, "error"), "livelock");
  EXPECT_EQ(field(header, row, "verified"), "false");
  EXPECT_EQ(field(header, row, "predicted_steps"), "6");
  EXPECT_EQ(field(header, row, "steps"), "3");
  EXPECT_EQ(field(header, row, "messages"), "7");
  EXPECT_EQ(field(header, row, "time_synchronous"), "6.0");
  EXPECT_EQ(field(header, row, "coverage"), "0.0625");
  for (const std::string column : {"steps_optimal", "lower_bound_steps_ratio", "run_s", "digest"}) {
    EXPECT_EQ(field(header, row, column), "") << column;
  }
}

}  // namespace
}  // namespace lockstep::test::csv_test
