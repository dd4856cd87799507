// allreduce/tree against collectives.md, Allreduce over links: the steps of mukherjee.md, Reduction and Broadcast, one
// after the other; with packets, twice the steps of Packets.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::allreduce_tree_test {
namespace {

constexpr std::string_view tree = "allreduce/tree";

/// Multiplied out by hand: steps and messages of the reduction, k + (n+1) D and 2^D (2^k - 1) + sum over i < D of
/// 2^(D-1-i) (2 pc(i) + 1); steps of the broadcast of the whole vector with one port and with all, on a cube the
/// binomial tree's; and of one packet down the double-rooted tree, with one port and with all, and the intervals with
/// one port and where a processor does not send while it receives.
struct Shape {
  std::string machine;
  std::uint64_t processors;
  std::uint64_t up;
  std::uint64_t up_messages;
  std::uint64_t down;
  std::uint64_t down_at_once;
  std::uint64_t packet;
  std::uint64_t packet_at_once;
  std::uint64_t children;
  std::uint64_t neighbours;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.machine; }

const Shape shapes[] = {
    {"hypercube:1", 2, 1, 1, 1, 1, 1, 1, 1, 1},
    {"hypercube:2", 4, 2, 3, 2, 2, 2, 2, 2, 2},
    {"hypercube:3", 8, 3, 7, 3, 3, 4, 3, 2, 3},
    {"hypercube:8", 256, 8, 255, 8, 8, 14, 8, 2, 3},
    {"rh:0,0", 2, 1, 1, 1, 1, 1, 1, 1, 1},
    {"rh:1,0", 4, 2, 3, 2, 2, 2, 2, 2, 2},
    {"rh:2,0", 8, 3, 7, 3, 3, 3, 3, 3, 3},
    {"rh:1,1", 8, 5, 9, 5, 5, 5, 5, 2, 2},
    {"rh:2,1", 16, 6, 17, 6, 6, 6, 6, 3, 3},
    {"rh:3,1", 32, 7, 33, 7, 7, 7, 7, 4, 4},
    {"rh:2,2", 64, 14, 79, 13, 12, 13, 12, 3, 3},
    {"rh:4,2", 256, 16, 271, 15, 14, 15, 14, 5, 5},
    {"rh:3,3", 2048, 35, 2349, 33, 32, 33, 32, 3, 4},
};

Settings with_operator(const std::string& name, std::uint64_t words, std::uint64_t packets = 1) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  settings.packets = packets;
  return settings;
}

class AllreduceTree : public testing::TestWithParam<Shape> {};

TEST_P(AllreduceTree, TakesTheStepsOfReductionAndBroadcast) {
  const Shape& shape = GetParam();
  if (sanitized && shape.processors > 300) GTEST_SKIP() << "in other builds";
  const BuiltMachine machine(shape.machine);
  const std::uint64_t messages = shape.up_messages + shape.processors - 1;
  for (const std::uint64_t words : {4U, 20U}) {
    for (const char* name : {"sum", "min", "matrix2"}) {
      const auto expect_whole = [&](const Model& model, std::uint64_t down) {
        const std::uint64_t steps = shape.up + down;
        expect_run(machine, tree, model, with_operator(name, words),
                   {.steps = steps, .longest_sum = steps * words, .messages = messages, .words = messages * words});
      };
      expect_whole(model_of(PortModel::one), shape.down);
      expect_whole(model_of(PortModel::one, Duplex::half_node), shape.down);
      expect_whole(model_of(PortModel::one_strict), shape.down);
      expect_whole(model_of(PortModel::all), shape.down_at_once);
      expect_whole(model_of(PortModel::all, Duplex::half_node), shape.down_at_once);
      const Outcome multicast =  // down, with fewer sends than messages
          machine.run(tree, model_of(PortModel::one, Duplex::full, true), with_operator(name, words));
      EXPECT_EQ(multicast.wrong, "");
      EXPECT_EQ(multicast.report.steps, shape.up + shape.down_at_once);
      EXPECT_EQ(multicast.report.messages, messages);
    }
  }
}

TEST_P(AllreduceTree, SendsPacketsUpAndDownAtTheInterval) {
  const Shape& shape = GetParam();
  if (sanitized && shape.processors > 300) GTEST_SKIP() << "in other builds";
  const BuiltMachine machine(shape.machine);
  for (const auto& [words, packets] : {std::pair<std::uint64_t, std::uint64_t>{2, 2}, {7, 3}, {40, 6}}) {
    for (const char* name : {"sum", "max"}) {
      const auto expect_packets = [&](const Model& model, std::uint64_t steps, std::uint64_t interval) {
        const std::uint64_t longest = (words + packets - 1) / packets;
        expect_run(machine, tree, model, with_operator(name, words, packets),
                   {.steps = 2 * (steps + (packets - 1) * interval),
                    .longest_sum = 2 * ((steps - interval) * longest + interval * words),
                    .messages = 2 * (shape.processors - 1) * packets,
                    .words = 2 * (shape.processors - 1) * words});
      };
      expect_packets(model_of(PortModel::one), shape.packet, shape.children);
      expect_packets(model_of(PortModel::one, Duplex::half_node), shape.packet, shape.neighbours);
      expect_packets(model_of(PortModel::one_strict), shape.packet, shape.neighbours);
      expect_packets(model_of(PortModel::all), shape.packet_at_once, 1);
      expect_packets(model_of(PortModel::all, Duplex::half_node), shape.packet_at_once,
                     shape.packet_at_once > 1 ? 2 : 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, AllreduceTree, testing::ValuesIn(shapes));

TEST(AllreduceTreeOfOne, DoesNothing) {
  expect_run(BuiltMachine("hypercube:0"), tree, model_of(PortModel::one), with_operator("sum", 3),
             {.steps = 0, .longest_sum = 0, .messages = 0, .words = 0});
}

TEST(AllreduceTreeOperators, AreAllOfThemButInPackets) {
  for (const Operator& op : operators()) {
    const std::string name(op.name);
    for (const char* text : {"rh:2,1", "hypercube:3"}) {
      EXPECT_EQ(BuiltMachine(text).run(tree, model_of(PortModel::one), with_operator(name, 3 * op.element_words)).wrong,
                "")
          << name << " on " << text;
    }
    EXPECT_EQ(refusal(tree, "rh:2,1", with_operator(name, 12, 3)),
              op.commutative ? ""
                             : "--operator " + name +
                                   " does not commute, and operands are combined in another order than that of the "
                                   "ranks");
  }
}

TEST(AllreduceTreeFaults, AreCaughtWhateverTheOperator) {
  for (const char* name : {"sum", "min", "or"}) {
    for (const std::uint64_t packets : {1U, 2U}) {
      expect_catches_faults(tree, "rh:1,1", with_operator(name, 3, packets));
      expect_catches_faults(tree, "hypercube:3", with_operator(name, 3, packets));
    }
  }
}

}  // namespace
}  // namespace lockstep::allreduce_tree_test
