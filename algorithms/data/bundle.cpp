#include "lockstep/algorithms/bundle.hpp"

#include <stdexcept>

namespace lockstep {

Bundle bundle_of(Piece piece) {
  Bundle bundle;
  bundle.pieces.push_back(std::move(piece));
  return bundle;
}

Piece only_piece(Bundle bundle, Rank origin, Rank destination) {
  if (bundle.pieces.size() != 1) throw std::logic_error("a bundle of other than one block");
  Piece& piece = bundle.pieces.front();
  if (piece.origin != origin || piece.destination != destination) throw std::logic_error("another block than planned");
  return std::move(piece);
}

}  // namespace lockstep
