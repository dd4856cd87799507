#include "media.hpp"

#include <stdexcept>

#include "lockstep/core/printable.hpp"

namespace lockstep {

std::vector<Rank> all_but(Rank rank, Rank processors) {
  std::vector<Rank> others;
  others.reserve(processors - 1);
  for (Rank other = 0; other < processors; ++other) {
    if (other != rank) others.push_back(other);
  }
  return others;
}

Prediction nothing_moves() {
  const Count none{0, true, "0"};
  return {
      .steps = none, .messages = none, .words = none, .longest_sum = none, .message_words = {}, .longest_startups = 0};
}

LowerBound no_bound(const MachineSpec&, const Model&, const Settings&) { return {}; }

void require_power_of_two(const MachineSpec& machine) {
  if (std::has_single_bit(machine.processors)) return;
  throw InputError(printable(machine.text) + " has " + std::to_string(machine.processors) +
                   " processors; a power of two is needed");
}

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
