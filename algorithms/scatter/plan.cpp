#include "plan.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "lockstep/core/machine.hpp"

namespace lockstep::scatter {
namespace {

Turn turn_of(const Plan& plan, Reading reading, Rank rank, std::uint64_t index) {
  if (reading == Reading::forwards) return plan.turn(rank, index);
  Turn turn = plan.turn(rank, plan.turns(rank) - 1 - index);
  turn.step = plan.steps() - 1 - turn.step;
  turn.sends = !turn.sends;
  return turn;
}

/// Whose block it is a piece of.
Rank owner(const Piece& piece, Reading reading) {
  return reading == Reading::forwards ? piece.destination : piece.origin;
}

/// Takes the blocks of these ranks out of what is held.
Bundle take(Holdings& held, const Ranks& ranks, Reading reading) {
  const auto going = std::partition(held.pieces.begin(), held.pieces.end(),
                                    [&](const Piece& piece) { return !ranks.contains(owner(piece, reading)); });
  Bundle bundle;
  if (going == held.pieces.begin()) {
    bundle.pieces.swap(held.pieces);
  } else {
    bundle.pieces.assign(std::make_move_iterator(going), std::make_move_iterator(held.pieces.end()));
    held.pieces.erase(going, held.pieces.end());
  }
  held.words -= words(bundle);
  return bundle;
}

/// Adds what has come, which must be the blocks of these ranks.
void keep(Holdings& held, Bundle bundle, const Ranks& ranks, Reading reading) {
  const bool planned = std::all_of(bundle.pieces.begin(), bundle.pieces.end(),
                                   [&](const Piece& piece) { return ranks.contains(owner(piece, reading)); });
  if (!planned || bundle.pieces.size() != ranks.count) throw std::logic_error("a message of other blocks than planned");
  held.words += words(bundle);
  if (held.pieces.empty()) {
    held.pieces.swap(bundle.pieces);
  } else {
    std::move(bundle.pieces.begin(), bundle.pieces.end(), std::back_inserter(held.pieces));
  }
}

}  // namespace

Process carry_out(Processor<Bundle>& self, const Plan& plan, Reading reading, Cycle start, Holdings& held) {
  self.hold(held.words);
  const std::uint64_t turns = plan.turns(self.rank());
  for (std::uint64_t index = 0; index < turns; ++index) {
    const Turn turn = turn_of(plan, reading, self.rank(), index);
    if (turn.sends) {
      co_await self.until(start + turn.step);
      self.send(turn.port, take(held, turn.blocks, reading));
    } else {
      Bundle bundle = co_await self.message(turn.port);
      keep(held, std::move(bundle), turn.blocks, reading);
      self.hold(held.words);
    }
  }
}

}  // namespace lockstep::scatter
