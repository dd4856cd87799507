// Parameters fill in missing values and refuse those out of range.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/replay.hpp"

namespace lockstep::parameter_test {
namespace {

constexpr NumberParameter shift{{"shift", "shuffles", "2"}, &Settings::shift, {.least = 0, .most = 7, .otherwise = 2}};
constexpr RankParameter destination{{"destination", "rank that receives", "0"}, &Settings::destination};
constexpr std::array<std::string_view, 2> orders{"longest-first", "cross-first"};
constexpr ChoiceParameter order{{"order", "whom first", "longest-first"}, &Settings::order, orders};

template <class Resolve>
std::string refusal_of(const Resolve& resolve) {
  try {
    resolve();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Settings with_shift(std::uint64_t places) {
  Settings settings;
  settings.shift = places;
  return settings;
}

TEST(Parameter, IsWhatHoldsOtherwiseIfItIsNotGiven) {
  const MachineSpec machine = parse_machine("hypercube:3");
  Settings settings;
  shift.resolve(settings);
  destination.resolve(machine, settings);
  order.resolve(settings);
  EXPECT_EQ(settings.shift, 2U);
  EXPECT_EQ(settings.destination, 0U);
  EXPECT_EQ(settings.order, "longest-first");
  Settings others;
  shift.resolve(others, {.otherwise = 9});
  destination.resolve(machine, others, 7);
  EXPECT_EQ(others.shift, 9U);
  EXPECT_EQ(others.destination, 7U);
}

TEST(Parameter, StaysAsItIsGivenIfItMay) {
  const MachineSpec machine = parse_machine("hypercube:3");
  for (const std::uint64_t places : {0U, 7U}) {
    Settings settings = with_shift(places);
    shift.resolve(settings);
    EXPECT_EQ(settings.shift, places);
  }
  Settings settings;
  settings.destination = 7;
  settings.order = "cross-first";
  destination.resolve(machine, settings);
  order.resolve(settings);
  EXPECT_EQ(settings.destination, 7U);
  EXPECT_EQ(settings.order, "cross-first");
}

TEST(Parameter, IsRefusedWithWhatIsAllowed) {
  Settings settings = with_shift(8);
  settings.destination = 8;
  settings.order = "crossfirst";
  EXPECT_EQ(refusal_of([&] { shift.resolve(settings); }), "--shift 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal_of([&] { shift.resolve(settings, {.least = 9, .most = 10, .otherwise = 9}); }),
            "--shift 8 is out of range: 9 to 10");
  EXPECT_EQ(refusal_of([&] { destination.resolve(parse_machine("hypercube:3"), settings); }),
            "--destination 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal_of([&] { order.resolve(settings); }),
            "--order 'crossfirst' is not one of longest-first, cross-first; did you mean 'cross-first'?");
}

TEST(Parameter, OfAMethodHasAFlag) {
  std::set<std::string_view> flags;
  for (const SettingFlag& flag : setting_flags()) {
    EXPECT_TRUE(flags.insert(flag.name).second) << flag.name << " appears twice";
  }
  std::set<std::string_view> taken{"seed"};  // by all methods
  for (const Method* method : catalogue()) {
    for (const Parameter& parameter : method->parameters) {
      EXPECT_TRUE(flags.contains(parameter.name)) << method->name << " takes " << parameter.name;
      taken.insert(parameter.name);
    }
  }
  for (const Parameter& parameter : replay_method().parameters) taken.insert(parameter.name);
  EXPECT_EQ(taken, flags);
}

TEST(Parameter, IsShownAsItWasWritten) {
  Settings settings;
  const auto shown = [&](std::string_view name) {
    const auto flags = setting_flags();
    return std::find_if(flags.begin(), flags.end(), [&](const SettingFlag& flag) { return flag.name == name; })
        ->value(settings);
  };
  for (const SettingFlag& flag : setting_flags()) {
    EXPECT_EQ(flag.value(settings).index() == 0, flag.name != "seed") << flag.name;
  }
  const auto write = [&](std::string_view name, const std::string& text) {
    for (const SettingFlag& flag : setting_flags()) {
      if (flag.name == name) flag.set(settings, text);
    }
  };
  write("words", "12");
  write("root", "0b101");
  write("matrix", "4x16");
  write("gather", "off");
  write("transposed", "");
  write("operator", "sum");
  write("seed", "18446744073709551615");
  EXPECT_EQ(shown("words"), SettingFlag::Value(std::uint64_t{12}));
  EXPECT_EQ(shown("root"), SettingFlag::Value(std::uint64_t{5}));
  EXPECT_EQ(shown("matrix"), SettingFlag::Value(std::string("4x16")));
  EXPECT_EQ(shown("gather"), SettingFlag::Value(std::string("off")));
  EXPECT_EQ(shown("transposed"), SettingFlag::Value(true));
  EXPECT_EQ(shown("operator"), SettingFlag::Value(std::string("sum")));
  EXPECT_EQ(shown("seed"), SettingFlag::Value(std::uint64_t{18446744073709551615U}));
  EXPECT_EQ(settings.operator_name, "sum");
}

}  // namespace
}  // namespace lockstep::parameter_test
