// Theorem 1 of Johnsson & Ho (johnsson-ho.md, Some to all): the steps of some-to-all and all-to-some in any order. All
// orders are enumerated, each is compared with a simulation that moves blocks one by one, and the best is chosen from
// the simulated counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "lockstep/machines/input_error.hpp"
#include "method_run.hpp"

namespace lockstep::step_order_test {
namespace {

/// Counts of one order, in blocks.
struct Moved {
  Lengths longest;
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
};

/// Moves a block of one word from every origin to every destination: steps of `letters` other than 'e' over the upper k
/// dimensions, from the lowest up, the others over the lower l, from the highest down. The order of dimensions does not
/// affect the counts and differs from the method's.
Moved simulate(const std::string& letters, unsigned l, bool is_some_to_all) {
  const auto n = static_cast<unsigned>(letters.size());
  const unsigned few = 1U << l;
  const unsigned all = 1U << n;
  std::vector<std::multiset<std::pair<unsigned, unsigned>>> at(all);  // (origin, destination)
  for (unsigned a = 0; a < few; ++a) {
    for (unsigned b = 0; b < all; ++b)
      at[is_some_to_all ? a : b].insert(is_some_to_all ? std::pair(a, b) : std::pair(b, a));
  }
  Moved moved;
  unsigned upper = l;
  unsigned lower = l;
  for (const char letter : letters) {
    const unsigned bit = letter == 'e' ? 1U << --lower : 1U << upper++;
    auto next = at;
    std::uint64_t longest = 0;
    for (unsigned x = 0; x < all; ++x) {
      std::uint64_t sent = 0;
      for (const auto& block : at[x]) {
        if (((block.second ^ x) & bit) == 0) continue;
        next[x].erase(next[x].find(block));
        next[x ^ bit].insert(block);
        ++sent;
      }
      longest = std::max(longest, sent);
      moved.messages += sent > 0 ? 1 : 0;
      moved.words += sent;
    }
    moved.longest.push_back(longest);
    at = next;
  }
  for (unsigned x = 0; x < all; ++x) {
    for (const auto& block : at[x]) EXPECT_EQ(block.second, x);
  }
  return moved;
}

/// All words with k times the letter and l times 'e'.
std::vector<std::string> all_orders(char upper, unsigned k, unsigned l) {
  std::string letters = std::string(k, upper) + std::string(l, 'e');
  std::sort(letters.begin(), letters.end());
  std::vector<std::string> all;
  do {
    all.push_back(letters);
  } while (std::next_permutation(letters.begin(), letters.end()));
  return all;
}

std::string listed(const std::string& letters) {
  std::string text;
  for (const char letter : letters) text += (text.empty() ? "" : ",") + std::string(1, letter);
  return text;
}

Settings order_settings(unsigned n, unsigned l, std::uint64_t block, const std::optional<std::string>& order) {
  Settings settings = block_settings(block << (n + l));
  settings.sources = l;
  settings.order = order;
  return settings;
}

/// W of the page, term by term: a splitting step sends PQ/2^(l+i), i = 1..k, and an exchange half of what each rank
/// holds after the earlier splittings; all-to-some is the reverse.
std::uint64_t longest_of_the_page(std::string letters, unsigned l, std::uint64_t PQ) {
  if (letters.find('a') != std::string::npos) std::reverse(letters.begin(), letters.end());
  std::uint64_t sum = 0;
  unsigned splits = 0;
  for (const char letter : letters) {
    sum += letter == 'e' ? PQ >> (l + splits + 1) : PQ >> (l + ++splits);
  }
  return sum;
}

void expect_all_orders(std::string_view method, bool is_some_to_all, unsigned k, unsigned l) {
  const unsigned n = k + l;
  const BuiltMachine machine(cube(n));
  std::map<std::string, std::uint64_t> costs;
  for (const std::string& letters : all_orders(is_some_to_all ? 's' : 'a', k, l)) {
    const Moved moved = simulate(letters, l, is_some_to_all);
    const std::uint64_t block = 3;
    Lengths longest = moved.longest;
    for (std::uint64_t& words : longest) words *= block;
    const SpecCounts counts{.steps = n, .messages = moved.messages, .words = moved.words * block, .longest = longest};
    const Settings settings = order_settings(n, l, block, listed(letters));
    for (const PortModel ports : {PortModel::one_strict, PortModel::all}) {
      expect_run(machine, method, model_of(ports), settings, counts);
      expect_predicted(machine.predict(method, model_of(ports), settings), counts);
    }
    SpecCounts in_turns = counts;  // of an exchange: half of the processors wait for the others
    in_turns.longest = Lengths{};
    for (std::size_t step = 0; step < n; ++step) {
      in_turns.longest->insert(in_turns.longest->end(), letters[step] == 'e' ? 2 : 1, longest[step]);
    }
    in_turns.steps = n + l;
    for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
      expect_run(machine, method, model_of(PortModel::one, duplex), settings, in_turns);
    }
    costs[letters] = sum_of(longest);
    EXPECT_EQ(costs[letters], longest_of_the_page(letters, l, block << (n + l))) << letters;
  }
  // Only splitting first, or accumulating last.
  const std::string best =
      is_some_to_all ? std::string(k, 's') + std::string(l, 'e') : std::string(l, 'e') + std::string(k, 'a');
  for (const auto& [letters, cost] : costs) {
    if (letters != best) {
      EXPECT_GT(cost, costs[best]) << letters;
    }
  }
}

TEST(StepOrder, AllOrdersCountAsSimulatedAndTheoremOneHolds) {
  for (unsigned n = 1; n <= 6; ++n) {
    for (unsigned l = 0; l <= n; ++l) {
      SCOPED_TRACE("n " + std::to_string(n) + ", l " + std::to_string(l));
      expect_all_orders("some-to-all/exchange", true, n - l, l);
      expect_all_orders("all-to-some/exchange", false, n - l, l);
    }
  }
}

TEST(StepOrder, TakesStartUpsOfEveryMessage) {
  // k = 1, l = 2, 8 pairs of each source, 3 words a pair: 96 words, messages of 12, 12, 6 and of 12, 6, 6 words.
  const BuiltMachine machine("hypercube:3");
  Model model = model_of(PortModel::one);
  model.cost.max_packet_words = 5;
  for (const auto& [method, order, startups] : {std::tuple("some-to-all/exchange", "e,e,s", 12U * 3),
                                                std::tuple("some-to-all/exchange", "e,s,e", 8U * 3 + 8U * 2),
                                                std::tuple("all-to-some/exchange", "a,e,e", 12U * 3)}) {
    const Settings settings = order_settings(3, 2, 3, order);
    EXPECT_EQ(machine.run(method, model, settings).report.startups, startups) << order;
    EXPECT_EQ(machine.predict(method, model, settings).startups->value, startups) << order;
  }
}

TEST(StepOrder, NamesAreTheTwoExtremes) {
  const BuiltMachine machine("hypercube:5");
  const auto longest = [&](std::string_view method, const std::optional<std::string>& order) {
    return machine.run(method, model_of(PortModel::one), order_settings(5, 2, 1, order)).report.longest_sum;
  };
  // 2^7 words: splits of 16, 8, 4 and exchanges of 2, or of 16 if they come first.
  for (const auto& order : {std::optional<std::string>(), std::optional<std::string>("split-first")}) {
    EXPECT_EQ(longest("some-to-all/exchange", order), 16U + 8 + 4 + 2 * 2);
  }
  EXPECT_EQ(longest("some-to-all/exchange", "exchange-first"), 16U + 8 + 4 + 2 * 16);
  for (const auto& order : {std::optional<std::string>(), std::optional<std::string>("exchange-first")}) {
    EXPECT_EQ(longest("all-to-some/exchange", order), 16U + 8 + 4 + 2 * 2);
  }
  EXPECT_EQ(longest("all-to-some/exchange", "accumulate-first"), 16U + 8 + 4 + 2 * 16);
}

TEST(StepOrder, IsRefusedWhatIsNone) {
  const auto said = [](std::string_view method, const std::string& order) {
    return refusal(method, "hypercube:3", order_settings(3, 1, 2, order));
  };
  EXPECT_EQ(said("some-to-all/exchange", "s,e"),
            "--order 's,e' has 1 time s and 1 time e; 2 times s and 1 time e are needed");
  EXPECT_EQ(said("all-to-some/exchange", "a,e,e"),
            "--order 'a,e,e' has 1 time a and 2 times e; 2 times a and 1 time e are needed");
  EXPECT_EQ(said("some-to-all/exchange", "a,e,e"),
            "--order 'a,e,e' is not split-first, exchange-first, or a list of s and e");
  EXPECT_EQ(said("some-to-all/exchange", ""),
            "--order '' has 0 times s and 0 times e; 2 times s and 1 time e are needed");
  EXPECT_EQ(said("all-to-some/exchange", "split-first"),
            "--order 'split-first' is not accumulate-first, exchange-first, or a list of a and e");
  EXPECT_EQ(
      said("some-to-all/rotated-sbt", "s,s,e").rfind("--order 's,s,e' is not one of split-first, exchange-first", 0),
      0U);
  EXPECT_EQ(said("all-to-some/rotated-sbt", "accumulate-first"), "");
}

TEST(StepOrder, EveryFaultIsCaughtInEveryOrder) {
  for (const std::string& letters : all_orders('s', 2, 1)) {
    expect_catches_faults("some-to-all/exchange", "hypercube:3", order_settings(3, 1, 1, listed(letters)));
  }
  for (const std::string& letters : all_orders('a', 1, 2)) {
    expect_catches_faults("all-to-some/exchange", "hypercube:3", order_settings(3, 2, 1, listed(letters)));
  }
}

}  // namespace
}  // namespace lockstep::step_order_test
