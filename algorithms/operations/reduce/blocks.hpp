#pragma once

#include "cube.hpp"
#include "lockstep/machines/block_link.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep::reduce {

/// Between the blocks, i = 0..D-1: those with bits 0..i-1 zero and bit i one send their result, the others of those
/// with bits 0..i-1 zero receive. Node 0 of a block combines; other nodes of layer 0 forward.
template <class Values>
Process reduce_blocks(Processor<Partial<typename Values::Value>>& self, const Values& values,
                      const ReducedHypercube& rh, Rank node, HeldPartials<typename Values::Value>& held) {
  const Rank block = rh.bb(node);
  const Rank s = rh.sb(node);
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    const BlockLink link(rh, 0, i);
    const bool sends = has_bit(block, i);
    if (s == 0 && sends) {
      self.send(link.first_port(), std::move(held.own));
      co_return;
    }
    if (s == 0) {
      Partial<typename Values::Value> higher = co_await self.message(link.last_port());
      take_in(self, values, held, std::move(higher));
    } else if (const auto hop = sends ? link.path_out_through(s) : link.path_in_through(s)) {
      Message<Partial<typename Values::Value>> passing = co_await self.message(hop->entered_by);
      self.forward(hop->left_by, std::move(passing));
    }
    if (sends) co_return;
  }
}

/// Reduction to node 0 over the tree of Mukherjee, chapter 3 (mukherjee.md, Reduction): first in every building block,
/// then between the blocks; a cube, where `rh` is null, is one block. k + (n+1) D steps on RH(k,n), v on the v-cube,
/// any port model and duplex mode. `node` is the logical address.
template <class Values>
Process reduce_to_first(Processor<Partial<typename Values::Value>>& self, const Values& values,
                        const ReducedHypercube* rh, Rank node, HeldPartials<typename Values::Value>& held) {
  if (rh == nullptr) {
    co_await reduce_cube(self, values, node, self.ports(), held);
    co_return;
  }
  co_await reduce_cube(self, values, rh->f0(node), rh->k(), held);
  if (rh->lo(node) == 0) co_await reduce_blocks(self, values, *rh, node, held);
}

}  // namespace lockstep::reduce
