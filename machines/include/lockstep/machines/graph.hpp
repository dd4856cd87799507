#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/position.hpp"

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
  /// The two nodes of a link, in any order.
  using Link = std::pair<Rank, Rank>;

  /// A link that no machine has; what() names its nodes.
  class LinkError : public std::invalid_argument {
   public:
    /// `what` is the line to show, `link` the number in the list.
    LinkError(const std::string& what, std::size_t link) : std::invalid_argument(what), link_(link) {}
    /// Which one of the list.
    std::size_t link() const { return link_; }

   private:
    std::size_t link_;
  };

  /// Nodes 0 .. nodes-1 with these links, in any order. `labels` is empty or has what people call each node, an empty
  /// text where that is its number; `positions` is empty or has a place for each. `multiplicities` is empty, where
  /// every link is single, or says of each how many cables it stands for, at least 1. Throws LinkError that names the
  /// first node that is not there, is linked to itself or is linked twice to another, and std::invalid_argument that
  /// names the first that cannot be reached from node 0; or says that there is none.
  Graph(Rank nodes, const std::vector<Link>& links, std::vector<std::string> labels = {},
        std::vector<Position> positions = {}, const std::vector<std::uint32_t>& multiplicities = {});

  /// How many there are.
  Rank nodes() const { return static_cast<Rank>(first_.size() - 1); }
  /// How many there are, each counted once.
  std::uint64_t links() const { return neighbours_.size() / 2; }
  /// Links of a node.
  Port degree(Rank node) const { return static_cast<Port>(first_[node + 1] - first_[node]); }
  /// The fewest links that a node has.
  Port degree_min() const;
  /// The most links that a node has.
  Port degree_max() const;

  /// Where the port leads; an empty end for ports from degree(node) up.
  End neighbour(Rank node, Port port) const;

  /// Cables of the link at that port, which must have one: what a schedule's rounds are counted by (synthesis.hpp). The
  /// machine itself sends one message at a time over a link.
  std::uint32_t multiplicity(Rank node, Port port) const {
    return multiplicities_.empty() ? 1 : multiplicities_[first_[node] + port];
  }

  /// Whether nodes have other names than their numbers.
  bool has_labels() const { return !labels_.empty(); }
  /// What people call the node.
  std::string label(Rank node) const {
    return has_labels() && !labels_[node].empty() ? labels_[node] : std::to_string(node);
  }
  /// A place for every node, or none for any.
  const std::vector<Position>& positions() const { return positions_; }

 private:
  std::string said(Rank node) const;
  void refuse_double_links(const std::vector<Link>& links) const;
  void refuse_unreachable_nodes() const;

  std::vector<std::uint64_t> first_;           // where each node's neighbours begin, and behind the last node their end
  std::vector<Rank> neighbours_;               // of each node ascending
  std::vector<std::uint32_t> multiplicities_;  // of the links to them; empty if all are single
  std::vector<std::string> labels_;
  std::vector<Position> positions_;
};

// The forms in which a file may hold a graph. Its extension says which one it is; else { at its beginning means JSON, <
// XML, a single word graph6, and all else is an edge list.
//
//   .json                    NetworkX node-link data: an object with "nodes", a list of objects with an "id", and
//                            "edges" or "links", a list of objects with a "source" and a "target". A node's "label" is
//                            what people call it, its "x" and "y", or its "pos", a list of two, where it is drawn;
//                            a link's "multiplicity" is the number of cables for which it stands
//   .graphml, .xml           GraphML without ports, hyperedges and graphs inside nodes; nodes may have data with the
//                            names "label", "x" and "y"
//                            or, where <system> is the root, NCCL's topology: gpus by rank, else by device, and a link
//                            for every pair that NVLinks, XGMIs or an NVSwitch join
//   .anynet                  BookSim's network, also told by its first line: routers by number, each with its only
//                            node one processor, and behind them the nodes that share a router
//   .edges, .edgelist, .txt  a line a link: two names, and nothing else or {..}
//   .adjlist                 a line a node: its name and those of neighbours, every link once
//   .g6                      graph6, a single graph, with or without its header
//
// In edge and adjacency lists # begins a comment. Other members, keys and attributes are ignored, but those that say
// that links are directed, or may be double, must say no.
//
// Nodes are numbered by their names where all of these are whole numbers, from 0 up, none left out. Where one is not,
// they are numbered in the order of the file, and keep their names as labels. In JSON a name is a number, a text or a
// list, and all texts are names, "7" too.

/// Reads a graph in any of these forms. Throws std::invalid_argument: in one line what is wrong with the file, with the
/// place. Files that are no regular files, or larger than 256 MiB, are not read, nor more than 2^24 links; standard
/// input is read (input_file.hpp), as a file without an extension.
Graph read_graph(const std::string& path);

}  // namespace lockstep
