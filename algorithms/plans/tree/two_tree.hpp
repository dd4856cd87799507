#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::tree {

/// Two binary trees on all ranks but rank 0, which sends to the roots of both: an inner node of one of them is a leaf
/// of the other. Edges have two colours, so that no rank sends, or receives, over two of one colour; those of one
/// colour are used in even steps, the others in odd ones. Sanders, Speck, Traeff 2009 (collectives.md, Broadcast).
class TwoTree {
 public:
  static constexpr std::size_t trees = 2;

  explicit TwoTree(Rank ranks);

  /// The rank that this one receives from in that tree; no_rank for rank 0.
  Rank parent(std::size_t tree, Rank rank) const { return parents_[tree][rank]; }
  /// The ranks that it sends to; no_rank where there are fewer. That of rank 0 is the root of the tree.
  const std::array<Rank, 2>& children(std::size_t tree, Rank rank) const { return children_[tree][rank]; }
  /// The step in which the rank receives the first packet, from 0 on; the next ones follow every other step.
  std::uint64_t arrival(std::size_t tree, Rank rank) const { return arrivals_[tree][rank]; }
  /// For each tree the steps in which the first packet moves.
  std::vector<std::vector<std::uint64_t>> offsets() const;

  /// Bytes that it keeps for `ranks` ranks.
  static std::uint64_t bytes(std::uint64_t ranks);

 private:
  std::array<std::vector<Rank>, trees> parents_;
  std::array<std::vector<std::array<Rank, 2>>, trees> children_;
  std::array<std::vector<std::uint32_t>, trees> arrivals_;
};

}  // namespace lockstep::tree
