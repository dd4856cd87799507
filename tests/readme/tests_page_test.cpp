// tests/README.md names tests that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "documents.hpp"

namespace lockstep::test::tests_page_test {
namespace {

/// The sources of all tests, concatenated.
std::string sources_of_tests() {
  const std::filesystem::path repository = LOCKSTEP_SOURCE_DIRECTORY;
  std::string sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / "tests")) {
    if (entry.path().extension() == ".cpp") sources += contents(entry.path().lexically_relative(repository));
  }
  return sources;
}

TEST(TestsPage, NamesTestsThatExist) {
  const std::string page = contents("tests/README.md");
  const std::string sources = sources_of_tests();
  const std::regex name("`([A-Z][A-Za-z]+)\\.([A-Za-z][A-Za-z_]+)`");
  std::size_t found = 0;
  for (std::sregex_iterator match(page.begin(), page.end(), name); match != std::sregex_iterator(); ++match, ++found) {
    const std::string test = "(" + (*match)[1].str() + ", " + (*match)[2].str() + ")";
    EXPECT_NE(sources.find(test), std::string::npos) << "there is no test " << test;
  }
  EXPECT_GE(found, 25U);
}

}  // namespace
}  // namespace lockstep::test::tests_page_test
