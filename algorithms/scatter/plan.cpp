#include "plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/core/processor.hpp"

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

/// Throws unless these are the blocks of those ranks.
void check(const Bundle& bundle, const Ranks& ranks, Reading reading) {
  const bool planned = std::all_of(bundle.begin(), bundle.end(),
                                   [&](const Piece& piece) { return ranks.contains(owner(piece, reading)); });
  if (!planned || bundle.size() != ranks.count) throw std::logic_error("a message of other blocks than planned");
}

}  // namespace

Process carry_out(Processor<Bundle>& self, const Plan& plan, Reading reading, Cycle start, Holdings& held) {
  self.hold(held.words);
  const std::uint64_t turns = plan.turns(self.rank());
  for (std::uint64_t index = 0; index < turns; ++index) {
    const Turn turn = turn_of(plan, reading, self.rank(), index);
    if (turn.sends) {
      co_await self.until(start + turn.step);
      Bundle bundle = held.pieces.take([&](const Piece& piece) { return turn.blocks.contains(owner(piece, reading)); });
      held.words -= words(bundle);
      self.send(turn.port, std::move(bundle));
    } else {
      Bundle bundle = co_await self.message(turn.port);
      check(bundle, turn.blocks, reading);
      held.words += words(bundle);
      self.hold(held.words);
      held.pieces.add(std::move(bundle));
    }
  }
}

}  // namespace lockstep::scatter
