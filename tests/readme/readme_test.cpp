// The README's promises besides its examples: it is short, shows a user's whole program, and `./dev help` names what
// exists.
#include <gtest/gtest.h>

#include <fstream>
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

// NetworkX is not among the packages that Lockstep needs; other tests read the file that it writes.
TEST(Readme, LeavesNothingToTheShellButOneCommandOfNetworkX) {
  std::vector<std::string> blocks;
  for (const std::string& document : documents()) {
    for (const std::string& block : code_blocks(contents(document), "sh")) blocks.push_back(block);
  }
  EXPECT_EQ(blocks, std::vector<std::string>{"python3 -c 'import json, networkx as nx; "
                                             "print(json.dumps(nx.node_link_data(nx.petersen_graph())))' "
                                             ">petersen.json\n"});
}

TEST(Dev, PassesOnTheCommandsOfLockstepAndNoOthers) {
  const std::string dev = "LOCKSTEP_NO_INSTALL=1 '" LOCKSTEP_SOURCE_DIRECTORY "'/dev ";
  const std::string table = contents("cli/shell/subcommands.cpp");
  std::istringstream help(give_in_repository("./dev --help").output);
  std::string line;
  while (std::getline(help, line) && line != "Subcommands:") continue;
  unsigned commands = 0;
  for (; std::getline(help, line) && line.starts_with("  "); ++commands) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_NE(table.find("{.name = \"" + name + "\","), std::string::npos) << "./dev does not find " << name;
  }
  EXPECT_GE(commands, 16U);
  for (const std::string command : {"demos", "nonsense"}) {
    const Given given = give(dev + command, ".");
    EXPECT_EQ(given.exit_code, 2) << command;
    EXPECT_EQ(given.output, "dev: unknown command '" + command + "'; ./dev help lists them\n");
  }
}

}  // namespace
}  // namespace lockstep::test::readme_test
