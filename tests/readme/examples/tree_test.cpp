// The complete binary tree: its wiring and facts, and a program on it.
#include <gtest/gtest.h>

#include <numeric>

#include "lockstep/core/machine.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/spec_reader.hpp"

namespace lockstep {

MachineFamily tree_family();

namespace {

/// The result of parse_machine() for a specification once the family is in the list.
MachineSpec tree_of_height(const std::string& height) {
  const MachineFamily family = tree_family();
  MachineSpec spec;
  spec.text = "tree:" + height;
  spec.family = family.name;
  family.read(SpecReader(spec.text, family, height), spec);
  return spec;
}

Topology built(const MachineSpec& spec) {
  return Topology(spec.text, static_cast<Rank>(spec.processors), static_cast<Port>(spec.ports),
                  tree_family().wiring(spec));
}

TEST(Tree, LinksParentsAndChildren) {
  const Topology tree = built(tree_of_height("2"));
  tree.verify();
  EXPECT_EQ(tree.processors(), 7U);
  EXPECT_EQ(tree.peer(0, 0), End{});
  EXPECT_EQ(tree.peer(0, 1), (End{1, 0}));
  EXPECT_EQ(tree.peer(0, 2), (End{2, 0}));
  EXPECT_EQ(tree.peer(6, 0), (End{2, 2}));
  EXPECT_EQ(tree.peer(6, 1), End{});
}

/// Sums of the distances from every processor to all, by walking up from both.
std::uint64_t sum_of_distances(Rank processors) {
  std::uint64_t sum = 0;
  for (Rank from = 0; from < processors; ++from) {
    for (Rank to = 0; to < processors; ++to) {
      for (Rank a = from, b = to; a != b; ++sum) (a > b ? a : b) = ((a > b ? a : b) - 1) / 2;
    }
  }
  return sum;
}

TEST(Tree, KnowsItsFacts) {
  for (const std::string height : {"0", "1", "2", "5"}) {
    const MachineSpec spec = tree_of_height(height);
    const Topology tree = built(spec);
    const MachineFacts facts = tree_family().facts(spec);
    EXPECT_EQ(facts.links, tree.links());
    std::vector<Port> degrees;
    for (Rank rank = 0; rank < tree.processors(); ++rank) degrees.push_back(tree.degree(rank));
    EXPECT_EQ(facts.degree_min, *std::min_element(degrees.begin(), degrees.end()));
    EXPECT_EQ(facts.degree_max, *std::max_element(degrees.begin(), degrees.end()));
    EXPECT_EQ(facts.average_status, Fraction(sum_of_distances(tree.processors()), tree.processors()));
  }
}

Process flood(Processor<Word>& self, Word& value) {
  if (self.rank() != 0) value = co_await self.message(0);
  const std::vector<Port> children{1, 2};
  if (self.has_link(1)) co_await spread(self, children, value);
}

TEST(Tree, CarriesAValueFromTheRootToEveryLeaf) {
  const Topology tree = built(tree_of_height("4"));
  std::vector<Word> values(tree.processors());
  values[0] = 42;
  Machine<Word> machine(tree, {.ports = PortModel::all});
  const Report report = machine.run([&](Processor<Word>& self) { return flood(self, values[self.rank()]); });
  EXPECT_EQ(values, std::vector<Word>(31, 42));
  EXPECT_EQ(report.steps, 4U);
  EXPECT_EQ(report.messages, 30U);
}

}  // namespace
}  // namespace lockstep
