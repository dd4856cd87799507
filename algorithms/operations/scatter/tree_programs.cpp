#include <utility>

#include "lockstep/core/processor.hpp"
#include "on_trees.hpp"
#include "plans/packets/block_parts.hpp"

namespace lockstep::scatter {
namespace {

/// A processor's parts on one tree.
struct TreeShare {
  const SpanningTree* tree;
  Bundle pieces;
  Rank crossed = 0;  ///< the dimensions, as bits, that the tree's parts have crossed

  bool is_holder(Rank relative) const { return (relative & ~crossed) == 0; }
};

std::vector<TreeShare> initial_shares(const Forest& forest, Bundle blocks) {
  std::vector<Bundle> parts = packets::cut(std::move(blocks), forest.parts());
  std::vector<TreeShare> shares;
  for (std::size_t tree = 0; tree < parts.size(); ++tree) {
    shares.push_back({.tree = &forest.trees()[tree], .pieces = std::move(parts[tree])});
  }
  return shares;
}

// Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter).
Process halve(Processor<Bundle>& self, const Forest& forest, Rank root, HeldBlocks& held) {
  const Rank rank = self.rank();
  const Rank relative = rank ^ root;
  self.hold(held.words);
  std::vector<TreeShare> shares = initial_shares(forest, std::exchange(held.pieces, {}));
  for (Port step = 0; step < self.ports(); ++step) {
    for (TreeShare& share : shares) {
      if (!share.is_holder(relative)) continue;
      co_await self.until(step);
      const Port dimension = share.tree->dimension(step);
      Bundle leaving =
          share.pieces.take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); });
      held.words -= words(leaving);
      self.send(dimension, std::move(leaving));
    }
    for (TreeShare& share : shares) {
      const bool was_holder = share.is_holder(relative);
      const Port dimension = share.tree->dimension(step);
      share.crossed |= Rank{1} << dimension;
      if (was_holder || !share.is_holder(relative)) continue;
      Bundle received = co_await self.message(dimension);
      check(received, [&](const Piece& piece) {
        return piece.origin == root && forest.tree_of(piece) == share.tree && can_be_at(rank, piece, share.crossed);
      });
      held.words += words(received);
      self.hold(held.words);
      share.pieces.add(std::move(received));
    }
  }
  for (TreeShare& share : shares) held.pieces.add(std::move(share.pieces));
}

// The same messages in reversed time: a processor sends all of a tree's parts in the step whose reverse brought it
// them.
Process collect_halves(Processor<Bundle>& self, const Forest& forest, Rank root, HeldBlocks& held) {
  const Rank rank = self.rank();
  const Port n = self.ports();
  const Rank all = (Rank{1} << n) - 1;
  self.hold(held.words);
  std::vector<TreeShare> shares = initial_shares(forest, std::exchange(held.pieces, {}));
  for (TreeShare& share : shares) share.crossed = all;
  for (Port step = n; step-- > 0;) {
    for (TreeShare& share : shares) {
      const bool was_holder = share.is_holder(rank ^ root);
      const Port dimension = share.tree->dimension(step);
      share.crossed ^= Rank{1} << dimension;
      if (!was_holder || share.is_holder(rank ^ root)) continue;
      co_await self.until(n - 1 - step);
      held.words -= words(share.pieces);
      self.send(dimension, std::exchange(share.pieces, {}));
    }
    for (TreeShare& share : shares) {
      if (!share.is_holder(rank ^ root)) continue;
      Bundle received = co_await self.message(share.tree->dimension(step));
      check(received, [&](const Piece& piece) {
        return piece.destination == root && forest.tree_of(piece) == share.tree &&
               can_be_at(rank, piece, all & ~share.crossed);
      });
      held.words += words(received);
      self.hold(held.words);
      share.pieces.add(std::move(received));
    }
  }
  for (TreeShare& share : shares) held.pieces.add(std::move(share.pieces));
}

/// Whether the piece can have come over that port with that many hops before it.
bool is_due(const Piece& piece, const Forest& forest, Rank root, Rank rank, Port port, Port hops) {
  const SpanningTree* tree = forest.tree_of(piece);
  return tree != nullptr && piece.origin == root && has_bit(root ^ rank, port) &&
         one_bits(piece.destination ^ rank) == hops &&
         can_be_at(rank, piece, tree->crossed(root ^ piece.destination, port));
}

/// Sorts pieces by the ports of their next hops; those at their destination go to `held`.
void sort_out(Bundle pieces, const Forest& forest, Rank rank, std::vector<Bundle>& leaving, Bundle& held) {
  pieces.deal([&](const Piece& piece) -> Bundle& {
    const Rank left = piece.destination ^ rank;
    return left == 0 ? held : leaving[forest.tree_of(piece)->next(piece.origin ^ piece.destination, left)];
  });
}

