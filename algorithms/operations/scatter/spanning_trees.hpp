#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/spanning_balanced_tree.hpp"

namespace lockstep::scatter {

// Spanning trees of the n-cube (johnsson-ho.md, Trees), by relative addresses: rank xor root. The path to c leads over
// the one bits of c, in their order from some dimension on, upwards or downwards, cyclically.
//
//      n = 4, to 1011      rotated by 0: 0, 1, 3    by 1: 1, 3, 0    by 2: 3, 0, 1
//                          reflected:    3, 1, 0    balanced: 3, 0, 1, as base(1011) = 3
class SpanningTree {
 public:
  /// The spanning binomial tree whose order is `by`, `by` + 1 and so on.
  static SpanningTree rotated(Port n, Port by);
  /// The tree whose order is `by` - 1, `by` - 2 and so on.
  static SpanningTree reflected(Port n, Port by);
  /// Ho and Johnsson's spanning balanced n-tree, in which the order begins with base(c).
  static SpanningTree balanced(Port n);

  bool is_upwards() const { return upwards_; }
  /// The dimension at that place of the order; not for the balanced tree, whose paths have no common order.
  Port dimension(Port place) const { return upwards_ ? (first_ + place) % n_ : (first_ + n_ - place) % n_; }
  /// The next dimension on the path to c, of which `left`, not 0, is left.
  Port next(Rank c, Rank left) const;
  /// The last dimension of the path to c, which is not 0.
  Port last(Rank c) const;
  /// The dimensions, as bits, that a path to c can have crossed when it has crossed `last`.
  Rank crossed(Rank c, Port last) const;

 private:
  SpanningTree(Port n, Port first, bool upwards, bool balanced)
      : n_(n), first_(first), upwards_(upwards), balanced_(balanced) {}

  Port first(Rank c) const { return balanced_ ? sbnt_base(c, n_) : first_; }
  Port following(Port dimension) const { return upwards_ ? above(dimension) : below(dimension); }
  Port preceding(Port dimension) const { return upwards_ ? below(dimension) : above(dimension); }
  Port above(Port dimension) const { return dimension + 1 == n_ ? 0 : dimension + 1; }
  Port below(Port dimension) const { return dimension == 0 ? n_ - 1 : dimension - 1; }

  Port n_;
  Port first_;
  bool upwards_;
  bool balanced_;
};

/// Trees each of which is rotated by n / count more than the last, rounded down; `count` must divide n, or be 2.
std::vector<SpanningTree> rotated_trees(Port n, std::uint64_t count);
/// As above with reflected trees; `count` must divide n.
std::vector<SpanningTree> reflected_trees(Port n, std::uint64_t count);

/// Trees among which every block of `block_words` words is divided: part t of each travels on tree t. Immutable.
class Forest {
 public:
  Forest(std::vector<SpanningTree> trees, std::uint64_t block_words)
      : trees_(std::move(trees)), parts_(block_words, trees_.size()) {}

  const std::vector<SpanningTree>& trees() const { return trees_; }
  const Split& parts() const { return parts_; }
  /// The tree on which the piece travels; nullptr if the piece is not within one part of a block.
  const SpanningTree* tree_of(const Piece& piece) const;

 private:
  std::vector<SpanningTree> trees_;
  Split parts_;
};

}  // namespace lockstep::scatter
