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

struct MachineSpec;

/// A connected undirected graph without loops and double links. A node's ports lead to its neighbours in ascending
/// order; nodes with fewer links than others lack links on their last ports.
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

  /// A link that no machine can have; what() names its nodes.
  class LinkError : public std::invalid_argument {
   public:
    /// `what` is the line to show, `link` the number in the list.
    LinkError(const std::string& what, std::size_t link) : std::invalid_argument(what), link_(link) {}
    /// Its number in the list.
    std::size_t link() const { return link_; }

   private:
    std::size_t link_;
  };

  /// Nodes 0 .. nodes-1 with these links, in any order. `labels` is empty or has each node's name for people, an empty
  /// text where that is its number; `positions` is empty or has a place for each. `multiplicities` is empty if every
  /// link is single, else gives the number of cables of each link, at least 1. Throws LinkError naming the first node
  /// that does not exist, is linked to itself or is linked twice to another, and std::invalid_argument naming the first
  /// that cannot be reached from node 0, or if there are no nodes.
  Graph(Rank nodes, const std::vector<Link>& links, std::vector<std::string> labels = {},
        std::vector<Position> positions = {}, const std::vector<std::uint32_t>& multiplicities = {});

  /// How many there are.
  Rank nodes() const { return static_cast<Rank>(first_.size() - 1); }
  /// The number of links, each counted once.
  std::uint64_t links() const { return neighbours_.size() / 2; }
  /// Links of a node.
  Port degree(Rank node) const { return static_cast<Port>(first_[node + 1] - first_[node]); }
  /// The fewest links that a node has.
  Port degree_min() const;
  /// The most links that a node has.
  Port degree_max() const;

  /// Where the port leads; an empty end for ports from degree(node) up.
  End neighbour(Rank node, Port port) const;

  /// Cables of the link at that port, which must have one: the unit in which the rounds of a schedule are counted
  /// (synthesis.hpp). The machine itself sends one message at a time over a link.
  std::uint32_t multiplicity(Rank node, Port port) const {
    return multiplicities_.empty() ? 1 : multiplicities_[first_[node] + port];
  }

  /// Whether a link has more cables than one.
  bool has_multiplicities() const { return !multiplicities_.empty(); }

  /// Whether nodes have names other than their numbers.
  bool has_labels() const { return !labels_.empty(); }
  /// The node's name for people.
  std::string label(Rank node) const {
    return has_labels() && !labels_[node].empty() ? labels_[node] : std::to_string(node);
  }
  /// A place for every node, or empty.
  const std::vector<Position>& positions() const { return positions_; }

  /// Whether they have the same links with the same cables, whatever their nodes are called and wherever they are
  /// drawn.
  friend bool operator==(const Graph& a, const Graph& b) {
    return a.first_ == b.first_ && a.neighbours_ == b.neighbours_ && a.multiplicities_ == b.multiplicities_;
  }

  /// As what its file was read, and what was assumed where the file does not say: "an edge list", "line 1 is the
  /// numbers of nodes and links". Empty if it was read from no file.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Sets them.
  void set_notes(std::vector<std::string> notes) { notes_ = std::move(notes); }

 private:
  std::string text_of(Rank node) const;
  void refuse_double_links(const std::vector<Link>& links) const;
  void refuse_unreachable_nodes() const;

  std::vector<std::uint64_t> first_;           // where each node's neighbours begin, and after the last node their end
  std::vector<Rank> neighbours_;               // ascending for each node
  std::vector<std::uint32_t> multiplicities_;  // of the links to them; empty if all are single
  std::vector<std::string> labels_;
  std::vector<Position> positions_;
  std::vector<std::string> notes_;
};

/// A digest of the nodes, links and multiplicities of the machine's graph, 16 hexadecimal digits: equal for files of
/// any form with the same graph, whatever the names and places of its nodes. Of a product, of its factors' graphs;
/// empty if the machine has none.
std::string graph_digest(const MachineSpec& machine);

/// What the user says of a file that does not say it itself.
struct GraphReading {
  /// What several links between two nodes are. Links of nodes to themselves are refused with them, else left out.
  enum class Repeated {
    refuse,  ///< the file is not read
    merge,   ///< they are one link, with the cables of the first
    count    ///< they are one link, with the cables of all
  };
  /// What the number behind the names of an edge list is.
  enum class Column {
    weight,        ///< nothing to a machine
    multiplicity,  ///< the cables of the link
    capacity       ///< in units of the least one, the cables
  };

  Repeated repeated = Repeated::refuse;  ///< several links between two nodes
  Column column = Column::weight;        ///< the number behind the names
};

// The forms in which a file may hold a graph. Its extension selects one; without one, and of .txt, .csv, .tsv and
// .graph, the content tells: { at its beginning means JSON, < XML, "*Vertices" Pajek, "%%MatrixMarket" a matrix, "graph
// [" GML, "graph {" DOT, "p edge" DIMACS, "router 0 node 0" anynet, a single word graph6, rows that mirror each other
// METIS, and two or more names a line an edge list. Files may be compressed by gzip.
//
//   .json                    NetworkX node-link data: an object with "nodes", a list of objects with an "id", and
//                            "edges" or "links", a list of objects with a "source" and a "target". A node's "label" is
//                            what people call it, its "x" and "y", or its "pos", a list of two, where it is drawn;
//                            a link's "multiplicity" is the number of cables for which it stands
//   .graphml, .xml           GraphML without ports, hyperedges and graphs inside nodes; nodes may have data with the
//                            names "label", "x" and "y"
//                            or, where <system> is the root, NCCL's topology: gpus by rank, else by device, and a link
//                            for every pair that NVLinks, XGMIs or an NVSwitch join
//   .anynet                  BookSim's network: routers by number, each with its only node as one processor, and after
//                            them the nodes that share a router
//   .edges, .edgelist        one line per link: two names, and numbers or {..} after them. Names may be parted by
//                            commas or semicolons; a head (source,target) and a line of the numbers of nodes and links
//                            may come first
//   .adjlist                 one line per node: its name and those of neighbours
//   .metis                   METIS: the numbers of nodes and links, then the neighbours of node 1, 2, ..
//   .gml, .net, .mtx, .col   GML, Pajek, Matrix Market (coordinate), DIMACS
//   .dot, .gv                DOT
//   .g6                      graph6, a single graph, with or without its header
//
// In lists # and % begin a comment; a name may be in quotes, or a tuple: (0, 1). Other members, keys and attributes are
// ignored. What is directed is taken if every link stands there once in each direction.
//
// If all names of nodes are whole numbers, ranks are in their order, and if they are not 0, 1, 2, .. they are labels.
// If one is not, nodes are numbered in the order of the file and keep their names as labels. In JSON a name is a
// number, a text or a list, and every text is a name, even "7".

/// The name of the file in what follows "graph:": without what follows its last ?, unless a file has that name.
std::string graph_file_name(const std::string& text);

/// Reads a graph in any of these forms. Throws std::invalid_argument with one line: what is wrong with the file, and
/// where. Files that are not regular files or are larger than 256 MiB are not read, nor more than 2^24 links; standard
/// input is read (input_file.hpp), as a file without an extension.
Graph read_graph(const std::string& path, const GraphReading& reading = {});

}  // namespace lockstep
