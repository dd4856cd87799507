#include "operations/scatter/sbnt.hpp"

// The scatter of that name in reversed time. Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather).
namespace lockstep {

extern const Method gather_sbnt_method = scatter::gather_with_defaults({
    .name = "gather/sbnt",
    .known_as = "all-to-one personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather)",
    .summary = "up the spanning balanced n-tree, all blocks at once; all move in every cycle",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = scatter::sbnt::predict,
    .lower_bound = scatter::lower_bound_on_cube,
    .bytes = scatter::sbnt::bytes,
    .run = [](const RunRequest& request) { return scatter::sbnt::run_schedule(request, scatter::Reading::backwards); },
});

}  // namespace lockstep
