// The README is checked against what it describes: its tables against the catalogue and the machine families, its
// program against the consumer test's source, and the output it shows against the command's.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../temporary_directory.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {
namespace {

std::string contents(const std::string& file) {
  std::ifstream in(std::string(LOCKSTEP_SOURCE_DIRECTORY) + "/" + file);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines of text behind ```LANGUAGE and before ```, one string a block.
std::vector<std::string> code_blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> blocks;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    if (!inside && line == "```" + language) {
      inside = true;
      blocks.emplace_back();
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

struct Given {
  std::string output;
  int status = 0;
};

/// What came of a command given in a directory.
Given give(const std::string& command, const std::string& directory) {
  std::FILE* pipe = popen(("cd '" + directory + "' && " + command + " 2>&1").c_str(), "r");
  Given given;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) given.output.append(part.data(), size);
  given.status = pclose(pipe);
  EXPECT_NE(given.status, -1) << command;
  return given;
}

/// What a run measures differs from host to host.
bool is_measured(const std::string& line) {
  return line.find("wall-clock") != std::string::npos || line.find("messages/s") != std::string::npos ||
         line.find("are available") != std::string::npos;
}

std::vector<std::string> repeatable_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  std::erase_if(lines, is_measured);
  return lines;
}

TEST(Readme, ListsEveryMachineFamily) {
  const std::string readme = contents("README.md");
  for (const MachineFamily& family : machine_families()) {
    const std::string row =
        "| `" + family.form + "` | " + family.summary + " | " + family.limits + " | " + family.ports + " |\n";
    EXPECT_NE(readme.find(row), std::string::npos) << "the README lacks the row\n" << row;
  }
}

TEST(Readme, ListsEveryAlgorithm) {
  const std::string readme = contents("README.md");
  for (const Method* method : catalogue()) {
    std::string families;
    for (const std::string_view family : method->families) {
      families.append(families.empty() ? "" : ", ").append(family);
    }
    std::string row = "| `";
    row.append(method->name).append("` | ").append(families).append(" | ").append(method->summary).append(" | ");
    row.append(method->source).append(" |\n");
    EXPECT_NE(readme.find(row), std::string::npos) << "the README lacks the row\n" << row;
  }
}

TEST(Readme, ShowsTheConsumersProgram) {
  const std::vector<std::string> programs = code_blocks(contents("README.md"), "cpp");
  ASSERT_FALSE(programs.empty());
  EXPECT_EQ(programs.front(), contents("tests/consumer/ring_sum.cpp"));
}

struct Shown {
  std::string arguments;
  std::string output;
};

/// The commands behind "$ ./dev " of all console blocks, with the output that follows each.
std::vector<Shown> shown_commands(const std::string& readme) {
  const std::string prompt = "$ ./dev ";
  std::vector<Shown> commands;
  for (const std::string& session : code_blocks(readme, "console")) {
    for (const std::string& line : lines_of(session)) {
      if (line.rfind(prompt, 0) == 0) {
        commands.push_back({line.substr(prompt.size()), ""});
      } else if (!commands.empty()) {
        commands.back().output += line + "\n";
      }
    }
  }
  return commands;
}

TEST(Readme, ShowsOutputThatTheCommandReallyPrints) {
  std::size_t compared = 0;
  for (const Shown& shown : shown_commands(contents("README.md"))) {
    if (shown.output.empty()) continue;
    SCOPED_TRACE(shown.arguments);
    // Where a reader would give it.
    const Given given = give(std::string(LOCKSTEP_COMMAND) + " " + shown.arguments, LOCKSTEP_SOURCE_DIRECTORY);
    EXPECT_EQ(repeatable_lines(shown.output), repeatable_lines(given.output));
    ++compared;
  }
  EXPECT_GE(compared, 5U);
}

TEST(Readme, ShowsCommandsThatWork) {
  const test::TemporaryDirectory directory;
  std::ofstream(directory.file("names.txt")) << "Turing\nHopper\nLovelace\n";  // a reader's own file
  std::size_t given = 0;
  for (const Shown& shown : shown_commands(contents("README.md"))) {
    if (!shown.output.empty() || shown.arguments == "test") continue;  // which would run this test too
    const Given command = give(std::string(LOCKSTEP_COMMAND) + " " + shown.arguments, directory.path());
    EXPECT_EQ(command.status, 0) << shown.arguments << "\n" << command.output;
    ++given;
  }
  EXPECT_GE(given, 2U);
  std::ostringstream sorted;
  sorted << std::ifstream(directory.file("sorted.txt")).rdbuf();
  EXPECT_EQ(sorted.str(), "Hopper\nLovelace\nTuring\n");
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
  const std::string dev = "LOCKSTEP_NO_INSTALL=1 ./dev ";
  const std::string help = give(std::string(LOCKSTEP_COMMAND) + " --help", ".").output;
  const std::vector<std::string> named =
      words_between(give(dev + "help", LOCKSTEP_SOURCE_DIRECTORY).output, "the same for ", "./dev test");
  EXPECT_GE(named.size(), 6U);
  for (const std::string& word : named) {
    if (word == "and") continue;
    EXPECT_NE(help.find((word.starts_with("--") ? "" : "\n  ") + word), std::string::npos)
        << word << " is no command and no flag of lockstep";
  }
  for (const std::string command : {"compare", "sweep", "reproduce", "trace", "demo", "nonsense"}) {
    const Given given = give(dev + command, LOCKSTEP_SOURCE_DIRECTORY);
    EXPECT_EQ(WEXITSTATUS(given.status), 2) << command;
    EXPECT_EQ(given.output, "dev: unknown command '" + command + "'; ./dev help lists them\n");
  }
}

TEST(Readme, ShowsNoOtherCommandsThanOneOfNetworkX) {
  // NetworkX is not among the packages that Lockstep needs; the file that comes of it is read by other tests.
  EXPECT_EQ(code_blocks(contents("README.md"), "sh"),
            std::vector<std::string>{"python3 -c 'import json, networkx as nx; "
                                     "print(json.dumps(nx.node_link_data(nx.petersen_graph())))' >petersen.json\n"});
}

}  // namespace
}  // namespace lockstep
