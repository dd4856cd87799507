// Networks inside switches (saad-schultz-1988.md, Omega network, Inverse Omega network, Data manipulator) against all
// settings of their elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../sanitized.hpp"
#include "lockstep/machines/data_manipulator.hpp"
#include "lockstep/machines/omega.hpp"

namespace lockstep::switching_networks_test {
namespace {

using Permutation = std::vector<Rank>;

Permutation identity(Rank k) {
  Permutation all(k);
  std::iota(all.begin(), all.end(), Rank{0});
  return all;
}

template <class Look>
void for_all_permutations(Rank k, const Look& look) {
  Permutation permutation = identity(k);
  do look(permutation);
  while (std::next_permutation(permutation.begin(), permutation.end()));
}

bool crosses(std::uint64_t settings, unsigned stage, Rank k, Rank element) {
  return (settings >> (stage * (k / 2) + element) & 1U) != 0;
}

/// Where the lines of an inverse Omega network lead: elements, then an inverse shuffle, line by line.
Permutation wired_inverse_omega(unsigned n, std::uint64_t settings) {
  const Rank k = Rank{1} << n;
  Permutation at = identity(k);
  for (unsigned stage = 0; stage < n; ++stage) {
    for (Rank& line : at) {
      const Rank out = crosses(settings, stage, k, line / 2) ? (line % 2 == 0 ? line + 1 : line - 1) : line;
      line = out % 2 == 0 ? out / 2 : k / 2 + out / 2;  // even lines to the upper half, odd ones to the lower
    }
  }
  return at;
}

/// Where the lines of an indirect binary n-cube lead; its stage i has an element for each pair of lines 2^i apart.
Permutation wired_indirect_cube(unsigned n, std::uint64_t settings) {
  const Rank k = Rank{1} << n;
  Permutation at = identity(k);
  for (unsigned stage = 0; stage < n; ++stage) {
    const Rank apart = Rank{1} << stage;
    for (Rank& line : at) {
      const bool upper = line / apart % 2 == 0;
      const Rank first = upper ? line : line - apart;
      const Rank element = first / (2 * apart) * apart + first % apart;
      if (crosses(settings, stage, k, element)) line = upper ? line + apart : line - apart;
    }
  }
  return at;
}

TEST(InverseOmega, AndIndirectCubePassWhatSomeSettingOfTheirElementsDoes) {
  for (unsigned n = 0; n <= 3; ++n) {
    SCOPED_TRACE("n " + std::to_string(n));
    const Rank k = Rank{1} << n;
    const std::uint64_t settings = std::uint64_t{1} << (n * k / 2);
    std::set<Permutation> inverse;
    std::set<Permutation> cube;
    for (std::uint64_t setting = 0; setting < settings; ++setting) {
      inverse.insert(wired_inverse_omega(n, setting));
      cube.insert(wired_indirect_cube(n, setting));
    }
    EXPECT_EQ(inverse.size(), settings);  // 2^(n k/2)
    EXPECT_EQ(cube, inverse);
    std::uint64_t passed_by_both = 0;
    for_all_permutations(k, [&](const Permutation& permutation) {
      ASSERT_EQ(passes(inverse_omega_blocking, permutation), inverse.contains(permutation));
      Permutation back(k);
      for (Rank line = 0; line < k; ++line) back[permutation[line]] = line;
      ASSERT_EQ(omega_passes(back), inverse.contains(permutation));
      passed_by_both += omega_passes(permutation) && inverse.contains(permutation) ? 1 : 0;
    });
    EXPECT_EQ(passed_by_both == settings, n < 2);  // with four or more lines the Omega network passes others
  }
}

/// All settings of a stage's elements, each straight, up or down, that lead the lines to distinct lines.
std::vector<Permutation> settings_of_cells(Rank k, Rank distance) {
  std::vector<Permutation> all;
  std::uint64_t settings = 1;
  for (Rank line = 0; line < k; ++line) settings *= 3;
  for (std::uint64_t setting = 0; setting < settings; ++setting) {
    Permutation to(k);
    std::uint64_t rest = setting;
    for (Rank line = 0; line < k; ++line, rest /= 3) to[line] = (line + k + distance * Rank(rest % 3) - distance) % k;
    if (std::set<Rank>(to.begin(), to.end()).size() == k) all.push_back(to);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::set<Permutation> passed_by_data_manipulator(unsigned n) {
  const Rank k = Rank{1} << n;
  std::set<Permutation> reached{identity(k)};
  for (unsigned stage = n; stage-- > 0;) {
    std::set<Permutation> next;
    for (const Permutation& setting : settings_of_cells(k, Rank{1} << stage)) {
      for (Permutation at : reached) {
        for (Rank& line : at) line = setting[line];
        next.insert(std::move(at));
      }
    }
    reached = std::move(next);
  }
  return reached;
}

TEST(DataManipulator, PassesWhatSomeSettingOfItsCellsDoes) {
  for (unsigned n = 0; n <= (sanitized ? 2 : 3); ++n) {
    SCOPED_TRACE("n " + std::to_string(n));
    const std::set<Permutation> possible = passed_by_data_manipulator(n);
    EXPECT_EQ(possible.size(), (std::vector<std::size_t>{1, 2, 24, 26496}[n]));  // of 1, 2, 24 and 40320
    for_all_permutations(Rank{1} << n, [&](const Permutation& permutation) {
      const bool is_passed = passes(data_manipulator_blocking, permutation);
      ASSERT_EQ(is_passed, possible.contains(permutation));
      ASSERT_TRUE(is_passed || !omega_passes(permutation));
    });
  }
}

/// The lines behind every stage, one after the other.
using Way = std::vector<Rank>;

std::vector<Way> ways_of(Rank k, const Crossing& message) {
  std::vector<Way> all{{}};
  for (Rank distance = k / 2; distance > 0; distance /= 2) {
    std::vector<Way> longer;
    for (const Way& way : all) {
      const Rank line = way.empty() ? message.from : way.back();
      for (const Rank to : std::set<Rank>{line, (line + distance) % k, (line + k - distance) % k}) {
        longer.push_back(way);
        longer.back().push_back(to);
      }
    }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const Way& way) { return way.back() != message.to; });
  return all;
}

/// Whether the messages that have no path yet find paths beside `taken`; tries all paths of each.
bool find_ways(Rank k, const std::vector<Crossing>& messages, std::vector<Way>& taken) {
  if (taken.size() == messages.size()) return true;
  for (const Way& way : ways_of(k, messages[taken.size()])) {
    const auto meets = [&](const Way& other) {
      for (std::size_t stage = 0; stage < way.size(); ++stage) {
        if (way[stage] == other[stage]) return true;
      }
      return false;
    };
    if (std::any_of(taken.begin(), taken.end(), meets)) continue;
    taken.push_back(way);
    if (find_ways(k, messages, taken)) return true;
    taken.pop_back();
  }
  return false;
}

bool some_ways(Rank k, const std::vector<Crossing>& messages) {
  std::vector<Way> taken;
  return find_ways(k, messages, taken);
}

std::vector<Crossing> drawn_crossings(std::mt19937_64& random, Rank k, unsigned percent) {
  Permutation to = identity(k);
  std::shuffle(to.begin(), to.end(), random);
  std::vector<Crossing> crossings;
  for (Rank line = 0; line < k; ++line) {
    if (random() % 100 < percent) crossings.push_back({line, to[line]});
  }
  return crossings;
}

TEST(DataManipulator, PassesPartsOfPermutationsJustWhereWaysAreFound) {
  std::mt19937_64 random(7);
  unsigned passed = 0;
  unsigned refused = 0;
  for (unsigned trial = 0; trial < (sanitized ? 200 : 600); ++trial) {
    const Rank k = trial % 3 == 0 ? 16 : 8;
    const std::vector<Crossing> crossings = drawn_crossings(random, k, k == 16 ? 50 : 40 + trial % 60);
    const bool passes_all = !data_manipulator_blocking(k, crossings);
    ASSERT_EQ(passes_all, some_ways(k, crossings)) << "trial " << trial << " of seed 7";
    ++(passes_all ? passed : refused);
  }
  EXPECT_GT(passed, sanitized ? 20U : 50U);
  EXPECT_GT(refused, sanitized ? 20U : 50U);
}

TEST(DataManipulator, NamesTheEndsOfAShortestRunThatDoesNotPass) {
  std::mt19937_64 random(11);
  unsigned several = 0;
  for (unsigned trial = 0; trial < 400; ++trial) {
    const std::vector<Crossing> crossings = drawn_crossings(random, 16, 70);
    const auto blocking = data_manipulator_blocking(16, crossings);
    if (!blocking) continue;
    const auto first = std::find(crossings.begin(), crossings.end(), blocking->first);
    const auto last = std::find(crossings.begin(), crossings.end(), blocking->second);
    ASSERT_LT(first, last);
    const auto refuses = [](auto from, auto to) {
      return data_manipulator_blocking(16, std::vector<Crossing>(from, to)).has_value();
    };
    EXPECT_TRUE(refuses(first, last + 1));
    // Paths are compared up to the stage that is named, so that fewer messages may conflict at a later one.
    const auto stage_of = [](auto from, auto to) {
      const auto found = data_manipulator_blocking(16, std::vector<Crossing>(from, to));
      return found ? found->stage : 99U;
    };
    EXPECT_EQ(stage_of(first, last + 1), blocking->stage);
    EXPECT_GT(stage_of(first + 1, last + 1), blocking->stage);
    EXPECT_GT(stage_of(crossings.begin(), last), blocking->stage);
    if (!data_manipulator_blocking(16, std::vector<Crossing>{*first, *last})) ++several;
  }
  EXPECT_GT(several, 0U);  // three messages that conflict although any two of them pass
}

TEST(DataManipulator, OfTwoLinesIsASwitch) {
  EXPECT_FALSE(data_manipulator_blocking(1, {}));
  EXPECT_FALSE(data_manipulator_blocking(2, std::vector<Crossing>{{0, 1}, {1, 0}}));
}

TEST(SwitchingNetworks, PassShiftsAndComplements) {
  for (unsigned n = 0; n <= 6; ++n) {
    const Rank k = Rank{1} << n;
    Permutation shift(k);
    Permutation complement(k);
    for (Rank c = 0; c < k; ++c) {
      for (Rank line = 0; line < k; ++line) {
        shift[line] = (line + c) % k;
        complement[line] = line ^ c;
      }
      for (const Medium::Network network : {inverse_omega_blocking, data_manipulator_blocking}) {
        EXPECT_TRUE(passes(network, shift)) << k << " lines, shifted by " << c;
        EXPECT_TRUE(passes(network, complement)) << k << " lines, xor " << c;
      }
    }
  }
}

TEST(SwitchingNetworks, TakeCopiesOfOneMessageOverOneLine) {
  for (Rank k = 2; k <= 16; k *= 2) {
    for (Rank from = 0; from < k; ++from) {
      std::vector<Crossing> to_all;
      for (Rank to = 0; to < k; ++to) to_all.push_back({from, to});
      EXPECT_FALSE(omega_blocking(k, to_all));
      EXPECT_FALSE(inverse_omega_blocking(k, to_all));
    }
  }
  // Line 0 sends to 0 and 1, line 2 to 3: in the first stage both need the upper output of the upper element only if
  // line 2 has a message for 0 or 1.
  EXPECT_FALSE(omega_blocking(4, std::vector<Crossing>{{0, 0}, {0, 1}, {2, 3}}));
  const auto blocking = omega_blocking(4, std::vector<Crossing>{{0, 0}, {0, 2}, {2, 1}, {2, 3}});
  ASSERT_TRUE(blocking);
  EXPECT_EQ(blocking->stage, 0U);
  EXPECT_EQ(blocking->first, (Crossing{0, 0}));
  EXPECT_EQ(blocking->second, (Crossing{2, 1}));
}

TEST(SwitchingNetworks, OfCopiesPassWhatSomeSettingDoes) {
  // Four lines: each of the four elements goes straight, crosses, or copies its upper or lower input to both outputs.
  std::set<std::vector<Rank>> possible;  // the source at every output, or no_rank
  for (unsigned setting = 0; setting < 256; ++setting) {
    std::vector<Rank> at{0, 1, 2, 3};
    for (unsigned stage = 0; stage < 2; ++stage) {
      std::vector<Rank> shuffled{at[0], at[2], at[1], at[3]};
      for (unsigned element = 0; element < 2; ++element) {
        const unsigned how = setting >> (4 * stage + 2 * element) & 3U;
        const Rank upper = shuffled[2 * element];
        const Rank lower = shuffled[2 * element + 1];
        at[2 * element] = how == 0 || how == 2 ? upper : lower;
        at[2 * element + 1] = how == 0 || how == 3 ? lower : upper;
      }
    }
    for (unsigned idle = 0; idle < 16; ++idle) {
      std::vector<Rank> part = at;
      for (unsigned line = 0; line < 4; ++line) {
        if ((idle >> line & 1U) != 0) part[line] = no_rank;
      }
      possible.insert(part);
    }
  }
  for (unsigned code = 0; code < 625; ++code) {
    std::vector<Rank> source;
    std::vector<Crossing> crossings;
    unsigned rest = code;
    for (Rank to = 0; to < 4; ++to, rest /= 5) {
      source.push_back(rest % 5 == 4 ? no_rank : rest % 5);
      if (source.back() != no_rank) crossings.push_back({source.back(), to});
    }
    std::sort(crossings.begin(), crossings.end());
    EXPECT_EQ(!omega_blocking(4, crossings), possible.contains(source)) << "code " << code;
  }
}

}  // namespace
}  // namespace lockstep::switching_networks_test
