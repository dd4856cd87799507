// The operators of reductions: results typed by hand, associativity, and strings as messages.
#include "lockstep/algorithms/operators.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

namespace lockstep::operators_test {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

template <class Number>
Block block_of(const std::vector<Number>& numbers) {
  Block block(numbers.size());
  for (std::size_t index = 0; index < numbers.size(); ++index) block[index] = std::bit_cast<Word>(numbers[index]);
  return block;
}

template <class Number>
std::vector<Number> combined(std::string_view name, const std::vector<Number>& lower,
                             const std::vector<Number>& higher) {
  const NumberType type = std::is_same_v<Number, double> ? NumberType::float64 : NumberType::int64;
  Block result = block_of(lower);
  find_operator(name).on(type)(result, block_of(higher));
  std::vector<Number> numbers;
  for (std::size_t index = 0; index < result.size(); ++index) numbers.push_back(std::bit_cast<Number>(result[index]));
  return numbers;
}

using Integers = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

TEST(Operators, CombineIntegersElementByElement) {
  EXPECT_EQ(combined<std::int64_t>("sum", {1, -5, 0}, {2, 3, -7}), (Integers{3, -2, -7}));
  EXPECT_EQ(combined<std::int64_t>("min", {1, -5, least}, {2, 3, most}), (Integers{1, -5, least}));
  EXPECT_EQ(combined<std::int64_t>("max", {1, -5, least}, {2, 3, most}), (Integers{2, 3, most}));
  EXPECT_EQ(combined<std::int64_t>("and", {0b1100, -1}, {0b1010, 77}), (Integers{0b1000, 77}));
  EXPECT_EQ(combined<std::int64_t>("or", {0b1100, 0}, {0b1010, 77}), (Integers{0b1110, 77}));
  EXPECT_EQ(combined<std::int64_t>("xor", {0b1100, -1}, {0b1010, -1}), (Integers{0b0110, 0}));
}

TEST(Operators, WrapIntegersAround) {
  EXPECT_EQ(combined<std::int64_t>("sum", {most, least, least}, {1, -1, least}), (Integers{least, most, 0}));
  // 2^32 * 2^32 = 0 and 2^62 * 3 = -2^62, modulo 2^64.
  const std::int64_t two_32 = std::int64_t{1} << 32;
  const std::int64_t two_62 = std::int64_t{1} << 62;
  EXPECT_EQ(combined<std::int64_t>("matrix2", {two_32, 0, 0, two_62}, {two_32, 0, 0, 3}), (Integers{0, 0, 0, -two_62}));
}

TEST(Operators, CombineDoubles) {
  EXPECT_EQ(combined<double>("sum", {1.5, -0.5}, {2, 0.25}), (Doubles{3.5, -0.25}));
  EXPECT_EQ(combined<double>("min", {1.5, -0.5}, {2, -2}), (Doubles{1.5, -2}));
  EXPECT_EQ(combined<double>("max", {1.5, -0.5}, {2, -2}), (Doubles{2, -0.5}));
  // 1.5 = 0x3ff8 << 48, 2.0 = 0x4000 << 48: they have no bit in common.
  EXPECT_EQ(combined<double>("and", {1.5}, {2.0}), (Doubles{0.0}));
  EXPECT_EQ(combined<double>("xor", {1.5}, {1.5}), (Doubles{0.0}));
  EXPECT_EQ(combined<double>("or", {1.5}, {1.25}), (Doubles{1.75}));
}

TEST(Operators, MultiplyMatricesRowByRow) {
  const Integers a{1, 2, 3, 4};
  const Integers b{5, 6, 7, 8};
  EXPECT_EQ(combined("matrix2", a, b), (Integers{19, 22, 43, 50}));
  EXPECT_EQ(combined("matrix2", b, a), (Integers{23, 34, 31, 46}));
  EXPECT_EQ(combined<double>("matrix2", {1, 2, 3, 4}, {5, 6, 7, 8}), (Doubles{19, 22, 43, 50}));
  EXPECT_EQ(combined<std::int64_t>("matrix2", {1, 2, 3, 4, 1, 0, 0, 1}, {5, 6, 7, 8, 9, 8, 7, 6}),
            (Integers{19, 22, 43, 50, 9, 8, 7, 6}));
}

TEST(Operators, AreAssociativeAndCommuteWhereTheySaySo) {
  std::mt19937_64 random(6);
  for (const Operator& op : operators()) {
    if (op.name == "concat") continue;
    SCOPED_TRACE(op.name);
    bool commuted = true;
    for (int trial = 0; trial < 100; ++trial) {
      const auto value = [&] {
        Integers numbers(op.element_words * 2);
        for (std::int64_t& number : numbers) number = std::bit_cast<std::int64_t>(std::uint64_t{random()});
        return numbers;
      };
      const Integers a = value();
      const Integers b = value();
      const Integers c = value();
      EXPECT_EQ(combined(op.name, combined(op.name, a, b), c), combined(op.name, a, combined(op.name, b, c)));
      commuted = commuted && combined(op.name, a, b) == combined(op.name, b, a);
    }
    EXPECT_EQ(commuted, op.commutative);
  }
}

TEST(Operators, AppendStrings) {
  Strings lower{{"ab", "", "x"}};
  concatenate(lower, {{"c", "d", ""}});
  EXPECT_EQ(lower, (Strings{{"abc", "d", "x"}}));
  EXPECT_EQ(words(lower), 3U);
}

TEST(Operators, ACorruptStringIsAnother) {
  for (const Strings& right : {Strings{{"a"}}, Strings{{"", "abc"}}, Strings{{""}}, Strings{{"", ""}}}) {
    Strings wrong = right;
    corrupt(wrong);
    EXPECT_NE(wrong, right);
  }
}

TEST(Operators, HaveNames) {
  EXPECT_EQ(find_operator("max").name, "max");
  try {
    find_operator("mox");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--operator 'mox' is not one of sum, min, max, and, or, xor, matrix2, concat; did you mean 'max'?");
  }
}

}  // namespace
}  // namespace lockstep::operators_test
