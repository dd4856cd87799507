#include "two_phase.hpp"

#include "catalogue/step_lengths.hpp"
#include "lockstep/machines/square_torus.hpp"
#include "two_way.hpp"

namespace lockstep {
namespace scatter {
namespace {

// First both ways along the root's row, each message holding the blocks of a whole column; then every processor of that
// row both ways along its column. Saad & Schultz 1988, (3.39) (saad-schultz-1988.md, Torus scatter): two phases of
// floor(s/2) steps.
class TwoPhase : public ScatterSchedule {
 public:
  TwoPhase(const SquareTorus& torus, Rank root)
      : torus_(torus),
        row_(torus.x_axis(), torus.x(root)),
        column_(torus.y_axis(), torus.y(root)),
        root_y_(torus.y(root)) {}

  Cycle steps() const override { return row_.steps() + column_.steps(); }

  std::uint64_t moves(Rank rank) const override { return row_moves(rank) + column_.moves(torus_.y(rank)); }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const Rank x = torus_.x(rank);
    if (index < row_moves(rank)) {
      const TwoWay::NodeMove move = row_.move(x, index);
      return {.step = move.step, .port = move.port, .sends = move.sends, .blocks = column_of(move.destination)};
    }
    const TwoWay::NodeMove move = column_.move(torus_.y(rank), index - row_moves(rank));
    return {.step = row_.steps() + move.step,
            .port = move.port,
            .sends = move.sends,
            .blocks = {.first = torus_.rank(x, move.destination)}};
  }

 private:
  std::uint64_t row_moves(Rank rank) const { return torus_.y(rank) == root_y_ ? row_.moves(torus_.x(rank)) : 0; }
  Ranks column_of(Rank x) const { return {.first = x, .stride = torus_.side(), .count = torus_.side()}; }

  SquareTorus torus_;
  TwoWay row_;
  TwoWay column_;
  Rank root_y_;
};

}  // namespace

namespace two_phase {

void resolve_on_torus(const MachineSpec& machine, const Model& model, Settings& settings) {
  const SquareTorus torus(machine);
  resolve(machine, model, settings);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const SquareTorus torus(machine);
  const Wide m = *settings.words;
  const Wide s = torus.side();
  const Wide h = torus.reach();
  const Wide behind = s - 1 - h;
  const Wide hops = (h * (h + 1) + behind * (behind + 1)) / 2;  // on one ring
  StepLengths lengths(model.cost);
  lengths.add(h, s * m);  // in the root's row, a column each
  lengths.add(h, m);
  const std::string formula = "H = h(h+1)/2 + e(e+1)/2, h = floor(s/2), e = s-1-h";
  return {.steps = exact_count(lengths.steps(), "2 floor(s/2)"),
          .messages = exact_count(hops * (1 + s), "H (s + 1), " + formula),
          .words = exact_count(2 * s * hops * m, "2 s H m, " + formula),
          .longest_sum = exact_count(lengths.sum(), "floor(s/2) (s + 1) m"),
          .message_words = {},
          .longest_startups = lengths.startups()};
}

// The farthest block needs 2h steps. All but the root's own have to pass the root's port, or, undivided, the busiest of
// its links.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const SquareTorus torus(machine);
  const std::uint64_t all_links = torus.side() == 2 ? 2 : 4;
  const std::uint64_t links = model.ports == PortModel::all ? all_links : 1;
  const std::uint64_t blocks = (machine.processors - 1 + links - 1) / links;
  return {.steps = std::uint64_t{2} * torus.reach(), .longest_sum = blocks * *settings.words};
}

// All at the root, which makes room as they come if it gathers, twice those of a column in its row, and two elsewhere.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{7} * machine.processors);
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const auto root = static_cast<Rank>(*request.settings.root);
  return run(request, TwoPhase(SquareTorus(request.machine), root), reading);
}

}  // namespace two_phase
}  // namespace scatter

extern const Method scatter_two_phase_method = scatter::with_defaults({
    .name = "scatter/two-phase",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.39) (saad-schultz-1988.md, Torus scatter)",
    .summary =
        "both ways along the root's row, the blocks of a column together, then both ways along every column (square "
        "tori)",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = scatter::two_phase::resolve_on_torus,
    .predict = scatter::two_phase::predict,
    .lower_bound = scatter::two_phase::lower_bound,
    .bytes = scatter::two_phase::bytes,
    .run =
        [](const RunRequest& request) { return scatter::two_phase::run_schedule(request, scatter::Reading::forwards); },
});

}  // namespace lockstep
