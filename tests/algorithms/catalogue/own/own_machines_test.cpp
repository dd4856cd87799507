// Machines that a program adds: the families that add_machine_family() accepts, and the facts of a family that defines
// only its reading and wiring.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "method_run.hpp"

namespace lockstep::own_machines_test {
namespace {

void read_one_number(const SpecReader& reader, MachineSpec& spec) {
  spec.parameters = {reader.number(reader.parameters(), "M")};
  spec.processors = spec.parameters[0];
  spec.ports = 2;
}
/// A ring equal to the catalogue's, port by port.
Wiring own_ring(const MachineSpec& spec) {
  return [m = static_cast<Rank>(spec.processors)](Rank rank, Port port) {
    return port == 0 ? End{(rank + 1) % m, 1} : End{(rank + m - 1) % m, 0};
  };
}
void read_height(const SpecReader& reader, MachineSpec& spec) {
  spec.parameters = {reader.number(reader.parameters(), "H")};
  spec.processors = (std::uint64_t{2} << spec.parameters[0]) - 1;
  spec.ports = 3;
}
/// A complete binary tree: port 0 leads to the parent, 1 and 2 to the children.
Wiring own_tree(const MachineSpec& spec) {
  return [processors = static_cast<Rank>(spec.processors)](Rank rank, Port port) {
    if (port == 0) return rank == 0 ? End{} : End{(rank - 1) / 2, rank % 2 == 1 ? Port{1} : Port{2}};
    const Rank child = 2 * rank + port;
    return child < processors ? End{child, 0} : End{};
  };
}

using Read = void (*)(const SpecReader&, MachineSpec&);
using MakeWiring = Wiring (*)(const MachineSpec&);

/// A family with only the required members.
MachineFamily own_family(const std::string& name, Read read, MakeWiring make_wiring) {
  return {.name = name,
          .form = name + ":M",
          .limits = "M from 1 up",
          .example = name + ":5",
          .summary = "a machine of one's own",
          .ports = "as it says",
          .read = read,
          .wiring = make_wiring};
}

Process broadcast_down_tree(Processor<Block>& self, Rank, Block& item) {
  if (self.has_link(0)) item = (co_await self.message(0)).payload;
  for (const Port child : {Port{1}, Port{2}}) {
    if (!self.has_link(child)) continue;
    self.send(child, item);
    co_await self.cycle();
  }
}

void add_all() {
  add_machine_family(own_family("own-ring", read_one_number, own_ring));
  add_machine_family(own_family("own-tree", read_height, own_tree));
  add_method(broadcast::own_method<broadcast_down_tree>("broadcast/down-tree", {"own-tree"}));
}

class OwnMachines : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool are_added = (add_all(), true);
    EXPECT_TRUE(are_added);
  }
};

std::string refused(const MachineFamily& family) {
  try {
    add_machine_family(family);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST_F(OwnMachines, AreRefusedIfSomethingIsMissing) {
  const MachineFamily good = own_family("another", read_one_number, own_ring);
  const auto with = [&good](const auto& change) {
    MachineFamily family = good;
    change(family);
    return refused(family);
  };
  EXPECT_EQ(with([](MachineFamily& family) { family.name = ""; }), "a machine family without a name");
  EXPECT_EQ(with([](MachineFamily& family) { family.name = "ring"; }), "machine family \"ring\" exists already");
  EXPECT_EQ(with([](MachineFamily& family) { family.name = "own-ring"; }),
            "machine family \"own-ring\" exists already");
  EXPECT_EQ(with([](MachineFamily& family) { family.read = nullptr; }),
            "machine family \"another\" has no read or wiring");
  EXPECT_EQ(with([](MachineFamily& family) { family.wiring = nullptr; }),
            "machine family \"another\" has no read or wiring");
  EXPECT_THROW(parse_machine("another:3"), MachineSpecError);
}

// Facts found by search equal those that the catalogue has by formula for a machine of the same shape.
TEST_F(OwnMachines, AreKnownBySearch) {
  for (std::uint64_t m = 3; m <= 20; ++m) {
    const std::string size = ":" + std::to_string(m);
    SCOPED_TRACE(size);
    const MachineFacts own = facts(parse_machine("own-ring" + size)), known = facts(parse_machine("ring" + size));
    EXPECT_EQ(own.links, known.links);
    EXPECT_EQ(own.degree_min, known.degree_min);
    EXPECT_EQ(own.degree_max, known.degree_max);
    EXPECT_EQ(own.diameter, known.diameter);
    EXPECT_EQ(own.average_status, known.average_status);
    EXPECT_EQ(own.parted_pairs, known.parted_pairs);
    build(parse_machine("own-ring" + size)).verify();
  }
  // A tree of height 2 has 6 links; the root separates the most pairs, 3 ranks on one side from 3 on the other.
  const MachineFacts tree = facts(parse_machine("own-tree:2"));
  EXPECT_EQ(tree.links, 6U);
  EXPECT_EQ(tree.degree_min, 1U);
  EXPECT_EQ(tree.degree_max, 3U);
  EXPECT_EQ(tree.diameter, 4U);
  EXPECT_EQ(tree.parted_pairs, 18U);
}

TEST_F(OwnMachines, RunMethods) {
  // A level takes one step to the left and one more to the right: the rightmost leaf receives last.
  for (std::uint64_t height = 0; height <= 5; ++height) {
    const BuiltMachine machine("own-tree:" + std::to_string(height));
    const Outcome outcome = machine.run("broadcast/down-tree", {}, {});
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.steps, 2 * height);
  }
}

}  // namespace
}  // namespace lockstep::own_machines_test
