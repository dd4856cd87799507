#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep::tree {

/// The tree of a reduction to node 0 (mukherjee.md, Reduction): binomial in every building block, and over the blocks,
/// whose nodes 0 send from block to block. A cube is one block.
///
///     RH(1,1):   1 -> 0   3 -> 2   5 -> 4   7 -> 6          port 0
///                2 -> 0            6 -> 4                   port 1
///                4 -> 5 -> 1 -> 0                           ports 0, 1, 0
class ReductionTree {
 public:
  /// On a hypercube or reduced hypercube.
  explicit ReductionTree(const MachineSpec& machine);

  /// How many nodes send their results to this one.
  std::uint32_t children(Rank node) const;
  /// The ports over which the node's result goes to the next one that combines; none for node 0.
  std::vector<Port> path(Rank node) const;

  /// Steps where every node sends as soon as it can, in any port model.
  std::uint64_t steps() const;
  std::string steps_formula() const;
  /// Steps at whose end nodes combine what they have received.
  std::uint64_t combinations() const;
  std::uint64_t messages() const;
  std::string messages_formula() const;

 private:
  std::optional<ReducedHypercube> rh_;
  Port block_bits_;  // of an address inside its block
};

}  // namespace lockstep::tree
