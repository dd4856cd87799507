// The Omega network (saad-schultz-1988.md, Omega network) against all settings of its elements.
#include "lockstep/machines/omega.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep::omega_test {
namespace {

using Permutation = std::vector<Rank>;

/// Where the lines lead when each element crosses (bit 1) or not: the wiring, line by line.
Permutation wired(unsigned n, std::uint64_t settings) {
  const Rank k = Rank{1} << n;
  Permutation at(k);  // at[i] = where the message of line i is
  std::iota(at.begin(), at.end(), Rank{0});
  for (unsigned stage = 0; stage < n; ++stage) {
    for (Rank& line : at) {
      // A perfect shuffle of the lines: the two halves are interleaved.
      const Rank shuffled = line < k / 2 ? 2 * line : 2 * (line - k / 2) + 1;
      const bool crosses = (settings >> (stage * (k / 2) + shuffled / 2) & 1U) != 0;
      line = crosses ? (shuffled % 2 == 0 ? shuffled + 1 : shuffled - 1) : shuffled;
    }
  }
  return at;
}

TEST(Omega, PassesWhatSomeSettingOfItsElementsDoes) {
  for (unsigned n = 0; n <= 3; ++n) {
    SCOPED_TRACE("n " + std::to_string(n));
    const Rank k = Rank{1} << n;
    std::set<Permutation> possible;
    const std::uint64_t settings = std::uint64_t{1} << (n * k / 2);
    for (std::uint64_t setting = 0; setting < settings; ++setting) possible.insert(wired(n, setting));
    EXPECT_EQ(possible.size(), settings);  // "exactly 2^(n k/2) permutations do"
    Permutation permutation(k);
    std::iota(permutation.begin(), permutation.end(), Rank{0});
    do {
      ASSERT_EQ(omega_passes(permutation), possible.contains(permutation));
    } while (std::next_permutation(permutation.begin(), permutation.end()));
  }
}

TEST(Omega, PassesAPartOfWhatItPassesAndAsMuchAsAnyWholeDoes) {
  constexpr unsigned n = 3;
  constexpr Rank k = 8;
  std::mt19937_64 random(5);
  for (unsigned trial = 0; trial < 300; ++trial) {
    Permutation partial(k);
    std::iota(partial.begin(), partial.end(), Rank{0});
    std::shuffle(partial.begin(), partial.end(), random);
    for (Rank& to : partial) {
      if (random() % 2 == 0) to = no_rank;
    }
    bool passes = false;
    for (std::uint64_t setting = 0; setting < 4096 && !passes; ++setting) {
      const Permutation whole = wired(n, setting);
      passes = std::equal(partial.begin(), partial.end(), whole.begin(),
                          [](Rank part, Rank all) { return part == no_rank || part == all; });
    }
    ASSERT_EQ(omega_passes(partial), passes) << "trial " << trial << " of seed 5";
  }
}

Rank reversed(Rank line, unsigned n) {
  Rank result = 0;
  for (unsigned bit = 0; bit < n; ++bit) result = 2 * result + (line >> bit & 1U);
  return result;
}

TEST(Omega, PassesShiftsAndComplementsButNoBitReversal) {
  for (unsigned n = 0; n <= 7; ++n) {
    const Rank k = Rank{1} << n;
    Permutation shift(k);
    Permutation complement(k);
    for (Rank c = 0; c < k; ++c) {
      for (Rank line = 0; line < k; ++line) {
        shift[line] = (line + c) % k;
        complement[line] = line ^ c;
      }
      EXPECT_TRUE(omega_passes(shift)) << k << " lines, shifted by " << c;
      EXPECT_TRUE(omega_passes(complement)) << k << " lines, xor " << c;
    }
    Permutation reversal(k);
    for (Rank line = 0; line < k; ++line) reversal[line] = reversed(line, n);
    EXPECT_EQ(omega_passes(reversal), n < 2) << k << " lines";
  }
}

TEST(Omega, NamesTheFirstTwoMessagesThatMeet) {
  // 0 and 2 reach the upper element of the first stage and both need its upper output.
  const std::vector<Crossing> crossings{{0, 0}, {1, 3}, {2, 1}};
  const auto blocking = omega_blocking(4, crossings);
  ASSERT_TRUE(blocking);
  EXPECT_EQ(blocking->stage, 0U);
  EXPECT_EQ(blocking->first, (Crossing{0, 0}));
  EXPECT_EQ(blocking->second, (Crossing{2, 1}));
  EXPECT_FALSE(omega_blocking(4, std::span(crossings).first(2)));
  EXPECT_FALSE(omega_blocking(1, {}));
}

TEST(Omega, RefusesWhatIsNoPartialPermutation) {
  const auto refusal = [](const Permutation& permutation) -> std::string {
    try {
      static_cast<void>(omega_passes(permutation));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "a network has 2^n lines, not 0");
  EXPECT_EQ(refusal({0, 1, 2}), "a network has 2^n lines, not 3");
  EXPECT_EQ(refusal({0, 4, 1, 2}), "line 1 leads to 4, which does not exist");
  EXPECT_EQ(refusal({3, 1, 3, 2}), "line 2 leads to 3, to which another leads already");
  EXPECT_EQ(refusal({no_rank, no_rank}), "");
}

}  // namespace
}  // namespace lockstep::omega_test
