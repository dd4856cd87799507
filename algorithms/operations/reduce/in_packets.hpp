#pragma once

#include <functional>
#include <vector>

#include "cube.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/tree_schedule.hpp"

// Reduction in packets up the double-rooted tree, down which broadcast/drbt goes (mukherjee.md, Packets). A processor
// combines its value with those of its children's subtrees, whose ranks are not consecutive: for operators that
// commute.
namespace lockstep::reduce {

/// The tree with the times that its nodes need.
class UpwardTree {
 public:
  /// On a hypercube or reduced hypercube, whose topology it is.
  UpwardTree(const MachineSpec& machine, const Topology& topology, const Model& model);

  const TreeSchedule& schedule() const { return schedule_; }
  /// The cycle in which the node, which is not the root, has combined that packet and sends it.
  Cycle sent(Rank node, std::uint64_t packet) const { return last_ - arrivals_[node] + interval_ * packet; }
  /// The node at the other end of that port.
  Rank peer(Rank node, Port port) const { return topology_.peer(node, port).rank; }

  /// Bytes that it keeps for that many processors, at most.
  static std::uint64_t bytes(std::uint64_t processors);

 private:
  const Topology& topology_;
  TreeSchedule schedule_;
  std::vector<std::uint32_t> arrivals_;  // of a broadcast, of which the reduction is the reverse
  std::uint32_t last_;
  Cycle interval_;
};

/// The counts of --packets.
Prediction predict_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The program of a node; in the end the root's partial result stands for all.
Process reduce_in_packets(Processor<Partial<Block>>& self, const operands::NumberValues& values, const UpwardTree& tree,
                          Rank node, const Split& packets, HeldPartials<Block>& held);

/// If the result is right, judges what processors received, which may be wrong all the same: each from its children in
/// the order in which these send, compared with the values of the child's subtree, combined anew. `rank_of` gives the
/// rank of a node.
void judge_packets_on_the_way(const RunRequest& request, const operands::NumberValues& values, const UpwardTree& tree,
                              const PerRank<HeldPartials<Block>>& held, const std::function<Rank(Rank)>& rank_of,
                              Outcome& outcome);

}  // namespace lockstep::reduce
