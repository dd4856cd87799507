#include <algorithm>
#include <bit>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/predicted.hpp"
#include "operations/scatter/and_gather.hpp"
#include "plans/turns/port_to.hpp"
#include "scatter_schedule.hpp"

namespace lockstep {
namespace scatter {
namespace {

// In step s = 0, 1, .. ranks whose offset from the root is a multiple of 2 d, d = 2^(q-1-s), send to the rank d after
// them the blocks of that rank and of those after it, up to 2 d after the sender. Thakur, Rabenseifner, Gropp 2005
// (collectives.md, Scatter and gather).
class BinomialOfRanks : public ScatterSchedule {
 public:
  BinomialOfRanks(const Topology& topology, Rank root)
      : topology_(topology), ranks_(topology.processors()), root_(root), steps_(doublings(ranks_)) {}

  Cycle steps() const override { return steps_; }

  std::uint64_t moves(Rank rank) const override {
    const std::uint64_t offset = offset_from(root_, rank, ranks_);
    const Cycle first = first_send(offset);
    std::uint64_t sends = 0;
    for (Cycle step = first; step < steps_; ++step) sends += offset + distance(step) < ranks_ ? 1 : 0;
    return sends + (offset > 0 ? 1 : 0);
  }

  // Of a rank's sends, those over distances that lead past the last rank come first, and are left out.
  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const std::uint64_t offset = offset_from(root_, rank, ranks_);
    const Cycle first = first_send(offset);
    if (offset > 0 && index == 0) {
      return message(first - 1, rank, shifted(rank, ranks_ - distance(first - 1), ranks_), false, offset);
    }
    const std::uint64_t left = moves(rank) - index;  // with this one
    const Cycle step = steps_ - left;
    const std::uint64_t receiver = offset + distance(step);
    return message(step, rank, shifted(rank, distance(step), ranks_), true, receiver);
  }

 private:
  std::uint64_t distance(Cycle step) const { return std::uint64_t{1} << (steps_ - 1 - step); }
  /// The step after that in which the rank at that offset receives: over the distance that is its lowest one bit.
  Cycle first_send(std::uint64_t offset) const {
    return offset == 0 ? 0 : steps_ - static_cast<Cycle>(std::countr_zero(offset));
  }

  /// The message of that step with the blocks of the offsets from `offset` on.
  ScatterMove message(Cycle step, Rank rank, Rank other, bool sends, std::uint64_t offset) const {
    const std::uint64_t count = std::min<std::uint64_t>(distance(step), ranks_ - offset);
    return {.step = step,
            .port = turns::port_to(topology_, rank, other),
            .sends = sends,
            .blocks = {.first = shifted(root_, offset, ranks_), .count = static_cast<Rank>(count), .all = ranks_}};
  }

  const Topology& topology_;
  Rank ranks_;
  Rank root_;
  Cycle steps_;
};

// The root sends the most in every step: other senders have fewer ranks behind them. A block crosses as many links as
// its offset has one bits.
Prediction predict_binomial(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  Wide hops = 0;
  for (std::uint64_t d = std::bit_ceil(p); (d /= 2) > 0;) {
    lengths.add(1, (std::min(2 * d, p) - d) * m);
    hops += p / (2 * d) * d + std::max(p % (2 * d), d) - d;
  }
  return method::predicted(lengths, p - 1, hops * m,
                           {"ceil(log2 p)", "p - 1", "m times the one bits of all offsets from the root", "(p - 1) m"});
}

std::uint64_t bytes_binomial(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, (2 + doublings(machine.processors)) * Wide{machine.processors});
}

Outcome run_binomial(const RunRequest& request, Reading reading) {
  return run(request, BinomialOfRanks(request.topology, request.root()), reading);
}

}  // namespace
}  // namespace scatter

extern const method::MethodPair scatter_binomial_methods = scatter::and_gather<scatter::run_binomial>(
    {
        .name = "scatter/binomial",
        .families = {"switch", "complete"},
        .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Scatter and gather)",
        .summary = "down a binomial tree: every holder sends half of its blocks on, until it has only its own",
        .port_models = {PortModel::one},
        .strictest_duplex = Duplex::half_node,
        .predict = scatter::predict_binomial,
        .bytes = scatter::bytes_binomial,
    },
    {
        .name = "gather/binomial",
        .summary = "up a binomial tree: half of the holders send all that they have gathered to the other half",
    });

}  // namespace lockstep
