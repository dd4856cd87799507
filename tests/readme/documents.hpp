#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// The documents of the repository and the commands that they show.
namespace lockstep::test {

/// README.md, the Markdown files beside it and those below docs/, relative to the repository.
std::vector<std::string> documents();

/// The text of a file of the repository.
std::string contents(const std::string& file);

std::vector<std::string> lines_of(const std::string& text);

/// The lines between ```LANGUAGE and ```, one string for each block.
std::vector<std::string> code_blocks(const std::string& text, std::string_view language);

/// The text from the line "## TITLE" to the next line that begins with "## "; a test failure if there is none.
std::string section(const std::string& text, const std::string& title);

/// The result of a command.
struct Given {
  std::string output;
  int exit_code = -1;
};

/// The built command; for the pages of the worked examples, the one with the examples in its lists.
std::string command_of(const std::string& document);

/// Runs a command line with the shell in a directory; "./dev " in it stands for the command.
Given give(const std::string& line, const std::string& directory, const std::string& command = command_of(""));
/// The same, in the repository, as a reader would run it.
Given give_in_repository(const std::string& line, const std::string& command = command_of(""));
/// The same, but a line that begins with "build/release/NAME" or "build/asan/NAME" runs a program of the lab.
Given give_where_shown(const std::string& line, const std::string& command = command_of(""));
/// The parent of those folders.
std::string programs_directory();

/// A command after "$ " in a console block, with the lines that follow it.
struct Shown {
  std::string line;    ///< "./dev list presets"
  std::string output;  ///< empty if none is shown
};

std::vector<Shown> shown_commands(const std::string& text);

/// Whether `lockstep` itself runs it: ./dev builds and tests with other programs.
bool is_for_the_command(const Shown& shown);

/// The lines of an output except those that differ between runs or hosts.
std::vector<std::string> repeatable_lines(const std::string& output);

/// The text with the repeatable lines of its shown outputs replaced by those of the commands.
std::string with_outputs(const std::string& text, const std::function<std::string(const Shown&)>& output_of);

/// Whether LOCKSTEP_REWRITE_DOCUMENTS=1 is set: rewrites the outputs and quotes in the documents.
bool is_rewriting();
/// Writes a document of the repository.
void rewrite(const std::string& document, const std::string& text);

}  // namespace lockstep::test
