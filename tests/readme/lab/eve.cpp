// Exercise 12, a program that cheats: it reads its blocks from the memory that all processors share in one process.
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/command/command.hpp"

using namespace lockstep;

namespace {

std::vector<Bundle> desks(1024);

Process looks_over_shoulders(Processor<Bundle>& self, Bundle& held) {
  desks[self.rank()] = held;
  co_await self.cycle();
  held.clear();
  for (Rank other = 0; other < self.processors(); ++other) {
    for (const Piece& piece : desks[other]) {
      if (piece.destination == self.rank()) held.add(piece);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {alltoall::own_method<looks_over_shoulders>("alltoall/eve", {"torus"})},
                  .sizes = {"torus:2x2", "torus:4x4", "torus:6x6", "torus:8x8"}});
}
