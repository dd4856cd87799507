#include "scatter_schedule.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/core/processor.hpp"

namespace lockstep::scatter {
namespace {

ScatterMove move_of(const ScatterSchedule& schedule, Reading reading, Rank rank, std::uint64_t index) {
  if (reading == Reading::forwards) return schedule.move(rank, index);
  ScatterMove move = schedule.move(rank, schedule.moves(rank) - 1 - index);
  move.step = schedule.steps() - 1 - move.step;
  move.sends = !move.sends;
  return move;
}

/// The rank whose block the piece is of.
Rank owner(const Piece& piece, Reading reading) {
  return reading == Reading::forwards ? piece.destination : piece.origin;
}

/// Throws unless these are the blocks that are due.
void check(const Bundle& bundle, const ScatterMove& move, Reading reading) {
  const bool scheduled = std::all_of(bundle.begin(), bundle.end(),
                                     [&](const Piece& piece) { return move.blocks.contains(owner(piece, reading)); });
  const Rank due = move.number > 0 ? move.number : move.blocks.count;
  if (!scheduled || bundle.size() != due) throw std::logic_error("a message of other blocks than planned");
}

}  // namespace

Process follow_scatter(Processor<Bundle>& self, const ScatterSchedule& schedule, Reading reading, Cycle start,
                       HeldBlocks& held) {
  self.hold(held.words);
  const std::uint64_t moves = schedule.moves(self.rank());
  for (std::uint64_t index = 0; index < moves; ++index) {
    const ScatterMove move = move_of(schedule, reading, self.rank(), index);
    if (move.sends) {
      co_await self.until(start + move.step);
      Bundle bundle = held.pieces.take([&](const Piece& piece) { return move.blocks.contains(owner(piece, reading)); });
      held.words -= words(bundle);
      self.send(move.port, std::move(bundle));
    } else {
      Bundle bundle = co_await self.message(move.port);
      check(bundle, move, reading);
      held.words += words(bundle);
      self.hold(held.words);
      held.pieces.add(std::move(bundle));
    }
  }
}

Outcome run(const RunRequest& request, const ScatterSchedule& schedule, Reading reading) {
  return run(request, reading, [&](Processor<Bundle>& self, HeldBlocks& held) {
    return follow_scatter(self, schedule, reading, 0, held);
  });
}

}  // namespace lockstep::scatter
