#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// The documents of the repository, and the commands that they show.
namespace lockstep::test {

/// The Markdown files beside README.md and below docs/, relative to the repository.
std::vector<std::string> documents();

/// The text of a file of the repository.
std::string contents(const std::string& file);

std::vector<std::string> lines_of(const std::string& text);

/// The lines of text behind ```LANGUAGE and before ```, one string a block.
std::vector<std::string> code_blocks(const std::string& text, std::string_view language);

/// The text from the line "## TITLE" to the next line that begins so; a test failure if there is none.
std::string section(const std::string& text, const std::string& title);

/// What came of a command.
struct Given {
  std::string output;
  int exit_code = -1;
};

/// The built command; the pages of the worked examples show one with the examples in its lists.
std::string command_of(const std::string& document);

/// Gives a command line to the shell in a directory; "./dev " in it stands for the command.
Given give(const std::string& line, const std::string& directory, const std::string& command = command_of(""));
/// The same, where a reader would give it.
Given give_in_repository(const std::string& line, const std::string& command = command_of(""));
/// The same, but a line that begins with "build/release/NAME" or "build/asan/NAME" is for a program of the lab.
Given give_where_shown(const std::string& line, const std::string& command = command_of(""));
/// Where those folders are.
std::string programs_directory();

/// A command behind "$ " in a console block, with the lines that follow it.
struct Shown {
  std::string line;    ///< "./dev list presets"
  std::string output;  ///< empty if none is shown
};

std::vector<Shown> shown_commands(const std::string& text);

/// Whether `lockstep` does it: ./dev builds and tests by others.
bool is_for_the_command(const Shown& shown);

/// The lines of an output without those that differ from run to run and from host to host.
std::vector<std::string> repeatable_lines(const std::string& output);

/// The text with the repeatable lines of the outputs that it shows replaced by what the commands give.
std::string with_outputs(const std::string& text, const std::function<std::string(const Shown&)>& output_of);

/// Contributors ask by LOCKSTEP_REWRITE_DOCUMENTS=1 that what the documents show is written anew.
bool is_rewriting();
/// Writes a document of the repository.
void rewrite(const std::string& document, const std::string& text);

}  // namespace lockstep::test
