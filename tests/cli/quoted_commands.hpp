#pragma once

#include <string>
#include <vector>

namespace lockstep::test {

/// The exit code of a line for a shell in which `lockstep` is the command under test; what it writes is in `output`.
int run_in_shell(const std::string& line, const std::string& directory, std::string& output);

/// A command in a text, and the exit code that the text says.
struct Quoted {
  std::string line;
  int exit_code = 0;
};

/// What stands between backquotes and has the command: "`lockstep ..`", or "`lockstep ..` (exit code 2)".
std::vector<Quoted> commands_in(const std::string& text);

}  // namespace lockstep::test
