// The solutions of the exercises in docs/lab.md: a command with these programs and all methods of the catalogue.
#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/algorithms/operation/scan.hpp"
#include "lockstep/algorithms/operation/sort.hpp"
#include "lockstep/command/command.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/spec_reader.hpp"

using namespace lockstep;

namespace {

// Exercise 3: on a ring the item goes round, from rank to rank.

/// The port to the rank before: a ring of two has only one link.
template <class T>
Port back(const Processor<T>& self) {
  return self.has_link(1) ? 1 : 0;
}

Process round_the_ring(Processor<Block>& self, Rank root, Block& item) {
  const Rank k = self.processors();
  const Rank distance = (self.rank() + k - root) % k;
  if (distance > 0) item = co_await self.message(back(self));
  if (distance + 1 < k) self.send(0, item);
}

// Half of the ring in the other direction: the root serves that side a cycle later, and it is no longer.
Process two_sides(Processor<Block>& self, Rank root, Block& item) {
  const Rank k = self.processors();
  const Rank ahead = k / 2;  // this many receive it from the rank before
  const Rank distance = (self.rank() + k - root) % k;
  if (distance > 0) item = co_await self.message(distance <= ahead ? back(self) : 0);
  if (distance < ahead) self.send(0, item);
  if (distance == 0) co_await self.cycle();
  if ((distance == 0 || distance > ahead + 1) && ahead + 1 < k) self.send(1, item);
}

// Exercise 4: on a cube every holder of the item sends it over one dimension after the other.
Process over_the_dimensions(Processor<Block>& self, Rank root, Block& item) {
  const Rank address = self.rank() ^ root;
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    if (address >> dimension == 1) item = co_await self.message(dimension);
    if (address >> dimension != 0) continue;
    self.send(dimension, item);
    co_await self.cycle();
  }
}

// Exercise 6: the same tree for every port model, as `spread` takes as many cycles as the model requires.
Process down_the_tree(Processor<Block>& self, Rank root, Block& item) {
  const auto lowest = static_cast<Port>(std::bit_width(self.rank() ^ root));  // to the first child
  if (self.rank() != root) item = co_await self.message(lowest - 1);
  std::vector<Port> children(self.ports() - lowest);
  std::iota(children.begin(), children.end(), lowest);
  co_await spread(self, children, item);
}

// Exercise 7: every block goes round the ring.
Process blocks_round_the_ring(Processor<Bundle>& self, allgather::Collection& held) {
  const Rank k = self.processors();
  Rank newest = self.rank();
  for (Rank step = 1; step < k; ++step) {
    self.send(0, Bundle(held.piece(newest)));
    held.add(co_await self.message(back(self)));
    newest = (newest + k - 1) % k;
  }
}

// On a cube neighbours exchange all blocks that they hold, which doubles them.
Process exchange_all(Processor<Bundle>& self, allgather::Collection& held) {
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    Bundle all;
    for (Rank source = 0; source < self.processors(); ++source) {
      if (held.has(source)) all.add(held.piece(source));
    }
    held.add(co_await self.exchange(dimension, std::move(all)));
  }
}

// Exercise 8: dimension by dimension neighbours exchange the blocks for the other side, all in one message.
Process combined(Processor<Bundle>& self, Bundle& held) {
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    const auto crosses = [&](const Piece& piece) { return ((piece.destination ^ self.rank()) >> dimension & 1) != 0; };
    Bundle leaving = held.take(crosses);
    held.add(co_await self.exchange(dimension, std::move(leaving)));
  }
}

// The same with one message for each block.
Process one_by_one(Processor<Bundle>& self, Bundle& held) {
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    const auto crosses = [&](const Piece& piece) { return ((piece.destination ^ self.rank()) >> dimension & 1) != 0; };
    const Bundle leaving = held.take(crosses);
    for (const Piece& piece : leaving) held.add(co_await self.exchange(dimension, Bundle(piece)));
  }
}

// Exercise 9: `total` combines the values of the subcube so far, `own` those of its ranks up to this one.
Process in_order(Processor<Block>& self, const operands::NumberValues& values, Block& own) {
  Block total = own;
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    Block other = co_await self.exchange(dimension, total);
    if (self.rank() < self.neighbour(dimension)) {
      values.combine(total, other);
    } else {  // the other subcube has the lower ranks
      Block prefix = other;
      values.combine(prefix, own);
      own = std::move(prefix);
      values.combine(other, total);
      total = std::move(other);
    }
  }
}

