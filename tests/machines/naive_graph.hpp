#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The oracle of the machines' tests: graphs built from their definitions by comparing all pairs of nodes, and
/// distances by breadth-first search. Shares no address arithmetic with the machines.
struct NaiveGraph {
  std::vector<std::set<Rank>> neighbours;

  Rank size() const { return static_cast<Rank>(neighbours.size()); }
  std::uint64_t links() const;
  /// Distances from one node to all; a graph that is not connected is a test failure.
  std::vector<std::uint64_t> distances(Rank from) const;
  /// Fewest links between any half of the nodes (rounded down) and the rest; all halves are tried.
  std::uint64_t bisection_width() const;

  friend bool operator==(const NaiveGraph&, const NaiveGraph&) = default;
};

NaiveGraph naive_ring(Rank m);
NaiveGraph naive_path(Rank m);
NaiveGraph naive_complete(Rank m);
NaiveGraph naive_hypercube(unsigned n);
NaiveGraph naive_incomplete_hypercube(unsigned n, unsigned m);
NaiveGraph naive_reduced_hypercube(unsigned k, unsigned n);
NaiveGraph naive_cube_connected_cycles(unsigned d);
NaiveGraph naive_shuffle_exchange(unsigned n);
NaiveGraph naive_star(unsigned n);
NaiveGraph naive_pancake(unsigned n);
NaiveGraph naive_circulant(Rank m, const std::vector<Rank>& strides);
/// The graph in petersen.json: a pentagon, a star of five, and a spoke from each corner to its tip.
NaiveGraph naive_petersen();
/// Nodes are tuples in lexicographic order; neighbours differ in one coordinate, by a link of that factor.
NaiveGraph naive_product(const std::vector<NaiveGraph>& factors);

/// The links of a built machine. Two links between the same processors, or a wiring that Topology::verify() refuses,
/// are test failures.
NaiveGraph graph_of(const Topology& topology);

/// A machine's specification with its graph from the definition.
struct NaiveMachine {
  std::string spec;
  NaiveGraph graph;
};

/// Machines of every family, degenerate sizes included, and products of 1 to 3 random small factors.
const std::vector<NaiveMachine>& naive_machines();

}  // namespace lockstep
