#include "quoted_commands.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace lockstep::test {

int run_in_shell(const std::string& line, const std::string& directory, std::string& output) {
  const std::string command = LOCKSTEP_COMMAND;
  const std::string path = "PATH='" + command.substr(0, command.rfind('/')) + "':$PATH";
  std::FILE* pipe = popen(("{ cd '" + directory + "' && export " + path + " && " + line + "\n} 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), size);
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<Quoted> commands_in(const std::string& text) {
  constexpr std::string_view code = " (exit code ";
  std::vector<Quoted> commands;
  for (std::size_t begin = text.find('`'); begin != std::string::npos; begin = text.find('`', begin)) {
    const std::size_t end = text.find('`', ++begin);
    const std::string line = text.substr(begin, end - begin);
    begin = std::min(end, text.size() - 1) + 1;
    const bool fails = text.compare(begin, code.size(), code) == 0;
    if (line.find("lockstep ") == std::string::npos) continue;
    commands.push_back({line, fails ? std::stoi(text.substr(begin + code.size())) : 0});
  }
  return commands;
}

}  // namespace lockstep::test
