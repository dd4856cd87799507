// Parameters that a method brings itself: the value in the settings, the flag, and the names that are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "lockstep/algorithms/operation/broadcast.hpp"

namespace lockstep::brought_parameters_test {
namespace {

constexpr std::array<std::string_view, 2> ways{"up", "down"};
constexpr BroughtNumber stride{"stride", "links that the item crosses in a message", "2", {1, 9, 2}};
constexpr BroughtChoice way{"way", "side that the root serves first", ways};

const SettingFlag* flag_named(std::string_view name) {
  const auto flags = setting_flags();
  const auto found = std::ranges::find(flags, name, &SettingFlag::name);
  return found == flags.end() ? nullptr : &*found;
}

Process idle(Processor<Block>&, Rank, Block&) { co_return; }

/// A broadcast of that name that takes the parameters of all broadcasts, and this one.
Method with(std::string_view name, const Parameter& parameter) {
  Method method = broadcast::own_method<idle>(name, {"ring"});
  method.parameters.push_back(parameter);
  return method;
}

std::string refused_if_added(const Method& method) {
  try {
    add_method(method);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

class BroughtParameters : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Method method = with("broadcast/strides", stride);
    method.parameters.push_back(way);
    add_method(method);
  }
};

TEST_F(BroughtParameters, HaveFlags) {
  const SettingFlag* const number = flag_named("stride");
  ASSERT_NE(number, nullptr);
  EXPECT_EQ(number->type, "N");
  EXPECT_EQ(number->description, "links that the item crosses in a message, at least 1, at most 9 (default 2)");
  const SettingFlag* const choice = flag_named("way");
  ASSERT_NE(choice, nullptr);
  EXPECT_EQ(choice->type, "up|down");
  EXPECT_EQ(choice->description, "side that the root serves first (default up)");
}

TEST_F(BroughtParameters, AreReadAndShown) {
  Settings settings;
  EXPECT_EQ(flag_named("stride")->value(settings), SettingFlag::Value());
  flag_named("stride")->set(settings, "7");
  flag_named("way")->set(settings, "down");
  EXPECT_EQ(flag_named("stride")->value(settings), SettingFlag::Value(std::uint64_t{7}));
  EXPECT_EQ(flag_named("way")->value(settings), SettingFlag::Value(std::string("down")));
  stride.resolve(settings);
  way.resolve(settings);
  EXPECT_EQ(stride.of(settings), 7U);
  EXPECT_EQ(way.of(settings), "down");
  EXPECT_THROW(flag_named("stride")->set(settings, "seven"), InputError);
}

TEST_F(BroughtParameters, HaveDefaultsAndRanges) {
  Settings settings;
  stride.resolve(settings);
  way.resolve(settings);
  EXPECT_EQ(stride.of(settings), 2U);
  EXPECT_EQ(way.of(settings), "up");
  Settings wrong;
  flag_named("stride")->set(wrong, "10");
  flag_named("way")->set(wrong, "sideways");
  const auto refusal = [](const auto& resolve) -> std::string {
    try {
      resolve();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([&] { stride.resolve(wrong); }), "--stride 10 is out of range: 1 to 9");
  EXPECT_EQ(refusal([&] { stride.resolve(wrong, {.least = 11, .most = 12, .otherwise = 11}); }),
            "--stride 10 is out of range: 11 to 12");
  EXPECT_EQ(refusal([&] { way.resolve(wrong); }), "--way 'sideways' is not one of up, down");
}

TEST_F(BroughtParameters, OfOneNameAndTypeShareAFlag) {
  EXPECT_EQ(refused_if_added(with("broadcast/longer-strides", BroughtNumber("stride", "links", "3", {1, 20, 3}))), "");
  const auto flags = setting_flags();
  EXPECT_EQ(std::ranges::count(flags, "stride", &SettingFlag::name), 1);
}

TEST_F(BroughtParameters, AreRefusedUnlessTheyHaveANameOfTheirOwn) {
  const auto refusal = [](const Parameter& parameter) { return refused_if_added(with("broadcast/other", parameter)); };
  const std::string method = "method \"broadcast/other\" ";
  EXPECT_EQ(refusal(BroughtNumber("words", "words", "1", {})), method + "brings --words, which is there already");
  EXPECT_EQ(refusal(BroughtChoice("stride", "which", ways)), method + "brings --stride, which is there already");
  EXPECT_EQ(refusal(BroughtNumber("Chord", "chord", "1", {})),
            method + "brings --Chord, which is not a name of small letters");
  EXPECT_EQ(refusal(BroughtNumber("", "chord", "1", {})), method + "brings --, which is not a name of small letters");
  EXPECT_EQ(refusal({"chord", "which Settings lacks", "1"}),
            method + "takes --chord, which is no parameter of Settings");
  EXPECT_EQ(flag_named("chord"), nullptr);
}

}  // namespace
}  // namespace lockstep::brought_parameters_test
