// Names that sources must not use.
#include <gtest/gtest.h>

#include <filesystem>

#include "documents.hpp"

namespace lockstep::test {
namespace {

// The standard does not specify the results of these for given engine bits; documents promise the same results for the
// same seed.
TEST(Sources, DrawNothingThatDependsOnTheStandardLibrary) {
  const std::filesystem::path repository = LOCKSTEP_SOURCE_DIRECTORY;
  std::size_t sources = 0;
  for (const char* const module : {"core", "machines", "algorithms", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / module)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      ++sources;
      const std::string file = entry.path().lexically_relative(repository);
      const std::string text = contents(file);
      for (const char* const name : {"std::shuffle", "ranges::shuffle", "::sample(", "_distribution",
                                     "default_random_engine", "generate_canonical"}) {
        EXPECT_EQ(text.find(name), std::string::npos) << file << " uses " << name;
      }
    }
  }
  EXPECT_GT(sources, 500U);
}

}  // namespace
}  // namespace lockstep::test
