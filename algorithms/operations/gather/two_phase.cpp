#include "operations/scatter/two_phase.hpp"

// The scatter of that name in reversed time. Up the columns to the root's row, then along it. Saad & Schultz
// 1988, (3.39) (saad-schultz-1988.md, Torus scatter).
namespace lockstep {

extern const Method gather_two_phase_method = scatter::gather_with_defaults({
    .name = "gather/two-phase",
    .families = {"torus", "mesh", "path"},
    .source = "Saad & Schultz 1988, (3.39) reversed (saad-schultz-1988.md, Torus scatter)",
    .summary =
        "both ways along every column to the root's row, then both ways along it, the blocks of a column together; a "
        "phase a dimension",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = scatter::two_phase::predict,
    .lower_bound = scatter::two_phase::lower_bound,
    .bytes = scatter::two_phase::bytes,
    .run =
        [](const RunRequest& request) {
          return scatter::two_phase::run_schedule(request, scatter::Reading::backwards);
        },
});

}  // namespace lockstep
