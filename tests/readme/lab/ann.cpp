// Exercise 12: a total exchange on a torus with even sides, first along dimension 0, then along dimension 1.
#include <utility>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/command/command.hpp"

using namespace lockstep;

namespace {

// Along a ring processors meet in turns, the even ones their next and then their previous neighbour, the odd ones the
// other way round. What is sent on in every round meets the next processor in the next round; so within side/2 rounds
// a block goes as far as half of the ring either way.
Process along(Processor<Bundle>& self, Port dimension, Rank side, Rank stride, Bundle& held) {
  const Rank place = self.rank() / stride % side;
  for (Rank round = 0; round < side / 2; ++round) {
    const bool is_upward = (place + round) % 2 == 0;
    const auto crosses = [&](const Piece& piece) {
      const Rank target = piece.destination / stride % side;
      const Rank distance = (is_upward ? target + side - place : place + side - target) % side;
      return distance > 0 && distance <= side / 2 - round;
    };
    const Port port = 2 * dimension + (is_upward || side == 2 ? 0 : 1);
    Bundle leaving = held.take(crosses);
    held.add(co_await self.exchange(port, std::move(leaving)));
  }
}

/// The side of a square torus of so many processors.
Rank side_of(Rank processors) {
  Rank side = 1;
  while (side * side < processors) ++side;
  return side;
}

Process in_pairs(Processor<Bundle>& self, Bundle& held) {
  const Rank side = side_of(self.processors());
  co_await along(self, 0, side, side, held);
  co_await along(self, 1, side, 1, held);
}

}  // namespace

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {alltoall::own_method<in_pairs>("alltoall/ann", {"torus"})},
                  .sizes = {"torus:2x2", "torus:4x4", "torus:6x6", "torus:8x8"}});
}
