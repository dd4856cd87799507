// --group: how groups are written, and broadcast/sbt, scatter/sbt and gather/sbt with a group (saad-schultz-1985.md,
// Subgroups) against trees found here from paths and by trying all orders; allgather/adea with a group against the
// paths of all blocks.
#include "method/group.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "../../temporary_directory.hpp"
#include "method_run.hpp"

namespace lockstep::group_test {
namespace {

constexpr std::string_view sbt = "broadcast/sbt";

using Ranks = std::vector<Rank>;

Ranks members_of(const std::string& machine, const std::string& text) {
  const method::Group group(parse_machine(machine), text);
  Ranks members(group.members().begin(), group.members().end());
  for (const Rank rank : members) EXPECT_TRUE(group.has(rank));
  return members;
}

std::string refusal(const std::string& machine, const std::string& text) {
  try {
    members_of(machine, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Group, IsAListOfRanksAndRanges) {
  EXPECT_EQ(members_of("hypercube:4", "9,3,5"), (Ranks{3, 5, 9}));
  EXPECT_EQ(members_of("hypercube:4", "0..2,0b1110..15,7"), (Ranks{0, 1, 2, 7, 14, 15}));
  EXPECT_EQ(members_of("hypercube:0", "0"), Ranks{0});
  EXPECT_EQ(refusal("hypercube:3", "3,8"), "--group 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal("hypercube:3", "1..9"), "--group 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal("hypercube:3", "3,1..4"), "--group 3 is named twice");
  EXPECT_EQ(refusal("hypercube:3", "4..2"), "--group '4..2' ends before it begins");
  for (const std::string text : {"3,", ",3", "3,,4", "..3", "3..", "3.4", "0b", "03", "1..2..3"}) {
    EXPECT_NE(refusal("hypercube:3", text).find("--group '"), std::string::npos) << text;
  }
}

TEST(Group, IsASubcubeOfAsManyDigitsAsDimensions) {
  EXPECT_EQ(members_of("hypercube:4", "0b1**0"), (Ranks{8, 10, 12, 14}));
  EXPECT_EQ(members_of("hypercube:3", "0b***").size(), 8U);
  EXPECT_EQ(refusal("hypercube:4", "0b1*0"), "--group '0b1*0' has 3 digits, and hypercube:4 has 4 dimensions");
  EXPECT_EQ(refusal("hypercube:1", "0b**"), "--group '0b**' has 2 digits, and hypercube:1 has 1 dimension");
  EXPECT_NE(refusal("hypercube:25", "0b*" + std::string(24, '0')).find("at most 24 dimensions"), std::string::npos);
}

TEST(Group, IsAFileOfRanks) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("ranks");
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write("5\n0b10\n\n7\n");
  EXPECT_EQ(members_of("hypercube:3", path), (Ranks{2, 5, 7}));
  write("5\n8\n");
  EXPECT_NE(refusal("hypercube:3", path).find("rank 8 is out of range: 0 to 7"), std::string::npos);
  write("5\n5\n");
  EXPECT_NE(refusal("hypercube:3", path).find("rank 5 is named twice"), std::string::npos);
  write("five\n");
  EXPECT_NE(refusal("hypercube:3", path).find("rank 'five'"), std::string::npos);
  write(" \n");
  EXPECT_NE(refusal("hypercube:3", path).find("names no rank"), std::string::npos);
  EXPECT_NE(refusal("hypercube:3", path + ".none"), "");
}

/// The tree from the root to the members; each is reached over its differing bits from the lowest to the highest.
std::map<Rank, std::set<Rank>> tree_of(Rank root, const Ranks& members) {
  std::map<Rank, std::set<Rank>> children{{root, {}}};
  for (const Rank member : members) {
    Rank at = root;
    for (unsigned bit = 0; bit < 32; ++bit) {
      if (((at ^ member) >> bit & 1U) == 0) continue;
      const Rank next = at ^ (Rank{1} << bit);
      children[at].insert(next);
      children[next];
      at = next;
    }
  }
  return children;
}

/// The steps until all below hold the item: sent to all children at once, or to one a step in the best of all orders.
std::uint64_t steps_below(const std::map<Rank, std::set<Rank>>& tree, Rank node, bool at_once) {
  std::vector<std::uint64_t> needs;
  for (const Rank child : tree.at(node)) needs.push_back(steps_below(tree, child, at_once));
  std::ranges::sort(needs);
  std::uint64_t least = needs.empty() ? 0 : ~std::uint64_t{0};
  do {
    std::uint64_t steps = 0;
    for (std::size_t place = 0; place < needs.size(); ++place) {
      steps = std::max(steps, (at_once ? 1 : place + 1) + needs[place]);
    }
    least = std::min(least, steps);
  } while (!at_once && std::ranges::next_permutation(needs).found);
  return least;
}

/// Up to four of k ranks, or all k if fewer.
Ranks drawn_group(std::mt19937_64& random, Rank k, bool may_be_large) {
  std::set<Rank> group;
  for (std::uint64_t count = 1 + random() % (may_be_large ? k : 4); count > 0; --count) {
    group.insert(static_cast<Rank>(random() % k));
  }
  return {group.begin(), group.end()};
}

std::string listed(const Ranks& members) {
  std::string text;
  for (const Rank rank : members) text += (text.empty() ? "" : ",") + std::to_string(rank);
  return text;
}

Settings to_group(const std::string& group, std::uint64_t words, std::optional<std::uint64_t> root = {}) {
  Settings settings = block_settings(words);
  settings.group = group;
  settings.root = root;
  return settings;
}

void expect_broadcast(const BuiltMachine& machine, const Ranks& members, Rank root, std::uint64_t words) {
  const auto tree = tree_of(root, members);
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
      const std::uint64_t steps = steps_below(tree, root, ports == PortModel::all);
      const std::uint64_t others = tree.size() - 1;
      SCOPED_TRACE(listed(members) + " from " + std::to_string(root) + " under " + std::string(name(ports)));
      expect_run(machine, sbt, model_of(ports, duplex), to_group(listed(members), words, root),
                 {.steps = steps,
                  .longest_sum = steps * words,
                  .messages = others,
                  .words = others * words,
                  .peak_words_held = words,
                  .message_words = words});
    }
  }
}

TEST(BroadcastToAGroup, IsThatOfACubeInASubcube) {
  for (const auto& [text, d] : {std::pair("0b0****", 4U), std::pair("0b1*0*1", 2U), std::pair("0b01*10", 1U),
                                std::pair("0b*****", 5U), std::pair("22", 0U)}) {
    const BuiltMachine machine("hypercube:5");
    const std::uint64_t k = std::uint64_t{1} << d;
    const Ranks members = members_of("hypercube:5", text);
    ASSERT_EQ(members.size(), k);
    for (const std::uint64_t m : {1U, 4U}) {
      SpecCounts counts{.steps = d, .longest_sum = d * m, .messages = k - 1, .words = (k - 1) * m};
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const std::optional<std::uint64_t> root :
             {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(members.back())}) {
          expect_run(machine, sbt, model_of(ports), to_group(text, m, root), counts);
        }
      }
      EXPECT_EQ(bound(sbt, "hypercube:5", to_group(text, m), model_of(PortModel::one)).first, d);
    }
  }
}

