#pragma once

#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "tree.hpp"

// When what goes down or up a breadth-first tree moves, and what that counts (any-graph.md).
namespace lockstep::bfs {

/// Whether a node sends, and receives, over all its links at once; by the ring's rule it sends over one too.
inline bool all_at_once(const Model& model) { return model.ports == PortModel::all; }
/// The same of sending one payload.
inline bool spreads_at_once(const Model& model) {
  return all_at_once(model) || (model.ports == PortModel::one && model.multicast);
}

/// When everything moves that goes down the tree from cycle 0 on, or up it and is at the root in the cycle after the
/// last: the one backwards is the other.
class Timing {
 public:
  Timing(const Tree& tree, bool at_once) : arrivals_(tree.arrivals(at_once)), steps_(tree.steps(at_once)) {}

  Cycle steps() const { return steps_; }
  /// The cycle from which on a node can send down to its children, of which the root does so in cycle 0.
  Cycle arrival(Rank node) const { return arrivals_[node]; }
  /// In which a node is sent to, and sends, that is not the root.
  Cycle down(Rank node) const { return arrivals_[node] - 1; }
  Cycle up(Rank node) const { return steps_ - arrivals_[node]; }

 private:
  std::vector<Cycle> arrivals_;
  Cycle steps_;
};

/// The messages of a run, which are counted one by one.
class Traffic {
 public:
  /// A message of so many words in that cycle; nothing is sent that has no words.
  void add(Cycle cycle, Wide words);

  /// The counts, all exact. `steps` is how these come about, for people; so is `words`.
  Prediction prediction(const Model& model, const std::string& steps, const std::string& messages,
                        const std::string& words) const;

 private:
  std::vector<Wide> longest_;  // by cycle; 0 where nothing moves
  Wide messages_ = 0;
  Wide words_ = 0;
  Wide shortest_ = 0;  // message
};

/// "height of the tree" or "steps that the tree needs".
std::string steps_formula(bool at_once);

/// With one port the processors that know of something double at best, and everything has to get that far.
std::uint64_t fewest_steps(const MachineSpec& machine, const Model& model, std::uint64_t distance);
/// The same where everybody has to know of everybody.
std::uint64_t fewest_steps_for_all(const MachineSpec& machine, const Model& model);
/// Bounds where so many words have to leave or enter every processor: over one link, or over those of the processor
/// that has the fewest.
LowerBound bound_by_processor(const MachineSpec& machine, const Model& model, std::uint64_t steps, Wide words);

}  // namespace lockstep::bfs
