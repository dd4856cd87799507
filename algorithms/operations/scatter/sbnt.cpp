#include <algorithm>
#include <numeric>

#include "method/step_lengths.hpp"
#include "on_trees.hpp"
#include "operations/scatter/and_gather.hpp"

namespace lockstep {
namespace scatter {
namespace sbnt {
namespace {

Forest forest_of(const MachineSpec& machine, const Settings& settings) {
  return {{SpanningTree::balanced(static_cast<Port>(machine.ports))}, *settings.words};
}

/// Necklaces of n beads in two colours, `black` of them black: Burnside's lemma. A necklace that a turn leaves
/// unchanged repeats itself after gcd(turns, n) beads.
Wide necklaces(std::uint64_t n, std::uint64_t black) {
  Wide fixed = 0;
  for (std::uint64_t turns = 1; turns <= n; ++turns) {
    const std::uint64_t period = std::gcd(turns, n);
    if (black * period % n == 0) fixed += choose(period, black * period / n);
  }
  return fixed / n;
}

/// Every processor sends over a link once for every distance in the subtree behind it. Takes time in proportion to n^2
/// 2^n.
Wide count_messages(Port n) {
  const SpanningTree tree = SpanningTree::balanced(n);
  std::vector<Port> heights(std::size_t{1} << n);  // of the subtree under the relative address, with the link to it
  for (Rank c = 1; c < heights.size(); ++c) {
    Port below = one_bits(c);
    for (Rank left = c; left != 0; --below) {
      left ^= Rank{1} << tree.next(c, left);
      heights[c ^ left] = std::max(heights[c ^ left], below);
    }
  }
  return std::accumulate(heights.begin(), heights.end(), Wide{0});
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t most_counted = 20;  // beyond, counting takes seconds
  const std::uint64_t n = machine.ports;
  const Wide m = *settings.words;
  // The blocks that have d hops before them when they leave the root do so over link 0, one of every necklace with d
  // black beads; each other link carries only those whose period exceeds its number.
  method::StepLengths lengths(model.cost);
  for (std::uint64_t hops = 1; hops <= n; ++hops) lengths.add(1, necklaces(n, hops) * m);
  Prediction prediction{.steps = exact_count(lengths.steps(), "n"),
                        .words = exact_count(n * (machine.processors / 2) * m, "n 2^(n-1) D"),
                        .longest_sum = exact_count(lengths.sum(), "(necklaces(n) - 1) D"),
                        .longest_startups = lengths.startups()};
  if (n <= most_counted) {
    prediction.messages = exact_count(count_messages(static_cast<Port>(n)), "sum_x (1 + height of the subtree of x)");
  }
  return prediction;
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_of_reverse_breadth_first(machine, model, settings, 1);
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  return run_reverse_breadth_first(request, forest_of(request.machine, request.settings), reading);
}

}  // namespace
}  // namespace sbnt
}  // namespace scatter

extern const method::MethodPair scatter_sbnt_methods = scatter::and_gather<scatter::sbnt::run_schedule>(
    {
        .name = "scatter/sbnt",
        .known_as = "one-to-all personalized",
        .families = {"hypercube"},
        .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
        .summary =
            "down the spanning balanced n-tree, the blocks for the farthest processors first; all move in every cycle",
        .defaults = {.ports = PortModel::all},
        .port_models = {PortModel::all},
        .strictest_duplex = Duplex::half_link,
        .predict = scatter::sbnt::predict,
        .bytes = scatter::sbnt::bytes,
    },
    {
        .name = "gather/sbnt",
        .known_as = "all-to-one personalized",
        .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather)",
        .summary = "up the spanning balanced n-tree, all blocks at once; all move in every cycle",
    });

}  // namespace lockstep