TEST(BroadcastToAGroup, GoesThroughOthersThatKeepNothing) {
  std::mt19937_64 random(11);
  for (unsigned n = 0; n <= 6; ++n) {
    const BuiltMachine machine(cube(n));
    const Rank k = Rank{1} << n;
    for (int trial = 0; trial < 12; ++trial) {
      const Ranks members = drawn_group(random, k, trial % 2 == 0);
      expect_broadcast(machine, members, members[random() % members.size()], 1 + random() % 3);
    }
  }
}

// By hand: 0 sends to 3 through 1, and to 4; serving 1 first, with the longer branch, saves a step.
TEST(BroadcastToAGroup, TakesTheLongestBranchFirst) {
  const BuiltMachine machine("hypercube:3");
  expect_run(machine, sbt, model_of(PortModel::one), to_group("0,3,4", 5),
             {.steps = 2, .longest_sum = 10, .messages = 3, .words = 15});
  expect_run(machine, sbt, model_of(PortModel::one), to_group("0,7", 1),
             {.steps = 3, .longest_sum = 3, .messages = 3, .words = 3});
}

TEST(BroadcastToAGroup, StartsAtItsLowestRankOrAtAnotherOfIts) {
  const BuiltMachine machine("hypercube:3");
  Settings settings = to_group("5,3,6", 1);
  machine.method(sbt).resolve(machine.spec, {}, settings);
  EXPECT_EQ(settings.root, 3U);
  settings = to_group("5,3,6", 1, 0);
  EXPECT_THROW(machine.method(sbt).resolve(machine.spec, {}, settings), InputError);
}

// With one port a word leaves the root a cycle, and the last takes the steps of a broadcast. With all ports the five
// links of the root carry a word each in the first cycle, and those of six processors in the second.
TEST(BroadcastToAGroup, IsBoundedByTheFarthestMemberByDoublingAndByReceipts) {
  const auto bounded = [](const std::string& group, PortModel ports) {
    return bound(sbt, "hypercube:5", to_group(group, 10), model_of(ports));
  };
  EXPECT_EQ(bounded("0,31", PortModel::one), Bound(5, 10 - 1 + 5));
  EXPECT_EQ(bounded("0,1,2,4,8", PortModel::one), Bound(3, 10 - 1 + 3));  // five members
  EXPECT_EQ(bounded("0,1,2,4,8", PortModel::all), Bound(1, 3));           // 5 + 6 * 5 < 4 * 10
  EXPECT_EQ(bounded("9", PortModel::one), Bound(0, 0));
}

