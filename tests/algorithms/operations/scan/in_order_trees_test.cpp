// scan/in-order-trees and exscan/in-order-trees against any-graph.md, Scan in parts: counts on paper where the plan can
// be followed by hand, and results everywhere.
#include <gtest/gtest.h>

#include <array>

#include "data_directory.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::in_order_trees_test {
namespace {

constexpr std::array scans{"scan/in-order-trees", "exscan/in-order-trees"};

Settings with_operator(const std::string& name, std::uint64_t words) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  return settings;
}

class InOrderTrees : public testing::TestWithParam<const char*> {};

// Halves, quarters, .. of the vector go up the dimensions and back; over the last one the lower half of the ranks sends
// both ways of its two parts at once, and the upper half, whose totals no rank needs, nothing.
// Tori of sides of 4 are cubes whose numbers are in another order.
TEST_P(InOrderTrees, HalvesVectorsOnCubes) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    const std::uint64_t p = std::uint64_t{1} << n;
    const std::uint64_t m = 8 * p;
    expect_run(BuiltMachine(cube(n)), GetParam(), model_of(PortModel::one), with_operator("sum", m),
               {.steps = 2 * n - 1, .longest_sum = 2 * (m - m / p)});
  }
  expect_run(BuiltMachine("torus:4x4"), GetParam(), model_of(PortModel::one), with_operator("sum", 128),
             {.steps = 7, .longest_sum = 2 * (128 - 8)});
}

// The same exchanges over one bit at a time, which every network of elements passes; whatever the number of parts.
TEST_P(InOrderTrees, PassesNetworks) {
  for (const char* network : {"omega:", "inverse-omega:", "indirect-cube:", "data-manipulator:"}) {
    for (std::uint64_t n = 1; n <= 5; ++n) {
      const std::uint64_t p = std::uint64_t{1} << n;
      for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{5}, p, 4 * p + 3}) {
        expect_run(BuiltMachine(network + std::to_string(p)), GetParam(), model_of(PortModel::one),
                   with_operator("sum", m), {});
      }
    }
  }
}

// Every rank sends every other the part of which that one is the root, and gets back a prefix; but nothing from the
// last rank, whose value is needed nowhere else, and no prefix for rank 0.
TEST_P(InOrderTrees, TakesTwoStepsOnCompleteGraphs) {
  for (const std::uint64_t p : {3U, 4U, 7U, 12U}) {
    const std::uint64_t b = 5;
    const std::uint64_t messages = 2 * (p - 1) * (p - 1);
    expect_run(BuiltMachine("complete:" + std::to_string(p)), GetParam(), model_of(PortModel::all),
               with_operator("sum", p * b),
               {.steps = 2, .longest_sum = 2 * b, .messages = messages, .words = messages * b, .message_words = {}});
  }
}

// Every part crosses every link of a path once, as the result of all ranks before it or as the prefix before those
// behind it: the first leaves rank 0 at once, and after p - 1 steps the last. Without start-ups nothing is sent
// together.
TEST_P(InOrderTrees, CrossesEveryLinkOfAPathOnce) {
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    for (const std::uint64_t p : {2U, 3U, 5U, 8U}) {
      const std::uint64_t b = 3;
      Model model = model_of(ports);
      model.cost.beta = 0;
      expect_run(
          BuiltMachine("path:" + std::to_string(p)), GetParam(), model, with_operator("sum", p * b),
          {.steps = 2 * (p - 1), .longest_sum = 2 * (p - 1) * b, .messages = p * (p - 1), .words = p * (p - 1) * b});
    }
  }
}

// Every operator, also those that do not commute, whatever the machine and the number of words.
TEST_P(InOrderTrees, KeepsTheOrderOfTheRanks) {
  for (const char* machine : {"hypercube:0", "hypercube:3", "incomplete-hypercube:2+1", "rh:2,1", "ring:7", "path:4",
                              "complete:5", "torus:3x4", "mesh:3x3", "ccc:3", "star:3", "pancake:4", "circulant:9,1,3",
                              "switch:6", "switch:7", "shuffle-exchange:3"}) {
    const BuiltMachine built(machine);
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      if (built.spec.medium && ports == PortModel::all) continue;
      for (const Operator& op : operators()) {
        for (const std::uint64_t elements : {1U, 3U, 26U}) {
          Model model = model_of(ports);
          model.cost.flop = 1;
          Settings settings = with_operator(std::string(op.name), elements * op.element_words);
          expect_run(built, GetParam(), model, settings, {});
        }
      }
    }
  }
}

TEST_P(InOrderTrees, CatchesFaults) {
  for (const char* machine : {"hypercube:2", "ring:5", "complete:4", "star:3", "switch:5"}) {
    for (const char* name : {"sum", "min", "or", "concat"}) {
      expect_catches_faults(GetParam(), machine, with_operator(name, 7));
    }
  }
  expect_catches_faults(GetParam(), "mesh:2x3", with_operator("matrix2", 24));
  expect_catches_faults(GetParam(), "complete:4", with_operator("max", 4), model_of(PortModel::all));
}

TEST_P(InOrderTrees, RefusesWhatItDoesNotPlan) {
  const BuiltMachine machine("ring:129");
  Settings settings;
  EXPECT_THROW(machine.method(GetParam()).resolve(machine.spec, model_of(PortModel::one), settings), InputError);
}

INSTANTIATE_TEST_SUITE_P(All, InOrderTrees, testing::ValuesIn(scans));

class InOrderTreesFile : public DataDirectory {
 protected:
  std::string result(const std::string& method, const std::string& name, const std::string& input) const {
    Settings settings;
    settings.operator_name = name;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine("ring:3").run(method, model_of(PortModel::one), settings).wrong, "") << method;
    return text_of(path("out"));
  }
};

TEST_F(InOrderTreesFile, ComesToWhatAPersonWould) {
  const std::string numbers = "1\n2\n3\n10\n20\n30\n100\n200\n300\n";
  EXPECT_EQ(result("scan/in-order-trees", "sum", numbers), "1\n2\n3\n11\n22\n33\n111\n222\n333\n");
  EXPECT_EQ(result("exscan/in-order-trees", "sum", numbers), "1\n2\n3\n11\n22\n33\n");
  EXPECT_EQ(result("scan/in-order-trees", "concat", "a\nb\nc\nd\ne\nf"), "a\nb\nac\nbd\nace\nbdf\n");
}

}  // namespace
}  // namespace lockstep::in_order_trees_test
