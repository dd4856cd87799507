// A flag's messages name the same range for every wrong value.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "../../algorithms/catalogue_cases.hpp"
#include "../../sanitized.hpp"
#include "flags/setting_flags.hpp"

namespace lockstep::cli::flags::ranges_test {
namespace {

using Limits = std::set<std::string>;

/// The range in the message for the flag's value: "1 to 7", or "" if the value is accepted.
std::string complaint(const SettingFlag& flag, const Method& method, const MachineSpec& machine,
                      const std::string& text) {
  try {
    Settings settings = required_settings(method);
    flag.set(settings, text);
    method.resolve(machine, method.defaults, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The ranges "A to B" in a text.
Limits ranges_in(const std::string& text) {
  static const std::regex range(R"(\b\d+ to \d+\b)");
  Limits ranges;
  for (std::sregex_iterator one(text.begin(), text.end(), range), end; one != end; ++one) ranges.insert(one->str());
  return ranges;
}

bool is_number(const SettingFlag& flag) {
  try {
    Settings settings;
    flag.set(settings, "x");
  } catch (const InputError& error) {
    return std::string(error.what()).find("whole number") != std::string::npos;
  }
  return false;
}

TEST(Ranges, AreTheSameInAllMessagesOfAFlag) {
  std::size_t compared = 0;
  constexpr Rank largest = sanitized ? 8 : 32;
  for (const Case& one : catalogue_cases()) {
    const MachineSpec machine = parse_machine(one.machine);
    if (machine.processors > largest) continue;
    for (const SettingFlag& flag : setting_flags()) {
      if (!cli::flags::takes(*one.method, flag.name) || !is_number(flag)) continue;
      Limits ranges;
      std::string messages;
      for (const char* text : {"x", "0", "5000000000", "18446744073709551615", "18446744073709551616"}) {
        const std::string said = complaint(flag, *one.method, machine, text);
        ranges.merge(ranges_in(said));
        messages += "\n" + said;
      }
      EXPECT_LE(ranges.size(), 1U) << one << messages;
      EXPECT_NE(messages.find("18446744073709551616"), std::string::npos) << one << messages;
      compared += ranges.size();
    }
  }
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace lockstep::cli::flags::ranges_test
