#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A block or a part of one, with its labels: the words from number `first` on of what `origin` has for `destination`
/// (for itself, where the block is for all).
struct Piece {
  Rank origin = no_rank;
  Rank destination = no_rank;
  std::uint64_t first = 0;
  Block block;
};

/// Pieces that travel together, gathered into one message. Its length is the sum of theirs; labels cost nothing.
struct Bundle {
  std::vector<Piece> pieces;
};

inline std::uint64_t words(const Bundle& bundle) {
  std::uint64_t sum = 0;
  for (const Piece& piece : bundle.pieces) sum += piece.block.size();
  return sum;
}

/// Flips one bit; a fault that tests plant.
inline void corrupt(Bundle& bundle) {
  if (!bundle.pieces.empty()) corrupt(bundle.pieces[bundle.pieces.size() / 2].block);
}

}  // namespace lockstep
