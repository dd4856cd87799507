#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags/command_line.hpp"

namespace lockstep::cli::shell {

void add_completion_options(CLI::App& app, std::string& shell);

/// `lockstep completion SHELL`: writes the shell's completion script. Throws InputError.
int completion_command(const std::string& shell);

/// The arguments of `lockstep completion words`, which these scripts call: the words of a command line after
/// `lockstep`, up to the one that is being completed, which may be empty. Empty for any other command.
std::optional<std::vector<std::string>> words_to_complete(int argc, const char* const* argv);

/// The completions of the last word, one a line: the whole word, a tab and its meaning. Flags and subcommands are the
/// command's; values come from the lists that the flags check them against.
std::string completions(const flags::ShownCommand& command, const std::vector<std::string>& words);

}  // namespace lockstep::cli::shell
