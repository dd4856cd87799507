#pragma once

#include <string>
#include <vector>

namespace lockstep::test {

/// The exit code of a line run by a shell in which `lockstep` is the command under test; its output is in `output`.
int run_in_shell(const std::string& line, const std::string& directory, std::string& output);

/// A command in a text, and the exit code that the text states.
struct Quoted {
  std::string line;
  int exit_code = 0;
};

/// The commands between backquotes: "`lockstep ..`", or "`lockstep ..` (exit code 2)".
std::vector<Quoted> commands_in(const std::string& text);

}  // namespace lockstep::test
