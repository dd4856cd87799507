#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.hpp"

// Shared by the tests of outputs.
namespace lockstep::test {

/// A run that takes no time.
inline const std::string sbt = "run --machine hypercube:6 --algorithm broadcast/sbt";

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// The only row of a CSV text by its columns. No field contains a quotation mark.
inline std::map<std::string, std::string> only_row(const std::string& text) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> fields(1);
    bool is_quoted = false;
    for (const char letter : line) {
      if (letter == '"') {
        is_quoted = !is_quoted;
      } else if (letter == ',' && !is_quoted) {
        fields.emplace_back();
      } else {
        fields.back() += letter;
      }
    }
    return fields;
  };
  const std::vector<std::string> rows = lines(text);
  EXPECT_EQ(rows.size(), 2U) << text;
  std::map<std::string, std::string> row;
  if (rows.size() != 2) return row;
  const auto columns = split(rows[0]), values = split(rows[1]);
  EXPECT_EQ(columns.size(), values.size());
  for (std::size_t index = 0; index < std::min(columns.size(), values.size()); ++index) {
    row[columns[index]] = values[index];
  }
  return row;
}

/// A directory for the outputs of commands.
class Outputs : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return directory_.file(name); }

  /// --output, --json and --csv, each to a separate file unless one is named here.
  std::string all_outputs(const std::string& json = "", const std::string& csv = "") const {
    return " --output " + file("out") + " --json " + (json.empty() ? file("json") : json) + " --csv " +
           (csv.empty() ? file("csv") : csv);
  }

  void expect_json(const std::string& status, const std::string& error) const {
    const auto json = nlohmann::json::parse(read_file(file("json")), nullptr, false);
    ASSERT_TRUE(json.is_object());
    EXPECT_EQ(json["status"], status);
    EXPECT_EQ(json["error"]["kind"], error);
    EXPECT_TRUE(json["error"]["text"].is_string());
  }

  void expect_row(const std::string& status, const std::string& error) const {
    auto row = only_row(read_file(file("csv")));
    EXPECT_EQ(row["status"], status);
    EXPECT_EQ(row["error"], error);
    EXPECT_EQ(row["verified"], "false");
    EXPECT_TRUE(status == "failed" || row["steps"].empty()) << "only those of a failure may be known";
    EXPECT_EQ(row["digest"], "");
  }

  TemporaryDirectory directory_;
};

}  // namespace lockstep::test
