// What the README promises beside its examples: that it is short, that it shows a user's whole program, and that
// `./dev help` names what exists.
#include <gtest/gtest.h>

#include <sstream>

#include "documents.hpp"

namespace lockstep::test::readme_test {
namespace {

TEST(Readme, IsRead) { EXPECT_LE(lines_of(contents("README.md")).size(), 200U); }

TEST(Readme, ShowsTheConsumersProgram) {
  const std::vector<std::string> programs = code_blocks(contents("README.md"), "cpp");
  ASSERT_FALSE(programs.empty());
  EXPECT_EQ(programs.front(), contents("tests/consumer/ring_sum.cpp"));
}

// NetworkX is not among the packages that Lockstep needs; the file that comes of it is read by other tests.
TEST(Readme, LeavesNothingToTheShellButOneCommandOfNetworkX) {
  std::vector<std::string> blocks;
  for (const std::string& document : documents()) {
    for (const std::string& block : code_blocks(contents(document), "sh")) blocks.push_back(block);
  }
  EXPECT_EQ(blocks, std::vector<std::string>{"python3 -c 'import json, networkx as nx; "
                                             "print(json.dumps(nx.node_link_data(nx.petersen_graph())))' "
                                             ">petersen.json\n"});
}

/// The words of a text between two others, without commas.
std::vector<std::string> words_between(const std::string& text, const std::string& from, const std::string& until) {
  const std::size_t begin = text.find(from);
  const std::size_t end = text.find(until, begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::istringstream in(text.substr(begin + from.size(), end - begin - from.size()));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word.substr(0, word.find(',')));
  return words;
}

TEST(Dev, NamesOnlyCommandsThatExist) {
  const std::string dev = "LOCKSTEP_NO_INSTALL=1 '" LOCKSTEP_SOURCE_DIRECTORY "'/dev ";
  const std::string help = give_in_repository("./dev --help").output;
  const std::vector<std::string> named = words_between(give(dev + "help", ".").output, "the same for ", "./dev build");
  EXPECT_GE(named.size(), 6U);
  for (const std::string& word : named) {
    if (word == "and") continue;
    EXPECT_NE(help.find((word.starts_with("--") ? "" : "\n  ") + word), std::string::npos)
        << word << " is no command and no flag of lockstep";
  }
  for (const std::string command : {"demos", "nonsense"}) {
    const Given given = give(dev + command, ".");
    EXPECT_EQ(given.exit_code, 2) << command;
    EXPECT_EQ(given.output, "dev: unknown command '" + command + "'; ./dev help lists them\n");
  }
}

}  // namespace
}  // namespace lockstep::test::readme_test
