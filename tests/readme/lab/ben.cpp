// Exercise 12, an early attempt: all blocks go round the rings of dimension 0, then round those of dimension 1.
#include <utility>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/command/command.hpp"

using namespace lockstep;

namespace {

Process round(Processor<Bundle>& self, Port dimension, Rank side, Rank stride, Bundle& held) {
  const auto is_there = [&](const Piece& piece) {
    return piece.destination / stride % side == self.rank() / stride % side;
  };
  const Port previous = 2 * dimension + (side == 2 ? 0 : 1);
  Bundle passing = held.take([&](const Piece& piece) { return !is_there(piece); });
  for (Rank step = 1; step < side; ++step) {
    self.send(2 * dimension, std::move(passing));
    passing = co_await self.message(previous);
    held.add(passing.take(is_there));
  }
}

Process round_and_round(Processor<Bundle>& self, Bundle& held) {
  Rank side = 1;
  while (side * side < self.processors()) ++side;
  co_await round(self, 0, side, side, held);
  co_await round(self, 1, side, 1, held);
}

}  // namespace

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {alltoall::own_method<round_and_round>("alltoall/ben", {"torus"})},
                  .sizes = {"torus:2x2", "torus:4x4", "torus:6x6", "torus:8x8"}});
}
