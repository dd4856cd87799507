#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "host/joined.hpp"
#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::flags {
namespace {

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

ShownOption shown_option(CLI::Option& option) {
  return {.flag = option.get_lnames().empty() ? std::string() : "--" + option.get_lnames().front(),
          .name = option.get_single_name(),
          .names = option.get_name(true, true),
          .type = takes_value(option) ? option.get_type_name() : std::string(),
          .description = option.get_description(),
          .give_no_choice = [&option] {
            option.clear();
            option.add_result("?");
            option.run_callback();
          }};
}

ShownCommand shown_command(CLI::App& app) {
  ShownCommand shown{.name = app.get_name(),
                     .description = app.get_description(),
                     .footer = app.get_footer(),
                     .options = {},
                     .subcommands = {}};
  for (CLI::Option* option : app.get_options()) shown.options.push_back(shown_option(*option));
  for (CLI::App* subcommand : app.get_subcommands({})) shown.subcommands.push_back(shown_command(*subcommand));
  return shown;
}

void add_help(CLI::App& app) {
  app.allow_extras();  // so that we can name the nearest flag
  app.set_help_flag("--help,-h", "show this help and exit");
}

void add_flags_without_value(const CLI::App& app, std::vector<std::string>& flags) {
  for (const CLI::Option* option : app.get_options()) {
    if (takes_value(*option)) continue;
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& letter : option->get_snames()) flags.push_back("-" + letter);
  }
}

/// CLI11 accepts "--quiet=true".
void refuse_values_of_flags(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> without_value;
  add_flags_without_value(app, without_value);
  for (const CLI::App* subcommand : app.get_subcommands({})) add_flags_without_value(*subcommand, without_value);
  for (int index = 1; index < argc; ++index) {
    const std::string_view argument = argv[index];
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string flag(argument.substr(0, equals));
    if (std::ranges::find(without_value, flag) != without_value.end()) throw InputError(flag + " takes no value");
  }
}

void refuse_first_unknown(const CLI::App& app, const std::string& command) {
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return;
  const std::string argument = unknown.front().substr(0, unknown.front().find('='));
  const std::string help = " (" + command + " --help)";
  if (argument.starts_with('-')) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& long_name : option->get_lnames()) flags.push_back("--" + long_name);
    }
    throw InputError("unknown flag " + quoted(argument) + did_you_mean(argument, flags) + help);
  }
  if (app.get_parent() != nullptr) throw InputError("unexpected argument " + quoted(argument) + help);
  std::vector<std::string> commands;
  for (const CLI::App* subcommand : app.get_subcommands({})) commands.push_back(subcommand->get_name());
  throw InputError("unknown command " + quoted(argument) + did_you_mean(argument, commands) +
                   " (commands: " + host::joined(commands) + ")");
}

}  // namespace

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version,
                         const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version, "show the version and exit");
  app_->footer(footer);
  app_->require_subcommand(0, 1);
  add_help(*app_);
}

CommandLine::~CommandLine() = default;

void CommandLine::add_subcommand(const std::string& name, const std::string& description,
                                 const std::function<void(CLI::App&)>& add_options) {
  CLI::App* added = app_->add_subcommand(name, description);
  add_options(*added);
  add_help(*added);
}

ShownCommand CommandLine::shown() const { return shown_command(*app_); }

CommandLine::Call CommandLine::read(int argc, const char* const* argv) {
  refuse_values_of_flags(*app_, argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {.subcommand = {}, .text = help()};
  } catch (const CLI::CallForVersion& text) {
    return {.subcommand = {}, .text = std::string(text.what()) + "\n"};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    throw InputError(text.substr(0, text.find_first_of(": ")) + " needs a value");
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  refuse_first_unknown(*app_, app_->get_name());
  const std::vector<CLI::App*> named = app_->get_subcommands();
  for (const CLI::App* subcommand : named) {
    refuse_first_unknown(*subcommand, app_->get_name() + " " + subcommand->get_name());
  }
  if (named.empty()) return {.subcommand = {}, .text = help()};
  return {.subcommand = named.front()->get_name(), .text = {}};
}

/// That of the subcommand if one was named, else the command's.
std::string CommandLine::help() const { return CLI::detail::find_and_replace(app_->help(), "\n\n\n", "\n\n"); }

}  // namespace lockstep::cli::flags
