// The worked examples are quoted whole: the C++ of a page, block after block, is that of its files, which are compiled
// and tested with this program.
#include <gtest/gtest.h>

#include "documents.hpp"

namespace lockstep::test {
namespace {

/// The lines that are not empty.
std::vector<std::string> code_of(const std::vector<std::string>& texts) {
  std::vector<std::string> code;
  for (const std::string& text : texts) {
    for (std::string& line : lines_of(text)) {
      if (!line.empty()) code.push_back(std::move(line));
    }
  }
  return code;
}

void expect_quoted(const std::string& page, const std::vector<std::string>& files) {
  std::vector<std::string> texts;
  for (const std::string& file : files) texts.push_back(contents("tests/readme/examples/" + file));
  EXPECT_EQ(code_of(code_blocks(contents(page), "cpp")), code_of(texts));
}

TEST(ExamplePages, QuoteTheMethodAndItsTest) {
  expect_quoted("docs/adding-a-method.md", {"both_ways.cpp", "both_ways_test.cpp"});
}

TEST(ExamplePages, QuoteTheMachineAndItsTest) {
  expect_quoted("docs/adding-a-machine.md", {"tree_family.cpp", "tree_test.cpp"});
}

}  // namespace
}  // namespace lockstep::test