constexpr std::string_view scatter = "scatter/sbt";
constexpr std::string_view gather = "gather/sbt";

std::uint64_t members_below(const std::map<Rank, std::set<Rank>>& tree, Rank node, const Ranks& members) {
  std::uint64_t sum = std::ranges::count(members, node) > 0 ? 1 : 0;
  for (const Rank child : tree.at(node)) sum += members_below(tree, child, members);
  return sum;
}

/// Sizes in blocks of the messages of every step, if the child with the most steps below is served first, and among
/// equals the one over the lower dimension.
void add_messages(const std::map<Rank, std::set<Rank>>& tree, Rank node, const Ranks& members, std::uint64_t step,
                  std::map<std::uint64_t, std::vector<std::uint64_t>>& messages) {
  std::vector<Rank> children(tree.at(node).begin(), tree.at(node).end());
  std::ranges::sort(children, [&](Rank a, Rank b) {
    const std::uint64_t of_a = steps_below(tree, a, false);
    const std::uint64_t of_b = steps_below(tree, b, false);
    return of_a != of_b ? of_a > of_b : (a ^ node) < (b ^ node);
  });
  for (const Rank child : children) {
    messages[step].push_back(members_below(tree, child, members));
    add_messages(tree, child, members, ++step, messages);
  }
}

void expect_scatter(const BuiltMachine& machine, const Ranks& members, Rank root, std::uint64_t m) {
  const auto tree = tree_of(root, members);
  std::map<std::uint64_t, std::vector<std::uint64_t>> messages;
  add_messages(tree, root, members, 0, messages);
  EXPECT_EQ(messages.size(), steps_below(tree, root, false));
  SpecCounts counts{.steps = messages.size(), .longest_sum = 0, .messages = tree.size() - 1, .words = 0};
  for (const auto& [step, sizes] : messages) {
    *counts.longest_sum += m * *std::ranges::max_element(sizes);
    for (const std::uint64_t size : sizes) *counts.words += m * size;
  }
  for (const std::string_view method : {scatter, gather}) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
        SCOPED_TRACE(std::string(method) + " " + listed(members) + " and " + std::to_string(root));
        expect_run(machine, method, model_of(ports, duplex), to_group(listed(members), m, root), counts);
      }
    }
  }
}

TEST(ScatterToAGroup, IsThatOfACubeInASubcube) {
  for (const auto& [text, d] : {std::pair("0b0****", 4U), std::pair("0b1*0*1", 2U), std::pair("0b01*10", 1U),
                                std::pair("0b*****", 5U), std::pair("22", 0U)}) {
    const BuiltMachine machine("hypercube:5");
    const std::uint64_t k = std::uint64_t{1} << d;
    for (const std::uint64_t m : {1U, 3U}) {
      const SpecCounts counts{.steps = d, .longest_sum = (k - 1) * m, .messages = k - 1, .words = d * (k / 2) * m};
      for (const std::string_view method : {scatter, gather}) {
        expect_run(machine, method, model_of(PortModel::one), to_group(text, m), counts);
        EXPECT_EQ(bound(method, "hypercube:5", to_group(text, m), model_of(PortModel::one)), Bound(d, (k - 1) * m));
      }
    }
  }
}

TEST(ScatterToAGroup, GoesThroughOthersThatKeepNothing) {
  std::mt19937_64 random(12);
  for (unsigned n = 0; n <= 6; ++n) {
    const BuiltMachine machine(cube(n));
    const Rank k = Rank{1} << n;
    for (int trial = 0; trial < 8; ++trial) {
      const Ranks members = drawn_group(random, k, trial % 2 == 0);
      expect_scatter(machine, members, members[random() % members.size()], 1 + random() % 3);
    }
  }
}

TEST(ScatterToAGroup, DividesAFileAmongTheGroup) {
  const test::TemporaryDirectory directory;
  const std::string input = directory.file("numbers");
  std::ofstream(input) << "1 2 3 4 5 6\n";
  const BuiltMachine machine("hypercube:3");
  for (const std::string_view method : {scatter, gather}) {
    Settings settings;
    settings.group = "1,2,7";
    settings.input = input;
    settings.output = directory.file("out");
    const Outcome outcome = machine.run(method, model_of(PortModel::one), settings);
    EXPECT_EQ(outcome.wrong, "");
    std::ifstream output(*settings.output);
    EXPECT_EQ(std::vector<int>(std::istream_iterator<int>(output), {}), (std::vector<int>{1, 2, 3, 4, 5, 6})) << method;
    settings.group = "1,2,6,7";
    EXPECT_THROW(machine.run(method, model_of(PortModel::one), settings), InputError);
  }
}

