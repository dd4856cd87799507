#include "value_option.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "lockstep/core/printable.hpp"

namespace lockstep::cli::flags {
namespace {

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& valid) {
  const auto nearest = nearest_name(wrong, valid);
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& long_name : option->get_lnames()) flags.push_back("--" + long_name);
  }
  return flags;
}

void add_flags_without_value(const CLI::App& app, std::vector<std::string>& flags) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) continue;
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& letter : option->get_snames()) flags.push_back("-" + letter);
  }
}

void refuse_first(const CLI::App& app, const std::string& command) {
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return;
  const std::string argument = unknown.front().substr(0, unknown.front().find('='));
  const std::string help = " (" + command + " --help)";
  if (argument.starts_with('-')) {
    throw InputError("unknown flag " + quoted(argument) + did_you_mean(argument, flags_of(app)) + help);
  }
  if (app.get_parent() != nullptr) throw InputError("unexpected argument " + quoted(argument) + help);
  std::vector<std::string> commands;
  for (const CLI::App* subcommand : app.get_subcommands({})) commands.push_back(subcommand->get_name());
  std::string known;
  for (const std::string& name : commands) known += (known.empty() ? "" : ", ") + name;
  throw InputError("unknown command " + quoted(argument) + did_you_mean(argument, commands) + " (commands: " + known +
                   ")");
}

CLI::Option& value_option(CLI::App& app, const std::string& flag, const std::string& type,
                          const std::string& description, TakeText take) {
  CLI::callback_t once = [flag, take = std::move(take)](const CLI::results_t& values) {
    if (values.size() != 1) throw InputError(flag + " is given " + std::to_string(values.size()) + " times");
    take(values.front());
    return true;
  };
  CLI::Option* option = app.add_option(flag, std::move(once), description);
  return *option->type_name(type)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace

Flag add_repeated_option(CLI::App& app, const std::string& flag, const std::string& type,
                         const std::string& description, TakeText take) {
  CLI::callback_t each = [take = std::move(take)](const CLI::results_t& values) {
    for (const std::string& value : values) take(value);
    return true;
  };
  CLI::Option* option = app.add_option(flag, std::move(each), description);
  return Flag(*option->type_name(type)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

const Flag& Flag::group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

Flag add_value_option(CLI::App& app, const std::string& flag, const std::string& type, const std::string& description,
                      TakeText take) {
  return Flag(value_option(app, flag, type, description, std::move(take)));
}

Flag add_flag(CLI::App& app, const std::string& flag, bool& given, const std::string& description) {
  return Flag(*app.add_flag(flag, given, description));
}

Flag add_flag(CLI::App& app, const std::string& flag, std::function<void()> take, const std::string& description) {
  return Flag(*app.add_flag_callback(flag, std::move(take), description));
}

void set_footer(CLI::App& app, const std::string& text) { app.footer(text); }

void parse(std::vector<std::string> words, const std::function<void(CLI::App&)>& add) {
  CLI::App app;
  add(app);
  std::ranges::reverse(words);  // CLI11 reads them from the end
  app.parse(words);
}

Flag add_pair_option(CLI::App& app, const std::string& flag, const std::string& type, const std::string& description,
                     std::function<void(const std::string& first, const std::string& second)> take) {
  CLI::callback_t once = [flag, take = std::move(take)](const CLI::results_t& values) {
    if (values.size() > 2) throw InputError(flag + " is given " + std::to_string(values.size() / 2) + " times");
    take(values.front(), values.back());
    return true;
  };
  CLI::Option* option = app.add_option(flag, std::move(once), description);
  return Flag(
      *option->type_name(type)->type_size(2)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

Flag add_json_option(CLI::App& app, const std::string& description, TakeText take) {
  CLI::Option& option = value_option(app, "--json", "[FILE]", description, std::move(take));
  return Flag(*option.expected(0, 1)->default_str("-"));
}

void refuse_values_of_flags(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> without_value;
  add_flags_without_value(app, without_value);
  for (const CLI::App* subcommand : app.get_subcommands({})) add_flags_without_value(*subcommand, without_value);
  for (int index = 1; index < argc; ++index) {
    const std::string_view argument = argv[index];
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string flag(argument.substr(0, equals));
    if (std::find(without_value.begin(), without_value.end(), flag) != without_value.end()) {
      throw InputError(flag + " takes no value");
    }
  }
}

void refuse_unknown_arguments(const CLI::App& app) {
  refuse_first(app, app.get_name());
  for (const CLI::App* subcommand : app.get_subcommands()) {
    refuse_first(*subcommand, app.get_name() + " " + subcommand->get_name());
  }
}

}  // namespace lockstep::cli::flags
