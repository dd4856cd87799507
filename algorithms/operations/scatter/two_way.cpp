#include "two_way.hpp"

#include "operations/scatter/and_gather.hpp"

namespace lockstep {
namespace scatter {
namespace two_way {
namespace {

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const GridAxis line = Grid(machine).axis(0);
  const Wide m = *settings.words;
  const Wide farthest = line.reach(root_of(settings));
  const Wide hops = hops_of_two_way(line, root_of(settings));
  const bool is_ring = line.is_ring();
  const std::string steps = is_ring ? "floor(k/2)" : "max(D, E), D = k-1-root, E = root";
  const std::string formula =
      std::string("D(D+1)/2 + E(E+1)/2, ") + (is_ring ? "D = floor(k/2), E = k-1-D" : "D = k-1-root, E = root");
  return {.steps = exact_count(farthest, steps),
          .messages = exact_count(hops, formula),
          .words = exact_count(hops * m, "m M, M = " + formula),
          .longest_sum = exact_count(farthest * m, is_ring ? "floor(k/2) m" : "m " + steps),
          .message_words = *settings.words};
}

// All at the root, which makes room as they come if it gathers, and two elsewhere.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{5} * machine.processors);
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  return run(request, TwoWayOnLines(Grid(request.machine).axis(0), root_of(request.settings)), reading);
}

}  // namespace
}  // namespace two_way
}  // namespace scatter

extern const method::MethodPair scatter_two_way_methods = scatter::and_gather<scatter::two_way::run_schedule>(
    {
        .name = "scatter/two-way",
        .families = {"ring", "path"},
        .source = "Saad & Schultz 1988, (3.38) (saad-schultz-1988.md, Ring scatter)",
        .summary = "both ways round or along, the block for the farthest processor first",
        .defaults = {.ports = PortModel::all},
        .port_models = {PortModel::all, PortModel::ring},
        .strictest_duplex = Duplex::half_link,
        .predict = scatter::two_way::predict,
        .bytes = scatter::two_way::bytes,
    },
    {
        .name = "gather/two-way",
        .source = "Saad & Schultz 1988, (3.38) reversed (saad-schultz-1988.md, Ring scatter)",
        .summary = "both ways round or along, so that the block of the farthest processor comes last",
        .port_models = {PortModel::all},
    });

}  // namespace lockstep
