#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"
#include "method/switches.hpp"
#include "operations/scatter/and_gather.hpp"
#include "scatter_schedule.hpp"

namespace lockstep {
namespace scatter {
namespace shift {
namespace {

/// Over a binomial tree of cyclic shifts: in step d every processor that comes a < 2^d after the root sends to the one
/// 2^d farther on all blocks for those that come after the root by a number with the lowest bits of a + 2^d. Saad &
/// Schultz 1988, (3.41) (saad-schultz-1988.md, Switch; saad-schultz-1985.md, Scatter): n steps, and no processor sends
/// and receives in one step.
///
///     k = 8, root 0       0
///                   0 ------> 1            step 0: the odd ones
///               0 -> 2      1 -> 3         step 1: 2 and 6, 3 and 7
///           0->4  2->6  1->5  3->7         step 2
class ShiftTree : public ScatterSchedule {
 public:
  ShiftTree(Rank processors, Rank root) : processors_(processors), root_(root) {}

  Cycle steps() const override { return doublings(processors_); }

  std::uint64_t moves(Rank rank) const override {
    const Rank offset = offset_from(root_, rank, processors_);
    return (offset != 0 ? 1 : 0) + steps() - width(offset);
  }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const Rank offset = offset_from(root_, rank, processors_);
    if (offset != 0 && index == 0) {
      const Port step = highest_bit(offset);
      const Rank parent = shifted(rank, processors_ - (Rank{1} << step), processors_);
      return {.step = step, .port = parent, .sends = false, .blocks = subtree(rank, step)};
    }
    const Port step = width(offset) + static_cast<Port>(index) - (offset != 0 ? 1 : 0);
    const Rank child = shifted(rank, Rank{1} << step, processors_);
    return {.step = step, .port = child, .sends = true, .blocks = subtree(child, step)};
  }

 private:
  /// The ranks that agree with this one in the bits up to that of the step: modulo a power of two it does not matter
  /// where the root is.
  Ranks subtree(Rank rank, Port step) const {
    const Rank stride = Rank{2} << step;
    return {.first = rank & (stride - 1), .stride = stride, .count = processors_ / stride};
  }

  Rank processors_;
  Rank root_;
};

void resolve_shift(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  resolve(machine, model, settings);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = doublings(machine.processors);
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  for (Wide moved = k / 2; moved > 0; moved /= 2) lengths.add(1, moved * m);
  return {.steps = exact_count(lengths.steps(), "log2 k"),
          .messages = exact_count(k - 1, "k - 1"),
          .words = exact_count(n * (k / 2) * m, "log2 k (k/2) m"),
          .longest_sum = exact_count(lengths.sum(), "(k - 1) m"),
          .longest_startups = lengths.startups()};
}

// A processor keeps the room of the blocks that it has forwarded. A root that gathers makes room as they come, at most
// twice what it needs.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  return bytes_for(machine, model, settings, 2 * k + doublings(machine.processors) * (k / 2));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  return run(request, ShiftTree(request.topology.processors(), request.root()), reading);
}

}  // namespace
}  // namespace shift
}  // namespace scatter

extern const method::MethodPair scatter_shift_methods = scatter::and_gather<scatter::shift::run_schedule>(
    {
        .name = "scatter/shift",
        .families = method::all_switches(),
        .source = "Saad & Schultz 1988, (3.41) (saad-schultz-1988.md, Switch)",
        .summary = "every holder hands half of its blocks on, over cyclic shifts by 1, 2, 4, .. (2^n processors)",
        .port_models = {PortModel::one},
        .strictest_duplex = Duplex::half_node,
        .resolve = scatter::shift::resolve_shift,
        .predict = scatter::shift::predict,
        .bytes = scatter::shift::bytes,
    },
    {
        .name = "gather/shift",
        .source = "Saad & Schultz 1988, (3.41) reversed (saad-schultz-1988.md, Switch)",
        .summary =
            "half of the holders hand all that they have back over cyclic shifts by .., 4, 2, 1 (2^n processors)",
    });

}  // namespace lockstep
