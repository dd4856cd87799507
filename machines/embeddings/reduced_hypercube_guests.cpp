// The hypercube, cube-connected cycles, rings and paths in a reduced hypercube, and binary trees in both.
#include <memory>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/cube_connected_cycles.hpp"
#include "lockstep/machines/double_rooted_tree.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/reduced_hypercube_embeddings.hpp"

namespace lockstep {
namespace {

using RankTable = std::shared_ptr<const std::vector<Rank>>;

std::function<Rank(Rank)> from_table(RankTable places) {
  return [places = std::move(places)](Rank rank) { return (*places)[rank]; };
}

bool place_hypercube(Embedding& made, const ReducedHypercube& rh) {
  if (made.machine->parameters[0] != rh.address_bits()) return false;
  made.place = [](Rank rank) { return rank; };
  made.map = "equal addresses";
  made.source = "Mukherjee, chapter 1.3.1";
  made.is_emulation = true;
  return true;
}

bool place_cycles(Embedding& made, const ReducedHypercube& rh) {
  if (made.machine->parameters[0] != rh.block_dimensions()) return false;
  made.place = [rh, cycles = CubeConnectedCycles(rh.block_dimensions())](Rank rank) {
    return embedded_cycles_node(rh, 0, cycles.corner(rank), cycles.position(rank));
  };
  made.map = "layer 0: position p of a cycle is subblock gray(p), bit p of the corner bit gray(p) of the block";
  made.source = "Mukherjee, chapter 1.3: every layer holds cube-connected cycles; the places are Lockstep's";
  made.is_subgraph = true;
  return true;
}

bool place_line(Embedding& made, const ReducedHypercube& rh) {
  if (made.machine->family == "ring" && made.machine->processors != rh.processors()) return false;
  refuse_large_table(made);
  made.place = from_table(std::make_shared<const std::vector<Rank>>(hamiltonian_ring(rh)));
  made.map = "along a ring of all processors (mukherjee.md, Embeddings)";
  made.source = "Mukherjee, chapter 1.3.1, names a ring; this one is Lockstep's";
  made.is_subgraph = true;
  return true;
}

/// The nodes of the double-rooted tree of the cube except the spacer, from the root by levels.
std::vector<Rank> tree_by_levels(Port dimensions) {
  const DoubleRootedTree tree(dimensions);
  const auto child = [&](Rank node, std::size_t which) { return node ^ Rank { 1 } << tree.children(node)[which]; };
  std::vector<Rank> nodes{0};
  nodes.reserve(tree.nodes());
  if (dimensions > 1) {
    nodes.push_back(child(child(0, 0), 0));  // the deeper side begins with the spacer
    nodes.push_back(child(0, 1));
  }
  for (std::size_t next = 1; next < nodes.size(); ++next) {
    for (std::size_t which = 0; which < tree.children(nodes[next]).size(); ++which) {
      nodes.push_back(child(nodes[next], which));
    }
  }
  return nodes;
}

/// Port 0 leads to the parent, ports 1 and 2 to the children.
End tree_link(Rank processors, Rank rank, Port port) {
  if (port == 0) return rank == 0 ? End{} : End{(rank - 1) / 2, 2 - rank % 2};
  const std::uint64_t child = std::uint64_t{2} * rank + port;
  return child < processors ? End{static_cast<Rank>(child), 0} : End{};
}

}  // namespace

void refuse_large_table(const Embedding& made) {
  if (made.host.processors <= most_walked_processors) return;
  throw InputError(printable(made.host.text) + " is too large for an embedding of " + printable(made.guest) +
                   ": its places are a table of at most " + std::to_string(most_walked_processors) + " processors");
}

bool place_in_reduced_hypercube(Embedding& made) {
  const ReducedHypercube rh(made.host);
  const std::string& family = made.machine->family;
  if (family == "hypercube") return place_hypercube(made, rh);
  if (family == "ccc") return place_cycles(made, rh);
  return (family == "ring" || family == "path") && place_line(made, rh);
}

void place_tree(Embedding& made) {
  if (!is_hypercube(made.host) && made.host.family != "rh") {
    throw InputError("no embedding of binary-tree in " + printable(made.host.text) +
                     " is known; hypercube and rh hold one");
  }
  const auto dimensions = static_cast<Port>(highest_bit(static_cast<Rank>(made.host.processors)));
  if (dimensions == 0) throw InputError(printable(made.host.text) + " is too small for a binary tree");
  refuse_large_table(made);
  made.processors = made.host.processors - 1;
  made.ports = 3;
  made.wiring = [processors = static_cast<Rank>(made.processors)](Rank rank, Port port) {
    return tree_link(processors, rank, port);
  };
  made.place = from_table(std::make_shared<const std::vector<Rank>>(tree_by_levels(dimensions)));
  made.map = "the double-rooted tree of the hypercube of as many processors; ranks from the root by levels";
  made.source = "Mukherjee, chapter 2.1.1, Double-rooted tree; the link past the spacer takes two of the hypercube's";
}

}  // namespace lockstep
