// docs/command.md against the help of every subcommand: it has every flag and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "documents.hpp"

namespace lockstep::test::command_page_test {
namespace {

const std::string page = "docs/command.md";

/// The first "--flag" of a text; empty if there is none.
std::string first_flag(const std::string& text) {
  const std::size_t begin = text.find("--");
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin);
  return text.substr(begin, end == std::string::npos ? end : end - begin);
}

/// The flags of a subcommand, or of `lockstep` itself, from its help: " --flag VALUE description".
std::set<std::string> flags_of(const std::string& subcommand) {
  std::set<std::string> flags;
  for (const std::string& line : lines_of(give_in_repository("./dev " + subcommand + " --help").output)) {
    if (line.starts_with("  --") || line.starts_with("  -h,--")) flags.insert(first_flag(line));
  }
  EXPECT_FALSE(flags.empty()) << subcommand;
  return flags;
}

/// The flags that have a row in a table: "| `--flag VALUE` | ...".
std::set<std::string> flags_with_rows(const std::string& text) {
  std::set<std::string> flags;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("| `--")) flags.insert(first_flag(line));
  }
  return flags;
}

/// The subcommands in the order of `lockstep --help`.
std::vector<std::string> subcommands() {
  const std::string help = give_in_repository("./dev --help").output;
  const std::size_t begin = help.find("Subcommands:\n") + 13;
  std::vector<std::string> names;
  for (const std::string& line : lines_of(help.substr(begin, help.find("\n\n", begin) - begin))) {
    if (line.starts_with("  ") && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_GE(names.size(), 5U) << help;
  return names;
}

TEST(CommandPage, HasARowForEveryFlagAndForNoOther) {
  std::set<std::string> flags = flags_of("");
  for (const std::string& subcommand : subcommands()) flags.merge(flags_of(subcommand));
  EXPECT_EQ(flags_with_rows(contents(page)), flags);
}

TEST(CommandPage, NamesEveryFlagOfASubcommandInItsSection) {
  for (const std::string& subcommand : subcommands()) {
    const std::string text = section(contents(page), "lockstep " + subcommand);
    for (const std::string& flag : flags_of(subcommand)) {
      if (flag == "--help") continue;  // of all
      const bool is_named = text.find("`" + flag + "`") != std::string::npos || flags_with_rows(text).contains(flag);
      EXPECT_TRUE(is_named) << "the section of " << subcommand << " lacks " << flag;
    }
  }
}

}  // namespace
}  // namespace lockstep::test::command_page_test
