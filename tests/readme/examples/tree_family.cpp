#include "families/families.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"

namespace lockstep {

namespace {

constexpr Port parent_port = 0;
constexpr Port left_port = 1;  // the right child is behind the next port

void tree_read(const SpecReader& reader, MachineSpec& spec) {
  const std::uint64_t height = reader.number(reader.parameters(), "H");
  spec.parameters = {height};
  spec.processors = saturating_power_of_two(height + 1) - 1;
  spec.ports = 3;
}

// The children of x are 2x+1 and 2x+2, as in a heap.
Wiring tree_wiring(const MachineSpec& spec) {
  return [last = spec.processors - 1](Rank rank, Port port) {
    if (port == parent_port) {
      if (rank == 0) return End{};
      return End{(rank - 1) / 2, rank % 2 == 1 ? left_port : left_port + 1};
    }
    const std::uint64_t child = 2 * std::uint64_t{rank} + port;
    return child <= last ? End{static_cast<Rank>(child), parent_port} : End{};
  };
}

Topology::Label tree_label(const MachineSpec&) { return {}; }

MachineFacts tree_facts(const MachineSpec& spec) {
  const std::uint64_t height = spec.parameters[0];
  MachineFacts facts;
  facts.links = spec.processors - 1;
  facts.degree_min = height == 0 ? 0 : 1;
  facts.degree_max = height == 0 ? 0 : height == 1 ? 2 : 3;
  facts.diameter = 2 * height;
  if (const auto found = all_distances(spec, tree_wiring(spec))) facts.average_status = found->average_status;
  facts.parted_pairs = most_parted_pairs(spec, tree_wiring(spec));
  return facts;
}

std::string tree_picture(const MachineSpec& spec) {
  return caption("tree:2", spec) +
         "       0\n"
         "     /   \\\n"
         "    1     2\n"
         "   / \\   / \\\n"
         "  3   4 5   6\n";
}

}  // namespace

MachineFamily tree_family() {
  return {.name = "tree",
          .form = "tree:H",
          .limits = "H from 0 to 30",
          .example = "tree:3",
          .summary = "complete binary tree of height H",
          .ports = "0 = parent, 1 = left child, 2 = right child",
          .read = tree_read,
          .wiring = tree_wiring,
          .label = tree_label,
          .facts = tree_facts,
          .picture = tree_picture};
}

}  // namespace lockstep
