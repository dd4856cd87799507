#include <stdexcept>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/step_lengths.hpp"
#include "operations/scatter/and_gather.hpp"
#include "plans/tree/limited_doubling.hpp"

// The tree in which holders find each other on a bus of kstar transactions (LimitedDoubling): each leads to all that it
// finds. saad-schultz-1988.md, Bus.
namespace lockstep::scatter::bus_tree {
namespace {

/// The rank at the other end from the root, whose block it is.
Rank owner(const Piece& piece, Rank root) { return piece.destination == root ? piece.origin : piece.destination; }

/// Removes and returns the blocks of a holder and of all below it: those it finds, and on.
Bundle take_below(HeldBlocks& held, const tree::LimitedDoubling& holders, std::uint64_t holder, Rank root, Rank k) {
  Bundle below = held.pieces.take(
      [&](const Piece& piece) { return holders.is_below(offset_from(root, owner(piece, root), k), holder); });
  held.words -= words(below);
  return below;
}

/// Keeps blocks received. Throws std::logic_error if one is not below the holder.
void keep_below(HeldBlocks& held, Bundle received, const tree::LimitedDoubling& holders, std::uint64_t holder,
                Rank root, Rank k) {
  for (std::uint64_t index = 0; index < received.size(); ++index) {
    if (!holders.is_below(offset_from(root, owner(received[index], root), k), holder)) {
      throw std::logic_error("a block is not below its holder");
    }
  }
  held.words += words(received);
  held.pieces.add(std::move(received));
}

// A processor that has received blocks sends on those for the holders that it finds. After Saad & Schultz 1988,
// sections 2(a) and 3.4(f) (saad-schultz-1988.md, Bus).
Process scatter_down(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
  const Rank k = self.processors();
  const tree::LimitedDoubling holders(self.topology().medium()->users);
  const std::uint64_t holder = offset_from(root, self.rank(), k);
  self.hold(held.words);
  if (holder != 0) {
    Bundle received = co_await self.message(shifted(root, holders.source_of(holder), k));
    keep_below(held, std::move(received), holders, holder, root, k);
    self.hold(held.words);
  }
  for (const std::uint64_t found : holders.found_by(holder, k)) {
    co_await self.until(holders.step_of(found));
    self.send(shifted(root, found, k), take_below(held, holders, found, root, k));
  }
}

// The scatter in reversed time.
Process gather_up(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
  const Rank k = self.processors();
  const tree::LimitedDoubling holders(self.topology().medium()->users);
  const std::uint64_t holder = offset_from(root, self.rank(), k);
  const std::vector<std::uint64_t> found = holders.found_by(holder, k);
  self.hold(held.words);
  for (auto last = found.rbegin(); last != found.rend(); ++last) {
    Bundle received = co_await self.message(shifted(root, *last, k));
    keep_below(held, std::move(received), holders, *last, root, k);
    self.hold(held.words);
  }
  if (holder == 0) co_return;
  co_await self.until(holders.steps(k) - 1 - holders.step_of(holder));
  self.send(shifted(root, holders.source_of(holder), k), take_below(held, holders, holder, root, k));
}

/// Numbers below the end that are 2^i modulo 2^(i+1): the holders below holder 2^i.
Wide numbers_by_way(Wide end, unsigned i) {
  const Wide first = Wide{1} << i;
  return end > first ? (end - first - 1) / (2 * first) + 1 : 0;
}

/// One bits of all numbers below the end.
Wide bits_below(Wide end) {
  Wide bits = 0;
  for (unsigned i = 0; Wide{1} << i < end; ++i) {
    const Wide half = Wide{1} << i;
    const Wide rest = end % (2 * half);
    bits += end / (2 * half) * half + (rest > half ? rest - half : 0);
  }
  return bits;
}

/// Holders that double, and those found after them, in whole rounds of kstar and the rest of one.
struct Shares {
  Wide doubled;
  Wide later;
  Wide kstar;

  explicit Shares(const MachineSpec& machine) : kstar(machine.medium->users) {
    const Wide most = Wide{1} << tree::LimitedDoubling(machine.medium->users).doublings();
    doubled = std::min<Wide>(most, machine.processors);
    later = machine.processors - doubled;
  }
};

/// Links that all blocks cross in all: a holder is as far from the root as its number has ones.
Wide hops(const MachineSpec& machine) {
  const Shares shares(machine);
  return bits_below(shares.doubled) + shares.later / shares.kstar * bits_below(shares.kstar) +
         bits_below(shares.later % shares.kstar) + shares.later;
}

// In every step the root's message is the longest: of two holders found in one step by holders j < j', the one found by
// j leads to as many or more.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const tree::LimitedDoubling holders(machine.medium->users);
  const Shares shares(machine);
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  for (unsigned i = 0; Wide{1} << i < shares.doubled; ++i) {
    const Wide below = numbers_by_way(shares.doubled, i) +
                       shares.later / shares.kstar * numbers_by_way(shares.kstar, i) +
                       numbers_by_way(shares.later % shares.kstar, i);
    lengths.add(1, below * m);
  }
  lengths.add((shares.later + shares.kstar - 1) / shares.kstar, m);
  return {.steps = exact_count(lengths.steps(), holders.steps_text(machine.processors)),
          .messages = exact_count(k - 1, "k - 1"),
          .words = exact_count(hops(machine) * m, "m for each hop of a block"),
          .longest_sum = exact_count(lengths.sum(), "(k - 1) m"),
          .longest_startups = lengths.startups()};
}

// A processor keeps the room of the blocks that it has forwarded; the root makes room as they come, at most twice what
// it needs.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, 3 * Wide{machine.processors} + 2 * hops(machine));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const Rank root = request.root();
  return run(request, reading, [root, reading](Processor<Bundle>& self, HeldBlocks& held) {
    return reading == Reading::forwards ? scatter_down(self, root, held) : gather_up(self, root, held);
  });
}

}  // namespace
}  // namespace lockstep::scatter::bus_tree

namespace lockstep {

extern const method::MethodPair scatter_doubling_kstar_methods = scatter::and_gather<scatter::bus_tree::run_schedule>(
    {
        .name = "scatter/doubling-kstar",
        .families = {"bus"},
        .source = "after Saad & Schultz 1988, sections 2(a) and 3.4(f) (saad-schultz-1988.md, Bus)",
        .summary = "without multicast: over holders that double until they are kstar, then kstar a step",
        .port_models = {PortModel::one},
        .strictest_duplex = Duplex::half_node,
        .predict = scatter::bus_tree::predict,
        .bytes = scatter::bus_tree::bytes,
    },
    {
        .name = "gather/doubling-kstar",
        .source = "after Saad & Schultz 1988, sections 2(a) and 3.4(f) reversed (saad-schultz-1988.md, Bus)",
        .summary = "the scatter of that name in reversed time: kstar a step hand back what they have, then ever fewer",
    });

}  // namespace lockstep
