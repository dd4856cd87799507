#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A connected undirected graph without loops and double links. A node's ports lead to its neighbours in ascending
/// order; nodes of a lower degree than others lack links on their last ports.
///
///      links 2-0, 0-3, 1-2, 1-0
///
///         1 --- 0 --- 3      ports of 0: 0 to 1, 1 to 2, 2 to 3      ports of 2: 0 to 0, 1 to 1
///          \   /             ports of 1: 0 to 0, 1 to 2              ports of 3: 0 to 0
///            2
class Graph {
 public:
  using Link = std::pair<Rank, Rank>;

  /// Nodes 0 .. nodes-1 with these links, in any order. Throws std::invalid_argument that names the first node that is
  /// not there, is linked to itself, is linked twice to another, or cannot be reached from node 0; or that there is
  /// none.
  Graph(Rank nodes, const std::vector<Link>& links);

  Rank nodes() const { return static_cast<Rank>(first_.size() - 1); }
  std::uint64_t links() const { return neighbours_.size() / 2; }
  Port degree(Rank node) const { return static_cast<Port>(first_[node + 1] - first_[node]); }
  Port degree_min() const;
  Port degree_max() const;

  /// Where the port leads; an empty end for ports from degree(node) up.
  End neighbour(Rank node, Port port) const;

 private:
  void refuse_double_links() const;
  void refuse_unreachable_nodes() const;

  std::vector<std::uint64_t> first_;  // where each node's neighbours begin, and behind the last node their end
  std::vector<Rank> neighbours_;      // of each node ascending
};

/// Reads NetworkX node-link JSON: an object with "nodes", a list of objects with an "id", and "links" or "edges", a
/// list of objects with a "source" and a "target". Ids are the whole numbers from 0 up, each once, in any order; other
/// members are ignored, but "directed" and "multigraph" must not be true. Throws std::invalid_argument: in one line
/// what is wrong with the file, with the place. Files that are no regular files, or larger than 256 MiB, are not read;
/// standard input is (input_file.hpp).
Graph read_graph(const std::string& path);

}  // namespace lockstep
