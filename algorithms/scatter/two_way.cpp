#include "two_way.hpp"

namespace lockstep {
namespace scatter {
namespace two_way {

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide m = *settings.words;
  const Wide ahead = machine.processors / 2;
  const Wide behind = machine.processors - 1 - ahead;
  const Wide hops = (ahead * (ahead + 1) + behind * (behind + 1)) / 2;
  const std::string formula = "D(D+1)/2 + E(E+1)/2, D = floor(k/2), E = k-1-D";
  return {.steps = exact_count(ahead, "floor(k/2)"),
          .messages = exact_count(hops, formula),
          .words = exact_count(hops * m, "m M, M = " + formula),
          .longest_sum = exact_count(ahead * m, "floor(k/2) m"),
          .message_words = *settings.words};
}

namespace {

// The farthest block needs floor(k/2) steps. All but the root's own have to pass the root's port, or, undivided, the
// busier of its two links, if there are two and both can be used at once.
LowerBound lower_bound(const MachineSpec& machine, const Settings& settings, bool both_links) {
  const std::uint64_t farthest = machine.processors / 2;
  const std::uint64_t blocks = both_links ? farthest : machine.processors - 1;
  return {.steps = farthest, .longest_sum = blocks * *settings.words};
}

}  // namespace

LowerBound lower_bound_of_scatter(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, settings, sends_on_several_ports(model.ports));
}

LowerBound lower_bound_of_gather(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, settings, model.ports == PortModel::all);
}

// All at the root, which makes room as they come if it gathers, and two elsewhere.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{5} * machine.processors);
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const RingLines ring = ring_of(request.topology.processors());
  return run(request, TwoWayOnRings(ring, static_cast<Rank>(*request.settings.root)), reading);
}

}  // namespace two_way
}  // namespace scatter

extern const Method scatter_two_way_method = scatter::with_defaults({
    .name = "scatter/two-way",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, (3.38) (saad-schultz-1988.md, Ring scatter)",
    .summary = "both ways round, the block for the farthest processor first",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_link,
    .predict = scatter::two_way::predict,
    .lower_bound = scatter::two_way::lower_bound_of_scatter,
    .bytes = scatter::two_way::bytes,
    .run =
        [](const RunRequest& request) { return scatter::two_way::run_schedule(request, scatter::Reading::forwards); },
});

}  // namespace lockstep
