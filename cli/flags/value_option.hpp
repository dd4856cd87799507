#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::cli::flags {

/// A flag or a positional argument of a command.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}
  /// Sets the heading under which help lists it.
  const Flag& group(const std::string& heading) const;

 private:
  CLI::Option* option_;
};

/// Called with the text of a flag's value; throws InputError if it is invalid.
using TakeText = std::function<void(const std::string& text)>;

/// Adds a flag (or a positional argument, without the dashes) that takes one value and may be given once.
/// Help shows `type` for the value. All values are read by our own code: CLI11 2.1.2 reads 010 as 8 and accepts -1 and
/// nan.
Flag add_value_option(CLI::App& app, const std::string& flag, const std::string& type, const std::string& description,
                      TakeText take);

/// Adds a flag that may be given several times: `take` is called for each, in order.
Flag add_repeated_option(CLI::App& app, const std::string& flag, const std::string& type,
                         const std::string& description, TakeText take);

/// Adds a flag that takes two values and may be given once.
Flag add_pair_option(CLI::App& app, const std::string& flag, const std::string& type, const std::string& description,
                     std::function<void(const std::string& first, const std::string& second)> take);

/// Adds --json, which takes a file or "-". Its value may be left out: then it is "-".
Flag add_json_option(CLI::App& app, const std::string& description, TakeText take);

/// Adds a flag without a value, which sets `given`.
Flag add_flag(CLI::App& app, const std::string& flag, bool& given, const std::string& description);
/// Adds a flag without a value, which calls `take`.
Flag add_flag(CLI::App& app, const std::string& flag, std::function<void()> take, const std::string& description);

/// Calls `then` once, when all flags of the command are read; it may throw what a flag throws. One call for a command.
void when_read(CLI::App& app, std::function<void()> then);

/// Sets the text at the end of the help.
void set_footer(CLI::App& app, const std::string& text);

/// Sets `names` to those of the flags that the arguments give, without dashes, once all are read. It must outlive the
/// app.
void note_given(CLI::App& app, std::vector<std::string>& names);

/// The names, without dashes, of the flags that take one value or more, of those that `add` adds.
std::vector<std::string> names_with_value(const std::function<void(CLI::App&)>& add);

/// Reads the words as the flags that `add` adds; throws what `take` of a flag throws, or std::runtime_error.
void parse(std::vector<std::string> words, const std::function<void(CLI::App&)>& add);

/// The enumerator whose name(...) is the text.
template <class Enumeration>
Enumeration parse_choice(std::string_view flag, std::string_view text, std::initializer_list<Enumeration> choices) {
  std::vector<std::string> names;
  for (const Enumeration choice : choices) {
    if (name(choice) == text) return choice;
    names.emplace_back(name(choice));
  }
  refuse_choice(flag, text, names);
}

}  // namespace lockstep::cli::flags
