// The worked examples are quoted whole: the C++ of a page, block after block, is that of its files, which are compiled
// and tested with this program.
#include <gtest/gtest.h>

#include <algorithm>

#include "documents.hpp"

namespace lockstep::test::example_pages_test {
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

/// The page with every block replaced by the code from the block's first line to the first line of the next.
std::string with_quotes(const std::string& page, const std::vector<std::string>& code) {
  const std::vector<std::string> blocks = code_blocks(page, "cpp");
  std::string result = page;
  auto next = code.begin();
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const auto begin = std::find(next, code.end(), lines_of(blocks[index]).front());
    if (begin == code.end()) break;  // the comparison fails
    const bool is_last = index + 1 == blocks.size();
    next = is_last ? code.end() : std::find(begin, code.end(), lines_of(blocks[index + 1]).front());
    std::string quote;
    for (auto line = begin; line != next; ++line) quote += *line + "\n";
    quote.erase(quote.find_last_not_of('\n') + 1);
    const std::size_t at = result.find("```cpp\n" + blocks[index]);
    result.replace(at + 7, blocks[index].size(), quote + "\n");
  }
  return result;
}

void expect_quoted(const std::string& page, const std::vector<std::string>& files) {
  std::vector<std::string> texts;
  texts.reserve(files.size());
  for (const std::string& file : files) texts.push_back(contents("tests/readme/" + file));
  if (is_rewriting()) {
    std::string all;
    for (const std::string& text : texts) all += text;
    rewrite(page, with_quotes(contents(page), lines_of(all)));
  }
  EXPECT_EQ(code_of(code_blocks(contents(page), "cpp")), code_of(texts));
}

TEST(ExamplePages, QuoteTheMethodAndItsTest) {
  expect_quoted("docs/adding-a-method.md", {"examples/both_ways.cpp", "examples/both_ways_test.cpp"});
}

TEST(ExamplePages, QuoteTheMachineAndItsTest) {
  expect_quoted("docs/adding-a-machine.md", {"examples/tree_family.cpp", "examples/tree_test.cpp"});
}

TEST(ExamplePages, QuoteTheProgramOfTheTutorial) { expect_quoted("docs/tutorial.md", {"lab/wheel.cpp"}); }

TEST(ExamplePages, QuoteTheSolutionsOfTheLab) {
  expect_quoted("docs/lab-solutions.md", {"lab/lab.cpp", "lab/ann.cpp", "lab/ben.cpp"});
}

TEST(ExamplePages, QuotePartsOfTheProgramsOfTheLab) {
  const std::string programs = contents("tests/readme/lab/lab.cpp") + contents("tests/readme/lab/mistakes.cpp");
  const std::vector<std::string> parts = code_blocks(contents("docs/lab.md"), "cpp");
  EXPECT_FALSE(parts.empty());
  for (const std::string& part : parts) EXPECT_NE(programs.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace lockstep::test::example_pages_test
