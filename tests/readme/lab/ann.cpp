// Exercise 12: a total exchange on a torus with even sides, first along dimension 0, then along dimension 1.
#include <utility>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/command/command.hpp"

using namespace lockstep;

namespace {

// Along a ring processors exchange in turns, the even ones with their next and then their previous neighbour, the odd
// ones in the other order. A block forwarded in one round reaches the next processor in the next round, so in side/2
// rounds it goes up to half of the ring in either direction.
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

/// The side of a square torus with this number of processors.
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
