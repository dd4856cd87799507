// Programs for the judge of docs/lab.md: several that are wrong, each in its own way, and two that cheat.
#include <atomic>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/algorithms/operation/scan.hpp"
#include "lockstep/command/command.hpp"

using namespace lockstep;

namespace {

Process waits_first(Processor<Bundle>& self, allgather::Collection& held) {
  const Rank k = self.processors();
  Rank newest = self.rank();
  for (Rank step = 1; step < k; ++step) {
    held.add(co_await self.message(1));
    self.send(0, Bundle(held.piece(newest)));
    newest = (newest + k - 1) % k;
  }
}

Process all_at_once(Processor<Block>& self, Rank root, Block& item) {
  const auto lowest = static_cast<Port>(std::bit_width(self.rank() ^ root));
  if (self.rank() != root) item = co_await self.message(lowest - 1);
  for (Port child = lowest; child < self.ports(); ++child) self.send(child, item);
}

Process stops_early(Processor<Bundle>& self, allgather::Collection& held) {
  const Rank k = self.processors();
  Rank newest = self.rank();
  for (Rank step = 1; step + 1 < k; ++step) {
    self.send(0, Bundle(held.piece(newest)));
    held.add(co_await self.message(1));
    newest = (newest + k - 1) % k;
  }
}

Process out_of_order(Processor<Block>& self, const operands::NumberValues& values, Block& own) {
  Block total = own;
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    const Block other = co_await self.exchange(dimension, total);
    values.combine(total, other);
    if (self.rank() > self.neighbour(dimension)) values.combine(own, other);
  }
}

std::vector<Bundle> board(1024);

Process reads_the_board(Processor<Bundle>& self, allgather::Collection& held) {
  board[self.rank()] = Bundle(held.piece(self.rank()));
  co_await self.cycle();
  for (Rank source = 0; source < self.processors(); ++source) {
    if (!held.has(source)) held.add(board[source]);
  }
}

std::atomic<unsigned> turn{0};

Process takes_turns(Processor<Block>& self, Rank root, Block& item) {
  const auto lowest = static_cast<Port>(std::bit_width(self.rank() ^ root));
  if (self.rank() != root) item = co_await self.message(lowest - 1);
  const Port children = self.ports() - lowest;
  const unsigned first = turn++;
  for (Port child = 0; child < children; ++child) {
    self.send(lowest + (first + child) % children, item);
    co_await self.cycle();
  }
}

Process keeps_a_reference(Processor<Block>& self, Rank root, Block& item) {
  const auto lowest = static_cast<Port>(std::bit_width(self.rank() ^ root));
  std::span<const Word> words = item.words();
  if (self.rank() != root) {
    const Block block = co_await self.message(lowest - 1);
    words = block.words();
  }
  for (Port child = lowest; child < self.ports(); ++child) {
    self.send(child, Block(words));
    co_await self.cycle();
  }
  item = Block(words);
}

Process never_ends(Processor<Block>& self, Rank root, Block& item) {
  while (self.rank() != root && !self.arrived(1)) {
  }
  if (self.rank() != root) item = co_await self.message(1);
  if (self.rank() + 1 != self.processors()) self.send(0, item);
}

}  // namespace

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {allgather::own_method<waits_first>("allgather/waits-first", {"ring"}),
                              broadcast::own_method<all_at_once>("broadcast/all-at-once", {"hypercube"}),
                              allgather::own_method<stops_early>("allgather/stops-early", {"ring"}),
                              scan::own_method<out_of_order>("scan/out-of-order", {"hypercube"}),
                              allgather::own_method<reads_the_board>("allgather/board", {"ring"}),
                              broadcast::own_method<takes_turns>("broadcast/turns", {"hypercube"}),
                              broadcast::own_method<keeps_a_reference>("broadcast/reference", {"hypercube"}),
                              broadcast::own_method<never_ends>("broadcast/never-ends", {"ring"})},
                  .sizes = {"ring:3", "ring:8", "hypercube:3"}});
}
