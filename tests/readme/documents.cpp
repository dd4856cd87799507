#include "documents.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep::test {

namespace {

const std::filesystem::path repository = LOCKSTEP_SOURCE_DIRECTORY;

constexpr std::string_view prompt = "$ ";
constexpr std::string_view script = "./dev ";
/// The folders of the lab's programs, below programs_directory().
constexpr std::array<std::string_view, 2> own_programs{"build/release/", "build/asan/"};

bool is_for_own_program(const std::string& line) {
  return std::any_of(own_programs.begin(), own_programs.end(),
                     [&](std::string_view folder) { return line.starts_with(folder); });
}

std::string with_command(std::string line, const std::string& command) {
  for (std::size_t at = line.find(script); at != std::string::npos; at = line.find(script, at)) {
    line.replace(at, script.size(), command + " ");
  }
  return line;
}

/// Measured values differ from host to host.
bool is_measured(const std::string& line) {
  return line.find("wall-clock") != std::string::npos || line.find("messages/s") != std::string::npos ||
         line.find("are available") != std::string::npos;
}

}  // namespace

std::vector<std::string> documents() {
  std::vector<std::string> found;
  const auto add = [&found](const std::filesystem::directory_entry& entry) {
    if (entry.path().extension() == ".md") found.push_back(entry.path().lexically_relative(repository));
  };
  for (const auto& entry : std::filesystem::directory_iterator(repository)) add(entry);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / "docs")) add(entry);
  std::sort(found.begin(), found.end());
  return found;
}

std::string contents(const std::string& file) {
  std::ifstream in(repository / file);
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

std::vector<std::string> code_blocks(const std::string& text, std::string_view language) {
  const std::string begin = "```" + std::string(language);
  std::vector<std::string> blocks;
  bool is_inside = false;
  for (const std::string& line : lines_of(text)) {
    if (!is_inside && line == begin) {
      is_inside = true;
      blocks.emplace_back();
    } else if (is_inside && line == "```") {
      is_inside = false;
    } else if (is_inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

std::string section(const std::string& text, const std::string& title) {
  const std::string heading = "## " + title + "\n";
  const std::size_t begin = text.find("\n" + heading);
  EXPECT_NE(begin, std::string::npos) << "there is no section " << title;
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find("\n## ", begin + heading.size());
  return text.substr(begin + 1, end == std::string::npos ? end : end - begin);
}

std::string command_of(const std::string& document) {
  return document.starts_with("docs/adding-a-") ? LOCKSTEP_WITH_EXAMPLES : LOCKSTEP_COMMAND;
}

Given give(const std::string& line, const std::string& directory, const std::string& command) {
  const std::string shell_line = "cd '" + directory + "' && { " + with_command(line, command) + "; } 2>&1";
  std::FILE* pipe = popen(shell_line.c_str(), "r");
  Given given;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) given.output.append(part.data(), size);
  const int status = pclose(pipe);
  if (status != -1 && WIFEXITED(status)) given.exit_code = WEXITSTATUS(status);
  return given;
}

Given give_in_repository(const std::string& line, const std::string& command) {
  return give(line, repository, command);
}

std::string programs_directory() { return LOCKSTEP_PROGRAMS; }

Given give_where_shown(const std::string& line, const std::string& command) {
  return is_for_own_program(line) ? give(line, programs_directory(), command) : give_in_repository(line, command);
}

std::vector<Shown> shown_commands(const std::string& text) {
  std::vector<Shown> commands;
  for (const std::string& session : code_blocks(text, "console")) {
    for (const std::string& line : lines_of(session)) {
      if (line.starts_with(prompt)) {
        commands.push_back({line.substr(prompt.size()), ""});
      } else if (!commands.empty()) {
        commands.back().output += line + "\n";
      }
    }
  }
  return commands;
}

bool is_for_the_command(const Shown& shown) {
  if (is_for_own_program(shown.line)) return true;
  if (!shown.line.starts_with(script)) return false;
  const std::string word = shown.line.substr(script.size(), shown.line.find(' ', script.size()) - script.size());
  static const std::string subcommands = contents("cli/shell/subcommands.cpp");
  return word == "--version" || word == "--help" || subcommands.find("{.name = \"" + word + "\",") != std::string::npos;
}

std::vector<std::string> repeatable_lines(const std::string& output) {
  std::vector<std::string> lines = lines_of(output);
  std::erase_if(lines, is_measured);
  return lines;
}

namespace {

/// The present output, with the measured lines that were shown before, as they differ in every run.
std::string renewed(const std::string& shown, const std::string& given) {
  const std::vector<std::string> before = lines_of(shown);
  std::vector<std::string> lines = lines_of(given);
  if (repeatable_lines(shown) == repeatable_lines(given) || lines.empty()) return shown;
  for (std::size_t index = 0; before.size() == lines.size() && index < lines.size(); ++index) {
    if (is_measured(before[index]) && is_measured(lines[index])) lines[index] = before[index];
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

std::string with_outputs(const std::string& text, const std::function<std::string(const Shown&)>& output_of) {
  std::string result;
  bool is_console = false;
  Shown open;
  const auto finish = [&] {
    if (!open.output.empty()) {
      result += renewed(open.output, output_of(open));
    }
    open = {};
  };
  for (const std::string& line : lines_of(text)) {
    const bool is_fence = line.starts_with("```");
    const bool is_command = is_console && line.starts_with(prompt);
    if (is_console && !is_fence && !is_command) {
      open.output += line + "\n";
      continue;
    }
    finish();
    if (is_command) open.line = line.substr(prompt.size());
    if (is_fence) is_console = !is_console && line == "```console";
    result += line + "\n";
  }
  return result;
}

bool is_rewriting() {
  const char* asked = std::getenv("LOCKSTEP_REWRITE_DOCUMENTS");
  return asked != nullptr && *asked != '\0' && *asked != '0';
}

void rewrite(const std::string& document, const std::string& text) {
  if (text != contents(document)) std::ofstream(repository / document) << text;
}

}  // namespace lockstep::test
