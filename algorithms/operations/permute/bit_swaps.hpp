#pragma once

#include <vector>

#include "dimension_permutation.hpp"
#include "plans/packets/block_moves.hpp"

namespace lockstep::permute {

/// Two bits of the address that change places: two steps, dimension g and then f (johnsson-ho.md, General exchange,
/// both real).
struct BitSwap {
  Port g = 0;
  Port f = 0;
};

/// Swaps of different bits, which can be done in any order.
using SwapRound = std::vector<BitSwap>;

/// x after the swaps.
Rank swapped(const SwapRound& swaps, Rank x);

/// Recursive halving (johnsson-ho.md, Permutations): the dimensions are split in a low part of ceil and a high one of
/// floor size, bits on the wrong side are swapped pairwise, and so on in both parts at once. ceil(log2 n) rounds, some
/// perhaps without swaps.
std::vector<SwapRound> halving_rounds(const DimensionPermutation& delta);

/// Two rounds (johnsson-ho.md, Permutations): in every cycle c of delta indices k and -k are swapped, then k and -1-k
/// (mod its length).
std::vector<SwapRound> two_rounds(const DimensionPermutation& delta);

/// One swap a round along the cycles c of delta: c[0] with c[1], c[1] with c[2], ...
std::vector<SwapRound> rounds_along_cycles(const DimensionPermutation& delta);

/// The swaps of all rounds.
std::uint64_t count_swaps(const std::vector<SwapRound>& rounds);

/// The moves of whole blocks that carry the rounds out: two steps a swap.
std::vector<packets::BlockRound> moves_of(const std::vector<SwapRound>& rounds);

}  // namespace lockstep::permute
