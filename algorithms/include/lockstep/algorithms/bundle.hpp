#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A block or a part of one, with its labels: the words from number `first` on of what `origin` has for `destination`
/// (for itself, where the block is for all).
struct Piece {
  Rank origin = no_rank;
  Rank destination = no_rank;
  std::uint64_t first = 0;
  Block block;

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Pieces that travel together, gathered into one message. Its length is the sum of theirs; labels cost nothing.
struct Bundle {
  std::vector<Piece> pieces;

  friend bool operator==(const Bundle&, const Bundle&) = default;
};

inline std::uint64_t words(const std::vector<Piece>& pieces) {
  std::uint64_t sum = 0;
  for (const Piece& piece : pieces) sum += piece.block.size();
  return sum;
}
inline std::uint64_t words(const Bundle& bundle) { return words(bundle.pieces); }

/// Bytes that the words of a piece's block take besides the piece, with what an allocation costs.
constexpr std::uint64_t allocated_bytes(std::uint64_t words) { return words > 1 ? words * sizeof(Word) + 16 : 0; }

/// Inverts every bit of one word; a fault that tests plant.
inline void corrupt(Bundle& bundle) {
  if (!bundle.pieces.empty()) corrupt(bundle.pieces[bundle.pieces.size() / 2].block);
}

/// A move for each of its pieces.
inline void log_blocks(const Bundle& bundle, const Move& link, MoveLog& log, std::vector<Move>& moves) {
  for (const Piece& piece : bundle.pieces) {
    moves.push_back({link.from, link.to, piece.origin, piece.destination});
    log.has_parts = log.has_parts || piece.first != 0;
  }
}

/// A bundle of one piece.
Bundle bundle_of(Piece piece);
/// The only piece of a bundle. Throws std::logic_error if there are others, or it is not of that block.
Piece only_piece(Bundle bundle, Rank origin, Rank destination);

/// Takes the pieces of which leaves(piece) is true out of what is held; the order of the others may change.
template <class Leaves>
Bundle take(std::vector<Piece>& held, const Leaves& leaves) {
  const auto leaving = std::partition(held.begin(), held.end(), [&](const Piece& piece) { return !leaves(piece); });
  Bundle bundle;
  if (leaving == held.begin()) {
    bundle.pieces.swap(held);  // all
  } else {
    bundle.pieces.assign(std::make_move_iterator(leaving), std::make_move_iterator(held.end()));
    held.erase(leaving, held.end());
  }
  return bundle;
}

/// Adds the pieces of the bundle to what is held.
inline void keep(std::vector<Piece>& held, Bundle bundle) {
  if (held.empty()) {
    held.swap(bundle.pieces);
  } else {
    std::move(bundle.pieces.begin(), bundle.pieces.end(), std::back_inserter(held));
  }
}

}  // namespace lockstep
