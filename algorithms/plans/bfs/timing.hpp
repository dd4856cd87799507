#pragma once

#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "tree.hpp"

// The cycles in which data goes down or up a breadth-first tree, and the counts of that (any-graph.md).
namespace lockstep::bfs {

/// Whether a node sends, and receives, over all its links at once; under the ring rule it sends over one only.
inline bool all_at_once(const Model& model) { return model.ports == PortModel::all; }
/// Whether a node sends one payload to all its children at once; under the ring rule it does not.
inline bool serves_children_at_once(const Model& model) {
  return all_at_once(model) || (model.ports == PortModel::one && model.multicast);
}

/// The cycles of all data that goes down the tree from cycle 0 on, or up it, reaching the root in the cycle after the
/// last: one is the reverse of the other.
class Timing {
 public:
  Timing(const Tree& tree, bool at_once) : arrivals_(tree.arrivals(at_once)), steps_(tree.steps(at_once)) {}

  Cycle steps() const { return steps_; }
  /// The cycle from which on a node can send down to its children, of which the root does so in cycle 0.
  Cycle arrival(Rank node) const { return arrivals_[node]; }
  /// The cycle in which a node other than the root is sent to, and sends.
  Cycle down(Rank node) const { return arrivals_[node] - 1; }
  Cycle up(Rank node) const { return steps_ - arrivals_[node]; }

 private:
  std::vector<Cycle> arrivals_;
  Cycle steps_;
};

/// The messages of a run, which are counted one by one.
class Traffic {
 public:
  /// Adds a message of `words` words in that cycle; a message without words is not sent.
  void add(Cycle cycle, Wide words);

  /// The counts, all exact. `steps`, `messages` and `words` are their formulas for the user.
  Prediction prediction(const Model& model, const std::string& steps, const std::string& messages,
                        const std::string& words) const;

 private:
  std::vector<Wide> longest_;  // by cycle; 0 where nothing moves
  Wide messages_ = 0;
  Wide words_ = 0;
  Wide shortest_ = 0;  // message
};

/// The formula of the tree's steps for the user.
std::string steps_formula(bool at_once);

}  // namespace lockstep::bfs
