// The last section of every page of docs/algorithms is the output of `lockstep errata` for its paper.
#include <gtest/gtest.h>

#include "documents.hpp"

namespace lockstep::test::errata_pages_test {
namespace {

class ErrataPages : public testing::TestWithParam<std::string> {};

TEST_P(ErrataPages, EndInWhatTheCommandPrints) {
  const std::string page = "docs/algorithms/" + GetParam() + ".md";
  const std::string printed = give_in_repository("./dev errata " + GetParam() + " --markdown -").output;
  const std::string expected = "## Errata" + printed.substr(printed.find('\n'));
  const std::string shown = section(contents(page), "Errata");
  if (is_rewriting()) {
    const std::string text = contents(page);
    rewrite(page, text.substr(0, text.size() - shown.size()) + expected);
  }
  EXPECT_EQ(lines_of(section(contents(page), "Errata")), lines_of(expected));
}

INSTANTIATE_TEST_SUITE_P(Papers, ErrataPages,
                         testing::Values("dimakopoulos", "johnsson-ho", "mukherjee", "saad-schultz-1985",
                                         "saad-schultz-1988"),
                         [](const auto& paper) {
                           std::string name = paper.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace lockstep::test::errata_pages_test
