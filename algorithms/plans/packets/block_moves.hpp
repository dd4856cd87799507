#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"

// Whole blocks that move through a cube, dimension by dimension. Every processor has one block, or none, before a round
// and after it, and in a step all traffic is on one dimension: the strict one-port model (johnsson-ho.md, Conventions)
// if the rounds are such that no processor ever holds two blocks that have to cross the same dimension; the machine
// refuses others.
namespace lockstep::packets {

/// The target of the block at a processor: a permutation of the ranks. It may be called by several threads.
using NodePermutation = std::function<Rank(Rank)>;

/// In the step of each dimension, in this order, every block whose target differs from its place there crosses it.
///
///     swap of bits 1 and 0, dimensions 1, 0:    01 --> 11 --> 10    00 and 11 keep their own blocks,
///                                               10 --> 00 --> 01    and hold those that pass through apart
struct BlockRound {
  NodePermutation target;  ///< of the block that is at a processor when the round begins
  std::vector<Port> dimensions;
};

/// Sub-program: takes part in all rounds, a cycle for every dimension of each. `held` is the processor's block before
/// and afterwards; a block of no words is none, and is not sent. Its labels travel along, and its number is its rank at
/// the start of the round. Throws std::logic_error if an unexpected block is received, or one does not reach its target
/// by the round's dimensions, and what Processor::send throws. All arguments must outlive the sub-program.
Process move_blocks(Processor<LabelledBlock>& self, std::span<const BlockRound> rounds, LabelledBlock& held);

/// Runs move_blocks on every processor for a method; `held` by rank.
Report move_blocks(const RunRequest& request, std::span<const BlockRound> rounds, PerRank<LabelledBlock>& held);

}  // namespace lockstep::packets
