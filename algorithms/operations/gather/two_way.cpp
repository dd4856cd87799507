#include "operations/scatter/two_way.hpp"

// The scatter of that name in reversed time. Both ways round a ring, or along a path. Saad & Schultz 1988, (3.38)
// (saad-schultz-1988.md, Ring scatter).
namespace lockstep {

extern const Method gather_two_way_method = scatter::gather_with_defaults({
    .name = "gather/two-way",
    .families = {"ring", "path"},
    .source = "Saad & Schultz 1988, (3.38) reversed (saad-schultz-1988.md, Ring scatter)",
    .summary = "both ways round or along, so that the block of the farthest processor comes last",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = scatter::two_way::predict,
    .lower_bound = scatter::two_way::lower_bound_of_gather,
    .bytes = scatter::two_way::bytes,
    .run =
        [](const RunRequest& request) { return scatter::two_way::run_schedule(request, scatter::Reading::backwards); },
});

}  // namespace lockstep
