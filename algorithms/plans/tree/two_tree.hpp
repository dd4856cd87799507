#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::tree {

/// Two binary trees on all ranks but rank 0, which gives to the roots of both: who passes on in one of them is a leaf
/// of the other. Edges have two colours, so that nobody sends, or receives, over two of one colour; those of one colour
/// are used in even steps, the others in odd ones. Sanders, Speck, Traeff 2009 (collectives.md, Broadcast).
class TwoTree {
 public:
  static constexpr std::size_t trees = 2;

  explicit TwoTree(Rank ranks);

  /// Whom the rank gets what goes down that tree from; no_rank if the rank is 0.
  Rank parent(std::size_t tree, Rank rank) const { return parents_[tree][rank]; }
  /// To whom it gives it; no_rank where there are fewer. Those of rank 0 are the root of the tree.
  const std::array<Rank, 2>& children(std::size_t tree, Rank rank) const { return children_[tree][rank]; }
  /// The step in which the first packet comes to the rank, from 0 on; the next ones follow every other step.
  std::uint64_t arrival(std::size_t tree, Rank rank) const { return arrivals_[tree][rank]; }
  /// Of each tree the steps in which the first packet moves.
  std::vector<std::vector<std::uint64_t>> offsets() const;

  /// Bytes that it keeps for so many ranks.
  static std::uint64_t bytes(std::uint64_t ranks);

 private:
  std::array<std::vector<Rank>, trees> parents_;
  std::array<std::vector<std::array<Rank, 2>>, trees> children_;
  std::array<std::vector<std::uint32_t>, trees> arrivals_;
};

}  // namespace lockstep::tree