void send_all(Processor<Bundle>& self, std::vector<Bundle>& leaving) {
  for (Port port = 0; port < leaving.size(); ++port) {
    if (!leaving[port].empty()) self.send(port, std::exchange(leaving[port], {}));
  }
}

/// The root's part in the scatter.
Process send_farthest_first(Processor<Bundle>& self, const Forest& forest, HeldBlocks& held) {
  const Rank root = self.rank();
  self.hold(held.words);
  std::vector<Bundle> leaving(self.ports());
  Bundle here;
  for (Bundle& parts : packets::cut(std::exchange(held.pieces, {}), forest.parts())) here.add(std::move(parts));
  for (Port distance = self.ports(); distance > 0; --distance) {
    Bundle due = here.take([&](const Piece& piece) { return one_bits(piece.destination ^ root) == distance; });
    sort_out(std::move(due), forest, root, leaving, held.pieces);
    send_all(self, leaving);
    co_await self.cycle();
  }
  held.pieces = std::move(here);
}

// Every piece is at its end after cycle n - 1, so a message that comes in cycle t has n - t hops before it.
Process pass_on(Processor<Bundle>& self, const Forest& forest, Rank root, HeldBlocks& held) {
  const Port n = self.ports();
  while (self.now() < n) {
    Message<Bundle> first = co_await self.message();
    std::vector<Bundle> leaving(n);
    std::uint64_t received_words = 0;
    const auto accept = [&](Port port, Bundle received) {
      const auto hops = static_cast<Port>(n - self.now());
      check(received, [&](const Piece& piece) { return is_due(piece, forest, root, self.rank(), port, hops); });
      received_words += words(received);
      sort_out(std::move(received), forest, self.rank(), leaving, held.pieces);
    };
    accept(first.port, std::move(first.payload));
    for (const Port port : self.arrivals()) accept(port, self.receive(port));
    self.hold(received_words);
    send_all(self, leaving);
  }
}

/// Whether the piece can have come up its tree over that port, with that many hops behind it.
bool has_climbed(const Piece& piece, const Forest& forest, Rank root, Rank rank, Port port, Port hops) {
  const SpanningTree* tree = forest.tree_of(piece);
  const Rank c = piece.origin ^ root;
  return tree != nullptr && piece.destination == root && one_bits(piece.origin ^ rank) == hops && has_bit(c, port) &&
         (c & tree->crossed(c, port)) == (rank ^ root ^ Rank{1} << port);
}

// All processors' parts leave in the first cycle, each over the link over which its tree leads here; received parts go
// on the same way. After cycle t these began t + 1 hops behind, which is at most as far as the cube is wide.
Process climb(Processor<Bundle>& self, const Forest& forest, Rank root, HeldBlocks& held) {
  const Rank rank = self.rank();
  const auto last_cycle = static_cast<Port>(self.ports() - one_bits(rank ^ root));
  std::vector<Port> upwards;
  for (const SpanningTree& tree : forest.trees()) upwards.push_back(rank == root ? 0 : tree.last(rank ^ root));
  std::vector<Bundle> leaving(self.ports());
  const auto send_on = [&](Bundle pieces) {
    pieces.deal([&](const Piece& piece) -> Bundle& {
      return leaving[upwards[static_cast<std::size_t>(forest.tree_of(piece) - forest.trees().data())]];
    });
  };
  self.hold(held.words);
  if (rank != root) {
    for (Bundle& parts : packets::cut(std::exchange(held.pieces, {}), forest.parts())) send_on(std::move(parts));
    held.words = 0;
  }
  for (Port cycle = 0;; ++cycle) {
    send_all(self, leaving);
    if (cycle == last_cycle) co_return;
    co_await self.cycle();
    std::uint64_t received_words = 0;
    for (const Port port : self.arrivals()) {
      Bundle received = self.receive(port);
      const auto hops = static_cast<Port>(cycle + 1);
      check(received, [&](const Piece& piece) { return has_climbed(piece, forest, root, rank, port, hops); });
      received_words += words(received);
      if (rank == root) {
        held.pieces.add(std::move(received));
      } else {
        send_on(std::move(received));
      }
    }
    if (rank == root) held.words += received_words;
    self.hold(rank == root ? held.words : received_words);
  }
}

}  // namespace

Outcome run_halving(const RunRequest& request, const Forest& forest, Reading reading) {
  const Rank root = request.root();
  return run(request, reading, [&](Processor<Bundle>& self, HeldBlocks& held) {
    return reading == Reading::forwards ? halve(self, forest, root, held) : collect_halves(self, forest, root, held);
  });
}

Outcome run_reverse_breadth_first(const RunRequest& request, const Forest& forest, Reading reading) {
  const Rank root = request.root();
  return run(request, reading, [&](Processor<Bundle>& self, HeldBlocks& held) {
    if (reading == Reading::backwards) return climb(self, forest, root, held);
    return self.rank() == root ? send_farthest_first(self, forest, held) : pass_on(self, forest, root, held);
  });
}

}  // namespace lockstep::scatter