TEST(ScatterToAGroup, CatchesEveryFault) {
  for (const std::string_view method : {scatter, gather}) {
    expect_catches_faults(method, "hypercube:4", to_group("1,6,7,12", 2), model_of(PortModel::one));
  }
}

TEST(BroadcastToAGroup, CatchesEveryFault) {
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    expect_catches_faults(sbt, "hypercube:4", to_group("1,6,7,12", 2), model_of(ports));
  }
}

constexpr std::string_view adea = "allgather/adea";

/// The blocks that cross each link, by sender and dimension, if every block goes to every other member over its
/// differing bits from the highest to the lowest.
std::map<std::pair<Rank, unsigned>, std::set<Rank>> crossings(const Ranks& members) {
  std::map<std::pair<Rank, unsigned>, std::set<Rank>> blocks;
  for (const Rank source : members) {
    for (const Rank member : members) {
      Rank at = source;
      for (unsigned bit = 32; bit-- > 0;) {
        if (((at ^ member) >> bit & 1U) == 0) continue;
        blocks[{at, bit}].insert(source);
        at ^= Rank{1} << bit;
      }
    }
  }
  return blocks;
}

void expect_allgather(const BuiltMachine& machine, const Ranks& members, std::uint64_t m) {
  const auto blocks = crossings(members);
  for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
    SpecCounts counts{.steps = 0, .longest_sum = 0, .messages = blocks.size(), .words = 0};
    std::map<std::pair<unsigned, Rank>, std::uint64_t>
        longest;  // of a dimension, in half duplex one direction after the other
    for (const auto& [link, sources] : blocks) {
      const auto& [rank, bit] = link;
      std::uint64_t& most = longest[{bit, duplex == Duplex::full ? 0 : rank >> bit & 1U}];
      most = std::max(most, sources.size() * m);
      *counts.words += sources.size() * m;
    }
    counts.steps = longest.size();
    for (const auto& [step, most] : longest) *counts.longest_sum += most;
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      SCOPED_TRACE(listed(members) + " under " + std::string(name(ports)));
      expect_run(machine, adea, model_of(ports, duplex), to_group(listed(members), m), counts);
      expect_predicted(machine.predict(adea, model_of(ports, duplex), to_group(listed(members), m)), counts);
    }
  }
}

TEST(AllgatherInAGroup, IsThatOfACubeInASubcube) {
  for (const auto& [text, d] : {std::pair("0b0****", 4U), std::pair("0b1*0*1", 2U), std::pair("0b01*10", 1U),
                                std::pair("0b*****", 5U), std::pair("22", 0U)}) {
    const BuiltMachine machine("hypercube:5");
    const std::uint64_t g = std::uint64_t{1} << d;
    for (const std::uint64_t m : {1U, 4U}) {
      const SpecCounts counts{.steps = d,
                              .longest_sum = (g - 1) * m,
                              .messages = d * g,
                              .words = g * (g - 1) * m,
                              .peak_words_held = g * m};
      expect_run(machine, adea, model_of(PortModel::one), to_group(text, m), counts);
      EXPECT_EQ(bound(adea, "hypercube:5", to_group(text, m), model_of(PortModel::one)),
                Bound(d, std::max<std::uint64_t>(d, (g - 1) * m)));
    }
  }
}

TEST(AllgatherInAGroup, CarriesEveryBlockOverOneLinkOfEachDimensionOnce) {
  std::mt19937_64 random(13);
  for (unsigned n = 0; n <= 6; ++n) {
    const BuiltMachine machine(cube(n));
    const Rank k = Rank{1} << n;
    for (int trial = 0; trial < 12; ++trial) {
      expect_allgather(machine, drawn_group(random, k, trial % 2 == 0), 1 + random() % 3);
    }
  }
}

TEST(AllgatherInAGroup, IsBoundedByTheMembersFarthestApartAndByWhatEachReceives) {
  const auto bounded = [](const std::string& group, PortModel ports) {
    return bound(adea, "hypercube:5", to_group(group, 10), model_of(ports));
  };
  EXPECT_EQ(bounded("1,2,30", PortModel::one), Bound(5, 20));
  EXPECT_EQ(bounded("0,1,2,4,8", PortModel::one), Bound(3, 40));  // five members
  EXPECT_EQ(bounded("0,1,2,4,8", PortModel::all), Bound(2, 8));
  EXPECT_EQ(bounded("9", PortModel::one), Bound(0, 0));
}

TEST(AllgatherInAGroup, CatchesFaults) {
  for (const char* group : {"0,3,5,6", "0b1**", "0,7"}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
      expect_catches_faults(adea, "hypercube:3", to_group(group, 2), model_of(PortModel::one, duplex));
    }
  }
}

}  // namespace
}  // namespace lockstep::group_test
