#include <algorithm>
#include <ranges>
#include <vector>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/k_ports.hpp"
#include "method/predicted.hpp"
#include "operations/scatter/and_gather.hpp"
#include "plans/turns/port_to.hpp"
#include "scatter_schedule.hpp"

namespace lockstep {
namespace scatter {
namespace {

// Base r = K + 1 under --ports K, else 2, and d = r^(q-1-s) in step s = 0, 1, .. of q: ranks whose offset from the root
// is a multiple of r d send to those d, 2 d, .., (r - 1) d after them the blocks of that rank and of those after it, d
// in all at most. Thakur, Rabenseifner, Gropp 2005; with K ports after Bruck et al. 1997 (collectives.md, Scatter and
// gather).
class NomialOfRanks : public ScatterSchedule {
 public:
  NomialOfRanks(const Topology& topology, Rank root, std::uint64_t base)
      : topology_(topology),
        ranks_(topology.processors()),
        root_(root),
        base_(std::min<std::uint64_t>(base, ranks_ + 1)) {
    for (std::uint64_t distance = 1; distance < ranks_; distance *= base_) distances_.push_back(distance);
    std::ranges::reverse(distances_);
  }

  Cycle steps() const override { return distances_.size(); }

  std::uint64_t moves(Rank rank) const override {
    const std::uint64_t offset = offset_from(root_, rank, ranks_);
    std::uint64_t moves = offset > 0 ? 1 : 0;
    for (Cycle step = first_send(offset); step < steps(); ++step) moves += receivers(offset, step);
    return moves;
  }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const std::uint64_t offset = offset_from(root_, rank, ranks_);
    Cycle step = first_send(offset);
    if (offset > 0 && index-- == 0) {
      const std::uint64_t distance = distances_[step - 1];
      const std::uint64_t sender = offset - offset / distance % base_ * distance;
      return message(step - 1, rank, shifted(root_, sender, ranks_), false, offset);
    }
    for (; index >= receivers(offset, step); ++step) index -= receivers(offset, step);
    const std::uint64_t receiver = offset + (index + 1) * distances_[step];
    return message(step, rank, shifted(root_, receiver, ranks_), true, receiver);
  }

 private:
  /// The step after that in which the rank at that offset receives: over the place of its lowest digit that is not 0.
  Cycle first_send(std::uint64_t offset) const {
    if (offset == 0) return 0;
    const auto received =
        std::ranges::find_if(distances_, [&](std::uint64_t distance) { return offset % distance == 0; });
    return static_cast<Cycle>(received - distances_.begin()) + 1;
  }
  std::uint64_t receivers(std::uint64_t offset, Cycle step) const {
    return std::min<std::uint64_t>(base_ - 1, (ranks_ - 1 - offset) / distances_[step]);
  }

  /// The message of that step with the blocks of the offsets from `offset` on.
  ScatterMove message(Cycle step, Rank rank, Rank other, bool sends, std::uint64_t offset) const {
    const std::uint64_t count = std::min<std::uint64_t>(distances_[step], ranks_ - offset);
    return {.step = step,
            .port = turns::port_to(topology_, rank, other),
            .sends = sends,
            .blocks = {.first = shifted(root_, offset, ranks_), .count = static_cast<Rank>(count), .all = ranks_}};
  }

  const Topology& topology_;
  Rank ranks_;
  Rank root_;
  std::uint64_t base_;
  std::vector<std::uint64_t> distances_;  // by step
};

// The root sends the most in every step: other senders have fewer ranks behind them. A block crosses as many links as
// its offset has digits that are not 0.
Prediction predict_binomial(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const Wide m = *settings.words;
  const Wide base = Wide{method::ports_at_once(model)} + 1;
  std::vector<Wide> distances;
  for (Wide distance = 1; distance < p; distance *= base) distances.push_back(distance);
  method::StepLengths lengths(model.cost);
  Wide hops = 0;
  for (const Wide d : distances | std::views::reverse) {
    lengths.add(1, (std::min<Wide>(2 * d, p) - d) * m);
    hops += p - p / (base * d) * d - std::min<Wide>(p % (base * d), d);
  }
  if (base == 2) {
    return method::predicted(
        lengths, p - 1, hops * m,
        {"ceil(log2 p)", "p - 1", "m times the one bits of all offsets from the root", "(p - 1) m"});
  }
  return method::predicted(
      lengths, p - 1, hops * m,
      {"ceil(log_(K+1) p)", "p - 1", "m times the digits other than 0 of all offsets from the root",
       "the blocks of the nearest receiver of every step"});
}

// As for a tree of a hypercube.
std::uint64_t bytes_binomial(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, (2 + doublings(machine.processors) / 4) * Wide{machine.processors});
}

Outcome run_binomial(const RunRequest& request, Reading reading) {
  return run(request, NomialOfRanks(request.topology, request.root(), method::ports_at_once(request.model) + 1),
             reading);
}

}  // namespace
}  // namespace scatter

extern const method::MethodPair scatter_binomial_methods = scatter::and_gather<scatter::run_binomial>(
    {
        .name = "scatter/binomial",
        .families = {"switch", "complete"},
        .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Scatter and gather)",
        .summary =
            "down a binomial tree: every holder sends half of its blocks on, until it has only its own; with K ports "
            "K of K + 1 parts",
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
