// Every command that a document shows is run and its output compared with the one shown; every `./dev` command and
// every file that a document names exists.
#include "documents.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../temporary_directory.hpp"

namespace lockstep::test::documents_test {
namespace {

class Documents : public testing::TestWithParam<std::string> {};

TEST_P(Documents, ShowOutputThatTheCommandReallyPrints) {
  const auto output_of = [](const Shown& shown) {
    return is_for_the_command(shown) ? give_where_shown(shown.line, command_of(GetParam())).output : shown.output;
  };
  if (is_rewriting()) rewrite(GetParam(), with_outputs(contents(GetParam()), output_of));
  for (const Shown& shown : shown_commands(contents(GetParam()))) {
    if (shown.output.empty()) continue;
    EXPECT_TRUE(is_for_the_command(shown)) << "no test checks the output of: " << shown.line;
    EXPECT_EQ(repeatable_lines(shown.output), repeatable_lines(output_of(shown))) << shown.line;
  }
}

TEST_P(Documents, ShowCommandsThatWork) {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("names.txt")) << "Turing\nHopper\nLovelace\n";  // a reader's own file
  std::filesystem::create_directory_symlink(programs_directory() + "/build", directory.file("build"));
  for (const Shown& shown : shown_commands(contents(GetParam()))) {
    if (!shown.output.empty() || !is_for_the_command(shown)) continue;
    const Given given = give(shown.line, directory.path(), command_of(GetParam()));
    EXPECT_EQ(given.exit_code, 0) << shown.line << "\n" << given.output;
    if (shown.line.find("--output sorted.txt") == std::string::npos) continue;
    std::ostringstream sorted;
    sorted << std::ifstream(directory.file("sorted.txt")).rdbuf();
    EXPECT_EQ(sorted.str(), "Hopper\nLovelace\nTuring\n");
  }
}

/// The words that follow a text, up to the first character that is neither a letter nor "-".
std::vector<std::string> words_behind(const std::string& text, const std::string& before) {
  std::vector<std::string> words;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    at += before.size();
    std::size_t end = at;
    while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-')) ++end;
    words.push_back(text.substr(at, end - at));
  }
  return words;
}

TEST_P(Documents, NameOnlyCommandsThatExist) {
  static const std::string help = give("LOCKSTEP_NO_INSTALL=1 '" LOCKSTEP_SOURCE_DIRECTORY "'/dev help", ".").output +
                                  give_in_repository("./dev --help").output;
  for (const std::string& word : words_behind(contents(GetParam()), "./dev ")) {
    EXPECT_NE(help.find(word), std::string::npos) << "./dev " << word;
  }
}

std::string without_code_blocks(const std::string& text) {
  std::string prose;
  bool is_code = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (!is_code) prose += line + "\n";
  }
  return prose;
}

/// The target of every link of a Markdown text: the text in parentheses after "]".
std::vector<std::string> link_targets(const std::string& text) {
  std::vector<std::string> targets;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    targets.push_back(text.substr(at + 2, text.find(')', at) - at - 2));
  }
  return targets;
}

/// The part of a heading's link after "#", as GitHub makes it.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char letter : heading.substr(heading.find(' ') + 1)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || letter == '-' || letter == '_') anchor += static_cast<char>(std::tolower(byte));
    if (letter == ' ') anchor += '-';
  }
  return anchor;
}

bool has_heading(const std::string& document, const std::string& anchor) {
  for (const std::string& line : lines_of(contents(document))) {
    if (line.starts_with("#") && anchor_of(line) == anchor) return true;
  }
  return false;
}

bool exists(const std::string& file) {
  return std::filesystem::exists(std::filesystem::path(LOCKSTEP_SOURCE_DIRECTORY) / file);
}

TEST_P(Documents, ReferToWhatExists) {
  const std::filesystem::path folder = std::filesystem::path(GetParam()).parent_path();
  for (const std::string& target : link_targets(without_code_blocks(contents(GetParam())))) {
    if (target.find("://") != std::string::npos) continue;
    const std::size_t hash = target.find('#');
    const std::string file = hash == 0 ? GetParam() : (folder / target.substr(0, hash)).lexically_normal().string();
    EXPECT_TRUE(exists(file)) << target;
    if (!exists(file) || hash == std::string::npos) continue;
    EXPECT_TRUE(has_heading(file, target.substr(hash + 1))) << target;
  }
}

/// The path of a file that a document names in backticks: `tests/cli`, `lockstep/core/machine.hpp`; empty if it is not
/// a file.
std::string file_named(const std::string& quoted) {
  const std::string folder = quoted.substr(0, quoted.find('/'));
  if (folder == quoted || quoted.find_first_of(" *<") != std::string::npos) return {};
  if (folder == "lockstep") {
    const std::size_t begin = folder.size() + 1;
    const std::string module = quoted.substr(begin, quoted.find('/', begin) - begin);
    return module + "/include/" + quoted;
  }
  constexpr std::array<std::string_view, 8> folders{"core",  "machines", "algorithms", "cli",
                                                    "tests", "docs",     "cmake",      ".ci"};
  return std::find(folders.begin(), folders.end(), folder) == folders.end() ? std::string() : quoted;
}

TEST_P(Documents, NameFilesThatExist) {
  const std::string prose = without_code_blocks(contents(GetParam()));
  for (std::size_t begin = prose.find('`'); begin != std::string::npos; begin = prose.find('`', begin)) {
    const std::size_t end = prose.find('`', ++begin);
    if (end == std::string::npos) break;
    const std::string quoted = prose.substr(begin, end - begin);
    const std::string file = file_named(quoted);
    EXPECT_TRUE(file.empty() || exists(file)) << quoted;
    begin = end + 1;
  }
}

/// A name for a test of a document, of letters, digits and underscores.
std::string test_name(const testing::TestParamInfo<std::string>& document) {
  std::string name = document.param;
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, Documents, testing::ValuesIn(documents()), test_name);

}  // namespace
}  // namespace lockstep::test::documents_test
