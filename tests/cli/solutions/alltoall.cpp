#include "lockstep/algorithms/operation/alltoall.hpp"

#include "solutions.hpp"

namespace lockstep::solutions {
namespace {

// One dimension after the other, all blocks for the other side cross it.
Process by_dimensions(Processor<Bundle>& self, Bundle& held) {
  for (Port port = 0; port < self.ports(); ++port) {
    Bundle leaving =
        held.take([&](const Piece& piece) { return ((piece.destination ^ self.rank()) >> port & 1) == 1; });
    Message<Bundle> message = co_await self.exchange(port, leaving);
    held.add(message.payload);
  }
}

// The same for one distance after the other: a block travels alone.
Process by_distances(Processor<Bundle>& self, Bundle& held) {
  for (Rank distance = 1; distance < self.processors(); ++distance) {
    Bundle travelling = held.take([&](const Piece& piece) { return piece.destination == (self.rank() ^ distance); });
    for (Port port = 0; port < self.ports(); ++port) {
      if ((distance >> port & 1) == 0) continue;
      Message<Bundle> message = co_await self.exchange(port, travelling);
      travelling = message.payload;
    }
    held.add(travelling);
  }
}

// Only blocks for the neighbour itself leave.
Process neighbours_only(Processor<Bundle>& self, Bundle& held) {
  for (Port port = 0; port < self.ports(); ++port) {
    Bundle leaving = held.take([&](const Piece& piece) { return piece.destination == self.neighbour(port); });
    Message<Bundle> message = co_await self.exchange(port, leaving);
    held.add(message.payload);
  }
}

}  // namespace

std::vector<Method> alltoalls() {
  return {alltoall::own_method<by_dimensions>("alltoall/right", {"hypercube"}),
          alltoall::own_method<by_distances>("alltoall/slow", {"hypercube"}),
          alltoall::own_method<neighbours_only>("alltoall/wrong", {"hypercube"})};
}

}  // namespace lockstep::solutions
