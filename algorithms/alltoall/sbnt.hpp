#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::alltoall {

/// base(c) of all relative addresses c of the n-cube but 0 (johnsson-ho.md, Trees): looked up, since the processors ask
/// for it for every piece in every cycle.
class SbntBases {
 public:
  explicit SbntBases(Port n);

  Port dimensions() const { return n_; }
  Port operator[](Rank c) const { return bases_[c]; }

 private:
  Port n_;
  std::vector<std::uint8_t> bases_;
};

/// Sub-program: the exchange of johnsson-ho.md, All to all down the spanning balanced n-trees of all sources, in n
/// cycles on a cube. `held` is at first what the processor has for the others, and in the end what they had for it.
/// Throws std::logic_error if a piece comes that is not due, and what Processor::send throws. All arguments must
/// outlive the sub-program.
Process sbnt(Processor<Bundle>& self, const SbntBases& bases, Bundle& held);

}  // namespace lockstep::alltoall
