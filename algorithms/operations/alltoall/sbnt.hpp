#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::alltoall {

/// When the blocks of a source leave it.
enum class SbntOrder {
  at_once,                ///< all in the first cycle
  reverse_breadth_first,  ///< those for distance d in cycle n - d, from 0: the farthest first
  postorder  ///< one of every subtree a cycle, each after all below it; below one node, lower relative addresses first
};

/// base(c) of all relative addresses c of the n-cube but 0 (johnsson-ho.md, Trees), and when what is for c leaves:
/// looked up, since the processors ask for it for every piece in every cycle.
class SbntBases {
 public:
  explicit SbntBases(Port n, SbntOrder order = SbntOrder::at_once);

  Port dimensions() const { return n_; }
  Port operator[](Rank c) const { return bases_[c]; }
  /// The cycle, from 0, in which what is for the relative address leaves its source; it moves in every one then.
  std::uint32_t start(Rank c) const { return starts_.empty() ? 0 : starts_[c]; }
  /// Cycles until all is at its destination.
  std::uint32_t cycles() const { return cycles_; }

 private:
  void start_in_postorder();

  Port n_;
  std::uint32_t cycles_;
  std::vector<std::uint8_t> bases_;
  std::vector<std::uint32_t> starts_;  // empty if all start at once
};

/// Sub-program: the exchange of johnsson-ho.md, All to all down the spanning balanced n-trees of all sources, in
/// bases.cycles() cycles on a cube. `held` is at first what the processor has for the others, and in the end what they
/// had for it. Throws std::logic_error if a piece comes that is not due, and what Processor::send throws. All arguments
/// must outlive the sub-program.
Process sbnt(Processor<Bundle>& self, const SbntBases& bases, Bundle& held);

}  // namespace lockstep::alltoall
