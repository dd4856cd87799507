#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/machine_spec.hpp"

// The plan of scans whose vectors are cut into parts, each with a tree of its own (any-graph.md, Scan in parts).
namespace lockstep::scan {

/// Consecutive ranks.
struct RankRun {
  Rank first;
  Rank count;

  Rank end() const { return first + count; }
};

/// A tree of all ranks for one part of the vector: up it go the results of all runs of consecutive ranks in a subtree,
/// but for the run that ends with the last rank, which no other rank needs; down it go the prefixes before these runs,
/// but for the run that begins with rank 0, which has none.
class PartTree {
 public:
  /// By the parent of every rank; that of the root is no_rank.
  explicit PartTree(std::vector<Rank> parents);

  Rank nodes() const { return static_cast<Rank>(parents_.size()); }
  Rank root() const { return root_; }
  Rank parent(Rank node) const { return parents_[node]; }
  const std::vector<Rank>& children(Rank node) const { return children_[node]; }
  /// The runs of the node's subtree, by ascending ranks.
  const std::vector<RankRun>& runs(Rank node) const { return runs_[node]; }
  /// Links from the root, and to the farthest node below.
  Rank depth(Rank node) const { return depths_[node]; }
  Rank height(Rank node) const { return heights_[node]; }
  /// The number of results that the node sends to its parent, and of prefixes that it receives.
  Rank sent_up(Rank node) const;
  Rank sent_down(Rank node) const;
  /// The number of children from which the node receives results.
  Rank senders(Rank node) const;

 private:
  Rank root_ = no_rank;
  std::vector<Rank> parents_;
  std::vector<std::vector<Rank>> children_;
  std::vector<std::vector<RankRun>> runs_;
  std::vector<Rank> depths_;
  std::vector<Rank> heights_;
};

/// What goes over the link between a node of a part's tree and its parent: all results of the node's subtree, or the
/// prefixes before all its runs.
struct PartFlight {
  Rank part;
  Rank node;
  bool up;
};

/// A message, of all flights one after the other.
struct FlightsMove {
  Rank from;
  Rank to;
  std::vector<PartFlight> flights;
};

/// The cycle in which a node has all that it needs for its prefix of a part, and for those of its children.
struct PrefixReady {
  Cycle cycle;
  Rank part;
  Rank node;
};

/// Messages step by step.
struct PartTreesPlan {
  std::vector<std::vector<FlightsMove>> steps;
  std::vector<Rank> most_results{};  ///< of a message in every step
  std::vector<PrefixReady> ready{};
};

/// The trees of all parts, and plans with at most 1, 2, 4 (but on networks between a switch and a bus) and any number
/// of results a message; one flight may have more.
struct PartTrees {
  std::vector<PartTree> trees;
  std::vector<PartTreesPlan> plans;
};

/// Machines of more processors are not planned.
inline constexpr std::uint64_t most_processors_with_part_trees = 128;

/// Whether plans for the machine use trees that halve the ranks instead of breadth-first trees: any rank reaches any
/// other over a link or switch, one at a time.
bool halves_ranks(const MachineSpec& machine, const Model& model);

/// The trees for one part a rank, or, if that is more than `most_parts` or if trees halve the ranks, for the greatest
/// power of two that it allows; for half as many, and so on to one part. Kept for the next call.
std::shared_ptr<const std::vector<PartTrees>> part_trees(const MachineSpec& machine, const Model& model,
                                                         std::uint64_t most_parts);

}  // namespace lockstep::scan
