#include <algorithm>

#include "lockstep/machines/grid.hpp"
#include "method/step_lengths.hpp"
#include "operations/scatter/and_gather.hpp"
#include "two_way.hpp"

namespace lockstep {
namespace scatter {
namespace two_phase {
namespace {

// First both ways along the root's row, each message holding the blocks of a whole column; then every processor of that
// row both ways along its column. Saad & Schultz 1988, (3.39) (saad-schultz-1988.md, Torus scatter): a phase per
// dimension, the last first. A processor takes part from the phase of the first dimension on in which its position
// differs from the root's.
class TwoPhase : public ScatterSchedule {
 public:
  TwoPhase(const Grid& grid, Rank root) : grid_(grid), root_(root) {
    starts_.resize(grid.dimensions());
    for (std::size_t dimension = grid.dimensions(); dimension-- > 0;) {
      starts_[dimension] = steps_;
      steps_ += on_line(dimension).steps();
    }
  }

  Cycle steps() const override { return steps_; }

  std::uint64_t moves(Rank rank) const override {
    std::uint64_t moves = 0;
    for (std::size_t dimension = first_phase(rank) + 1; dimension-- > 0;) moves += moves_in(dimension, rank);
    return moves;
  }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    std::size_t dimension = first_phase(rank);
    for (; index >= moves_in(dimension, rank); --dimension) index -= moves_in(dimension, rank);
    const GridAxis& axis = grid_.axis(dimension);
    const TwoWay::NodeMove move = on_line(dimension).move(axis.position(rank), index);
    return {.step = starts_[dimension] + move.step,
            .port = move.port,
            .sends = move.sends,
            .blocks = blocks_for(axis, rank, move.destination)};
  }

 private:
  TwoWay on_line(std::size_t dimension) const {
    const GridAxis& axis = grid_.axis(dimension);
    return {axis, axis.position(root_)};
  }
  std::uint64_t moves_in(std::size_t dimension, Rank rank) const {
    return on_line(dimension).moves(grid_.axis(dimension).position(rank));
  }

  std::size_t first_phase(Rank rank) const {
    std::size_t dimension = 0;
    while (dimension + 1 < grid_.dimensions() &&
           grid_.axis(dimension).position(rank) == grid_.axis(dimension).position(root_)) {
      ++dimension;
    }
    return dimension;
  }

  /// The ranks at the destination's position on the processor's line, at its own in the dimensions served before, and
  /// anywhere in those that are left.
  Ranks blocks_for(const GridAxis& axis, Rank rank, Rank destination) const {
    const Wide apart = Wide{axis.stride()} * axis.side();
    const auto first = static_cast<Rank>(axis.at(rank, destination) % apart);
    return {.first = first, .stride = static_cast<Rank>(apart), .count = static_cast<Rank>(grid_.processors() / apart)};
  }

  const Grid& grid_;
  Rank root_;
  std::vector<Cycle> starts_;  // of the dimensions' phases
  Cycle steps_ = 0;
};

/// Processors that a message of the dimension's phase is for: they differ only in the dimensions still to be served.
Wide blocks_together(const GridAxis& axis, const MachineSpec& machine) {
  return machine.processors / (Wide{axis.stride()} * axis.side());
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Grid grid(machine);
  const Rank root = root_of(settings);
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  Wide blocks = 0;  // times links
  for (const GridAxis& axis : grid.axes()) {
    const Rank here = axis.position(root);
    const Wide hops = hops_of_two_way(axis, here);
    lengths.add(axis.reach(here), blocks_together(axis, machine) * m);
    messages += hops * axis.stride();
    blocks += hops * (machine.processors / axis.side());
  }
  const std::string each = "D(D+1)/2 + E(E+1)/2 of every dimension";
  return {.steps = exact_count(lengths.steps(), "sum of max(D, E), the reach ahead and behind in every dimension"),
          .messages = exact_count(messages, "sum over lines at work of H = " + each),
          .words = exact_count(blocks * m, "m k sum of H/a, H = " + each + ", a its side"),
          .longest_sum = exact_count(lengths.sum(), "m sum of max(D, E) times the sides still to come"),
          .longest_startups = lengths.startups()};
}

// All at the root, which makes room as they come; and twice the blocks held for every dimension served.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3 + 2 * Grid(machine).dimensions()} * machine.processors);
}

// A processor that sends on what comes makes room of that many words for short pieces, from the ninth on.
std::uint64_t bytes_of_scatter(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr Wide room = 192 * sizeof(Word);
  const bool short_pieces = *settings.words <= Bundle::most_short;
  return saturated(bytes(machine, model, settings) + (short_pieces ? machine.processors * room / 2 : 0));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const Grid grid(request.machine);
  return run(request, TwoPhase(grid, request.root()), reading);
}

}  // namespace
}  // namespace two_phase
}  // namespace scatter

extern const method::MethodPair scatter_two_phase_methods = scatter::and_gather<scatter::two_phase::run_schedule>(
    {
        .name = "scatter/two-phase",
        .families = {"torus", "mesh", "path"},
        .source = "Saad & Schultz 1988, (3.39) (saad-schultz-1988.md, Torus scatter)",
        .summary =
            "both ways along the root's row, the blocks of a column together, then both ways along every column; a "
            "phase a dimension",
        .defaults = {.ports = PortModel::all},
        .port_models = {PortModel::all},
        .strictest_duplex = Duplex::half_link,
        .predict = scatter::two_phase::predict,
        .bytes = scatter::two_phase::bytes_of_scatter,
    },
    {
        .name = "gather/two-phase",
        .source = "Saad & Schultz 1988, (3.39) reversed (saad-schultz-1988.md, Torus scatter)",
        .summary =
            "both ways along every column to the root's row, then both ways along it, the blocks of a column together; "
            "a phase a dimension",
        .bytes = scatter::two_phase::bytes,
    });

}  // namespace lockstep
