#include "operations/scatter/shift.hpp"

#include "method/switches.hpp"

// The scatter of that name in reversed time. Over cyclic shifts. Saad & Schultz 1988, (3.41) (saad-schultz-1988.md,
// Switch).
namespace lockstep {

extern const Method gather_shift_method = scatter::gather_with_defaults({
    .name = "gather/shift",
    .families = method::all_switches(),
    .source = "Saad & Schultz 1988, (3.41) reversed (saad-schultz-1988.md, Switch)",
    .summary = "half of the holders hand all that they have back over cyclic shifts by .., 4, 2, 1 (2^n processors)",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = scatter::shift::resolve_shift,
    .predict = scatter::shift::predict,
    .lower_bound = scatter::shift::lower_bound_of_gather,
    .bytes = scatter::shift::bytes,
    .run = [](const RunRequest& request) { return scatter::shift::run_schedule(request, scatter::Reading::backwards); },
});

}  // namespace lockstep
