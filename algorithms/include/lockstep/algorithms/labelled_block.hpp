#pragma once

#include "lockstep/algorithms/bundle.hpp"

namespace lockstep {

/// A block or a part of one that is held by itself, with the labels of a Piece.
struct LabelledBlock {
  Rank origin = no_rank;
  Rank destination = no_rank;
  std::uint64_t first = 0;
  Block block;

  Piece piece() const { return {origin, destination, first, block.words()}; }

  friend bool operator==(const LabelledBlock&, const LabelledBlock&) = default;
};

}  // namespace lockstep
