#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::cli::shell {

void add_completion_options(CLI::App& app, std::string& shell);

/// `lockstep completion SHELL`: writes the script with which the shell asks for completions. Throws InputError.
int completion_command(const std::string& shell);

/// What stands behind `lockstep completion words`, the question of these scripts: the words of a command line behind
/// `lockstep`, up to the one that is being completed, which may be empty. Empty if that is not the question.
std::optional<std::vector<std::string>> words_to_complete(int argc, const char* const* argv);

/// What the last of the words can be completed to, a line each: the whole word, a tab and what it means. Flags and
/// subcommands are the app's own; values come from the lists that the flags check them against.
std::string completions(CLI::App& app, const std::vector<std::string>& words);

}  // namespace lockstep::cli::shell
