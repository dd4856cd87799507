#include "value_option.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace lockstep::cli::flags {
namespace {

/// The method that brings a parameter of that flag; null if none does.
const Method* bringer_of(const std::string& flag) {
  for (const Method* method : catalogue()) {
    for (const Parameter& parameter : method->parameters) {
      if (parameter.brought.type != BroughtType::none && "--" + std::string(parameter.name) == flag) return method;
    }
  }
  return nullptr;
}

/// Throws InputError if one of the names, "-o,--output", is that of a flag which the command has already. Of two, one
/// is a method's: those of a command differ.
void check_is_new(const CLI::App& app, const std::string& names) {
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    if (app.get_option_no_throw(name) == nullptr) continue;
    const Method* const method = bringer_of(name);
    throw InputError((method == nullptr ? "" : "method \"" + std::string(method->name) + "\" brings " + name + ": ") +
                     "lockstep " + app.get_name() + " has another flag " + name);
  }
}

CLI::Option& value_option(CLI::App& app, const std::string& flag, const std::string& type,
                          const std::string& description, TakeText take) {
  CLI::callback_t once = [flag, take = std::move(take)](const CLI::results_t& values) {
    if (values.size() != 1) throw InputError(flag + " is given " + std::to_string(values.size()) + " times");
    take(values.front());
    return true;
  };
  check_is_new(app, flag);
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
  check_is_new(app, flag);
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
  check_is_new(app, flag);
  return Flag(*app.add_flag(flag, given, description));
}

Flag add_flag(CLI::App& app, const std::string& flag, std::function<void()> take, const std::string& description) {
  check_is_new(app, flag);
  return Flag(*app.add_flag_callback(flag, std::move(take), description));
}

void when_read(CLI::App& app, std::function<void()> then) { app.final_callback(std::move(then)); }

void set_footer(CLI::App& app, const std::string& text) { app.footer(text); }

// Not at the end, where an app has one callback, that of when_read().
void note_given(CLI::App& app, std::vector<std::string>& names) {
  app.parse_complete_callback([&app, &names] {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() > 0) names.push_back(option->get_single_name());
    }
  });
}

std::vector<std::string> names_with_value(const std::function<void(CLI::App&)>& add) {
  CLI::App app;
  add(app);
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) names.push_back(option->get_single_name());
  }
  return names;
}

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
  check_is_new(app, flag);
  CLI::Option* option = app.add_option(flag, std::move(once), description);
  return Flag(
      *option->type_name(type)->type_size(2)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

Flag add_json_option(CLI::App& app, const std::string& description, TakeText take) {
  CLI::Option& option = value_option(app, "--json", "[FILE]", description, std::move(take));
  return Flag(*option.expected(0, 1)->default_str("-"));
}

}  // namespace lockstep::cli::flags
