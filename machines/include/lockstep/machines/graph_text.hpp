#pragma once

#include <cstdint>
#include <string>

#include "lockstep/machines/machine_spec.hpp"

// Machines as graphs in other programs' forms: every processor with its rank, its label where it has one, and its place
// (layout.hpp); every link once, from the lower rank, with its ports at both ends. read_graph() (graph.hpp) reads the
// first two; it renumbers ports by ascending neighbour.
//
// All throw InputError for machines without links, whose processors share a medium, and for machines with more than
// most_written processors or links.
namespace lockstep {

/// The most processors, and the most links, in a file.
inline constexpr std::uint64_t most_written = std::uint64_t{1} << 20;

/// NetworkX node-link data, as JSON: one line per processor, one line per link. Nodes have "id", "label", "x" and "y",
/// edges "source", "target", "source_port" and "target_port".
std::string node_link_text(const MachineSpec& spec);

/// GraphML, with these as keys.
std::string graphml_text(const MachineSpec& spec);

/// DOT, for neato of Graphviz: nodes are pinned to their places, at 72 points per unit.
std::string dot_text(const MachineSpec& spec);

}  // namespace lockstep
