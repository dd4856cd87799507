// The tables of machine families and of methods against the families and the catalogue.
#include <gtest/gtest.h>

#include <algorithm>

#include "documents.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::test::tables_test {
namespace {

std::string row_of(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row;
}

/// The rows of the table under that heading, without the line below the heading; a test failure if there is none.
std::vector<std::string> table(const std::string& text, const std::string& heading) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> rows;
  auto line = std::find(lines.begin(), lines.end(), heading);
  EXPECT_NE(line, lines.end()) << "there is no table " << heading;
  for (line += line == lines.end() ? 0 : 2; line != lines.end() && line->starts_with("|"); ++line)
    rows.push_back(*line);
  return rows;
}

/// The text with the rows of that table replaced.
std::string with_table(const std::string& text, const std::string& heading, const std::vector<std::string>& rows) {
  std::vector<std::string> lines = lines_of(text);
  const auto first = std::find(lines.begin(), lines.end(), heading) + 2;
  const auto last = first + static_cast<std::ptrdiff_t>(table(text, heading).size());
  lines.insert(lines.erase(first, last), rows.begin(), rows.end());
  std::string result;
  for (const std::string& line : lines) result += line + "\n";
  return result;
}

void expect_table(const std::string& document, const std::string& heading, const std::vector<std::string>& rows) {
  if (is_rewriting()) rewrite(document, with_table(contents(document), heading, rows));
  const std::vector<std::string> shown = table(contents(document), heading);
  for (const std::string& row : rows) {
    EXPECT_TRUE(std::ranges::find(shown, row) != shown.end()) << document << " lacks " << row;
  }
  EXPECT_EQ(shown, rows);
}

TEST(Tables, ListEveryMachineFamily) {
  std::vector<std::string> rows;
  for (const MachineFamily& family : machine_families()) {
    rows.push_back(row_of({"`" + family.form + "`", family.summary, family.limits, family.ports}));
  }
  expect_table("docs/machines.md", "| machine | what it is | limits | port p leads to |", rows);
}

TEST(Tables, ListEveryMethod) {
  std::vector<std::string> rows;
  for (const Method* method : catalogue()) {
    std::string families;
    for (const std::string_view family : method->families) {
      families.append(families.empty() ? "" : ", ").append(family);
    }
    rows.push_back(row_of(
        {"`" + std::string(method->name) + "`", families, std::string(method->summary), std::string(method->source)}));
  }
  expect_table("docs/methods.md", "| method | machines | how | source |", rows);
}

}  // namespace
}  // namespace lockstep::test::tables_test
