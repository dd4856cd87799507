#include "lockstep/algorithms/operation/broadcast.hpp"

#include "solutions.hpp"

namespace lockstep::solutions {
namespace {

// Every holder of the item sends it in the next dimension: the holders double in every step.
Process doubling(Processor<Block>& self, Rank root, Block& item) {
  const Rank distance = self.rank() ^ root;
  for (Port port = 0; port < self.ports(); ++port) {
    if (distance >> port == 0) self.send(port, item);
    if (distance >> port == 1) item = (co_await self.message(port)).payload;
    if (distance >> port == 0) co_await self.cycle();
  }
}

// The item goes from processor to processor.
Process along_path(Processor<Block>& self, Rank root, Block& item) {
  const GrayPath path(self.rank() ^ root);
  if (path.position > 0) item = (co_await self.message(path.to_previous())).payload;
  if (path.position + 1 < self.processors()) self.send(path.to_next(), item);
}

// The last dimension is forgotten.
Process one_too_few(Processor<Block>& self, Rank root, Block& item) {
  const Rank distance = self.rank() ^ root;
  for (Port port = 0; port + 1 < self.ports(); ++port) {
    if (distance >> port == 0) self.send(port, item);
    if (distance >> port == 1) item = (co_await self.message(port)).payload;
    if (distance >> port == 0) co_await self.cycle();
  }
}

}  // namespace

std::vector<Method> broadcasts() {
  return {broadcast::own_method<doubling>("broadcast/right", {"hypercube"}),
          broadcast::own_method<along_path>("broadcast/slow", {"hypercube"}),
          broadcast::own_method<one_too_few>("broadcast/wrong", {"hypercube"})};
}

}  // namespace lockstep::solutions
