#include "argument_order.hpp"

#include <algorithm>
#include <string_view>

#include "command.hpp"
#include "subcommands.hpp"

namespace lockstep::cli::shell {
namespace {

/// The flags of the subcommand that are followed by a value.
std::vector<std::string> flags_with_value(std::string_view subcommand) {
  std::vector<std::string> flags;
  for (const flags::ShownCommand& command : shown_command().subcommands) {
    if (command.name != subcommand) continue;
    for (const flags::ShownOption& option : command.options) {
      if (!option.flag.empty() && !option.type.empty()) flags.push_back(option.flag);
    }
  }
  return flags;
}

}  // namespace

std::vector<const char*> argument_before_json(std::span<const char* const> arguments) {
  std::vector<const char*> words(arguments.begin(), arguments.end());
  const auto json = std::ranges::find(words, std::string_view("--json"));
  if (words.end() - json < 2) return words;
  const auto word = json + 1;
  const Subcommand* const subcommand = find_subcommand(words.front());
  const auto is_argument = [&](const std::string& text) {
    return !text.starts_with('-') && subcommand->is_argument(text);
  };
  if (subcommand == nullptr || subcommand->is_argument == nullptr || !is_argument(*word)) return words;
  const std::vector<std::string> with_value = flags_with_value(subcommand->name);
  for (auto other = words.begin() + 1; other != words.end(); ++other) {
    const bool is_value = std::ranges::find(with_value, std::string_view(other[-1])) != with_value.end();
    if (!is_value && is_argument(*other)) return words;
  }
  const char* const argument = *word;
  *json = "--json=-";
  words.erase(word);
  words.insert(words.begin() + 1, argument);
  return words;
}

}  // namespace lockstep::cli::shell
