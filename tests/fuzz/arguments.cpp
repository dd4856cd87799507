// Command lines, one word a line: the command ends properly for any of them. Small requests are run, large ones only
// planned.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "directory.hpp"
#include "host/exit_code.hpp"
#include "lockstep/command/command.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "run/failure.hpp"
#include "run/planned_runs.hpp"
#include "target.hpp"

namespace lockstep::cli {
namespace {

using Words = std::vector<std::string>;

Words words_in(std::span<const std::uint8_t> bytes) {
  Words words{"lockstep"};
  std::istringstream lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (std::string word; std::getline(lines, word);) {
    word.erase(std::ranges::find(word, '\0'), word.end());  // no argument contains one
    words.push_back(word);
  }
  return words;
}

/// Whether a word names a file elsewhere: methods have a single slash, between letters.
bool leads_away(std::string_view word) {
  const std::size_t stroke = word.find('/');
  if (stroke == std::string_view::npos) return false;
  const auto is_of_name = [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '='; };
  return stroke == 0 || !is_of_name(word[stroke - 1]) || word.find('/', stroke + 1) != std::string_view::npos;
}

/// Whether the word may cost much: large numbers, ranges, large machines.
bool is_large(const std::string& word) {
  constexpr std::uint64_t large = 64;
  std::uint64_t number = 0;
  bool had_digit = false;
  for (const char letter : word) {
    const bool is_digit = letter >= '0' && letter <= '9';
    number = is_digit ? 10 * number + static_cast<std::uint64_t>(letter - '0') : 0;
    if (number > large || (had_digit && (letter == 'e' || letter == 'E'))) return true;
    had_digit = is_digit;
  }
  if (word.find("..") != std::string::npos) return true;
  try {
    return parse_machine(word.substr(word.find('=') + 1)).processors > large;
  } catch (const MachineSpecError&) {
    return false;
  }
}

enum class Way { all, plan, nothing };

Way way_of(const Words& words) {
  // They start other programs, wait for users or clocks, or do more than a fuzz input should.
  constexpr std::array<std::string_view, 16> left_out{
      "judge",  "judge-run", "demo",   "new",     "reproduce", "search",       "best",    "alltoall/search",
      "--auto", "--plot",    "--html", "compare", "sweep",     "--time-limit", "--tries", "graph:"};
  bool plans = false;
  for (const std::string& word : words) {
    const auto is_named = [&](std::string_view name) { return word.find(name) != std::string::npos; };
    if (leads_away(word) || std::ranges::any_of(left_out, is_named)) return Way::nothing;
    plans = plans || is_large(word);
  }
  if (!plans) return Way::all;
  return words.size() > 1 && words[1] == "run" ? Way::plan : Way::nothing;
}

/// Plans the run even if it is large: that allocates nothing large.
void plan(const Words& words) {
  CLI::App app;
  run::RunArguments arguments;
  run::add_run_options(app, arguments);
  app.allow_extras();
  std::vector<std::string> reversed(words.rbegin(), words.rend() - 2);
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError&) {
    return;
  }
  run::plan_runs(arguments);
}

int result_of(const Words& words, Way way) {
  if (way == Way::all) {
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    argv.push_back(nullptr);
    return command(static_cast<int>(words.size()), argv.data());
  }
  try {
    plan(words);
  } catch (...) {
    const run::CommandFailure failure = run::failure_of(std::current_exception());
    std::cerr << failure.text;
    return failure.code;
  }
  return host::verified;
}

void take(std::span<const std::uint8_t> bytes) {
  static const fuzz::Directory directory;
  static const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  const Words words = words_in(bytes);
  const Way way = way_of(words);
  if (way == Way::nothing) return;
  std::ostringstream said;
  std::streambuf* const standard_error = std::cerr.rdbuf(said.rdbuf());
  const int code = result_of(words, way);
  std::cerr.rdbuf(standard_error);
  directory.clear();
  if (code != host::internal_error) return;
  std::cerr << said.str() << "\n";
  std::abort();
}

}  // namespace
}  // namespace lockstep::cli

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  lockstep::cli::take({bytes, count});
  return 0;
}
