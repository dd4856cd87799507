#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::alltoall {

/// The cycles in which the blocks of a source leave it.
enum class SbntOrder {
  at_once,                ///< all in the first cycle
  reverse_breadth_first,  ///< those for distance d in cycle n - d, from 0: the farthest first
  postorder  ///< one of every subtree a cycle, each after all below it; below one node, lower relative addresses first
};

/// base(c) of all relative addresses c of the n-cube but 0 (johnsson-ho.md, Trees), and when the block for c leaves: in
/// tables, since the processors ask for every piece in every cycle.
class SbntBases {
 public:
  explicit SbntBases(Port n, SbntOrder order = SbntOrder::at_once);

  Port dimensions() const { return n_; }
  Port operator[](Rank c) const { return bases_[c]; }
  /// The cycle, from 0, in which the block for the relative address leaves its source; from then on it moves in every
  /// one.
  std::uint32_t start(Rank c) const { return starts_.empty() ? 0 : starts_[c]; }
  /// Cycles until all blocks are at their destinations.
  std::uint32_t cycles() const { return cycles_; }

 private:
  void start_in_postorder();

  Port n_;
  std::uint32_t cycles_;
  std::vector<std::uint8_t> bases_;
  std::vector<std::uint32_t> starts_;  // empty if all start at once
};

/// Sub-program: the exchange of johnsson-ho.md, All to all down the spanning balanced n-trees of all sources, in
/// bases.cycles() cycles on a cube. `held` has at first the processor's blocks for the others, and in the end theirs
/// for it. Throws std::logic_error if a piece comes that is not due, and what Processor::send throws. All arguments
/// must outlive the sub-program.
Process sbnt(Processor<Bundle>& self, const SbntBases& bases, Bundle& held);

}  // namespace lockstep::alltoall
