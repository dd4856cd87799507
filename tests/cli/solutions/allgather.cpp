#include "lockstep/algorithms/operation/collection.hpp"
#include "solutions.hpp"

namespace lockstep::solutions {
namespace {

Bundle all_of(const allgather::Collection& held, Rank processors) {
  Bundle all;
  for (Rank source = 0; source < processors; ++source) {
    if (held.has(source)) all.add(held.piece(source));
  }
  return all;
}

// Neighbours exchange all blocks that they hold, one dimension after the other.
Process doubling(Processor<Bundle>& self, allgather::Collection& held) {
  for (Port port = 0; port < self.ports(); ++port) {
    Message<Bundle> message = co_await self.exchange(port, all_of(held, self.processors()));
    held.add(message.payload);
  }
}

// Every block goes round the whole cube from processor to processor: each forwards the block received in the previous
// step.
Process round(Processor<Bundle>& self, allgather::Collection& held) {
  const Rank last = self.processors() - 1;
  if (last == 0) co_return;
  const GrayPath path(self.rank());
  // The path is closed: from its end the highest dimension leads back to its beginning.
  const Port end_to_begin = self.ports() - 1;
  const Port from = path.position == 0 ? end_to_begin : path.to_previous();
  const Port to = path.position == last ? end_to_begin : path.to_next();
  Rank next = self.rank();
  for (Rank step = 0; step < last; ++step) {
    self.send(to, Bundle(held.piece(next)));
    Message<Bundle> message = co_await self.message(from);
    next = message.payload[0].origin;
    held.add(message.payload);
  }
}

// Neighbours exchange only their own blocks.
Process own_block_only(Processor<Bundle>& self, allgather::Collection& held) {
  for (Port port = 0; port < self.ports(); ++port) {
    Message<Bundle> message = co_await self.exchange(port, Bundle(held.piece(self.rank())));
    held.add(message.payload);
  }
}

}  // namespace

std::vector<Method> allgathers() {
  return {allgather::own_method<doubling>("allgather/right", {"hypercube"}),
          allgather::own_method<round>("allgather/slow", {"hypercube"}),
          allgather::own_method<own_block_only>("allgather/wrong", {"hypercube"})};
}

}  // namespace lockstep::solutions