// Exercise 10: neighbours on a path exchange in turns; the lower rank keeps the low half.
constexpr Port up = 0, down = 1;

using Numbers = sort::Records<sort::NumberKey>;

Process keep_half(Processor<Numbers>& self, Port port, std::vector<sort::NumberKey>& own) {
  Numbers sent{.value = own};
  const Numbers other = co_await self.exchange(port, std::move(sent));
  std::vector<sort::NumberKey> both;
  std::ranges::merge(own, other.value, std::back_inserter(both));
  const bool is_lower = self.rank() < self.neighbour(port);
  const auto begin = is_lower ? both.begin() : both.end() - static_cast<std::ptrdiff_t>(own.size());
  std::copy_n(begin, own.size(), own.begin());
}

Process odd_even(Processor<Numbers>& self, std::vector<sort::NumberKey>& own) {
  std::ranges::sort(own);
  for (Rank round = 0; round < self.processors(); ++round) {
    const Port port = (self.rank() + round) % 2 == 0 ? up : down;
    if (self.has_link(port)) {
      co_await keep_half(self, port, own);
    } else {
      co_await self.cycle();
    }
  }
}

// Exercise 11: comb:N has the ranks 0 to N-1 in a line, and a tooth at each: rank N + i at rank i.
constexpr Port tooth = 2;

Wiring comb_wiring(const MachineSpec& spec) {
  return [n = static_cast<Rank>(spec.processors / 2)](Rank rank, Port port) {
    if (port == tooth) return End{rank < n ? rank + n : rank - n, tooth};
    if (port == up && rank + 1 < n) return End{rank + 1, down};
    if (port == down && rank > 0 && rank < n) return End{rank - 1, up};
    return End{};
  };
}

MachineFamily comb_family() {
  return {.name = "comb",
          .form = "comb:N",
          .limits = "N from 1 up",
          .example = "comb:4",
          .summary = "path of N processors with a tooth at each",
          .ports = "0 = rank + 1, 1 = rank - 1, 2 = the tooth, or from it to the path",
          .read =
              [](const SpecReader& reader, MachineSpec& spec) {
                const std::uint64_t n = reader.count(reader.parameters(), "N");
                spec.parameters = {n};
                spec.processors = 2 * n;
                spec.ports = 3;
              },
          .wiring = comb_wiring};
}

// Tokens are gathered from the teeth and along the line; that of rank 0, which stands for all, goes back.
Process there_and_back(Processor<LabelledBlock>& self, LabelledBlock& token) {
  const bool is_tooth = self.rank() >= self.processors() / 2;
  if (!is_tooth) barrier::take_in(token, co_await self.message(tooth));
  if (self.has_link(up)) barrier::take_in(token, co_await self.message(up));
  const Port home = is_tooth ? tooth : down;
  if (self.has_link(home)) {
    self.send(home, token);
    token = co_await self.message(home);
  }
  std::vector<Port> onward;
  if (self.has_link(up)) onward.push_back(up);
  if (!is_tooth) onward.push_back(tooth);
  co_await spread(self, onward, token);
}

}  // namespace

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {broadcast::own_method<round_the_ring>("broadcast/round", {"ring"}),
                              broadcast::own_method<two_sides>("broadcast/two-sides", {"ring"}),
                              broadcast::own_method<over_the_dimensions>("broadcast/dimensions", {"hypercube"}),
                              broadcast::own_method<down_the_tree>("broadcast/tree", {"hypercube"}),
                              allgather::own_method<blocks_round_the_ring>("allgather/round", {"ring"}),
                              allgather::own_method<exchange_all>("allgather/exchange", {"hypercube"}),
                              alltoall::own_method<combined>("alltoall/combined", {"hypercube"}),
                              alltoall::own_method<one_by_one>("alltoall/one-by-one", {"hypercube"}),
                              scan::own_method<in_order>("scan/in-order", {"hypercube"}),
                              sort::own_method<odd_even>("sort/odd-even", {"path"}),
                              barrier::own_method<there_and_back>("barrier/comb", {"comb"})},
                  .families = {comb_family()},
                  .sizes = {"ring:1", "ring:2", "ring:3", "ring:8", "hypercube:0", "hypercube:1", "hypercube:3",
                            "hypercube:6", "path:1", "path:2", "path:7", "path:16", "comb:1", "comb:2", "comb:8"}});
}
