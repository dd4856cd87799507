#include "operations/scatter/doubling_kstar.hpp"

// The scatter of that name in reversed time.
namespace lockstep {

extern const Method gather_doubling_kstar_method = scatter::gather_with_defaults({
    .name = "gather/doubling-kstar",
    .families = {"bus"},
    .source = "after Saad & Schultz 1988, sections 2(a) and 3.4(f) reversed (saad-schultz-1988.md, Bus)",
    .summary = "the scatter of that name in reversed time: kstar a step hand back what they have, then ever fewer",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::bus_tree::predict,
    .lower_bound = scatter::lower_bound_of_gather_on_bus,
    .bytes = scatter::bus_tree::bytes,
    .run = scatter::bus_tree::run_up,
});

}  // namespace lockstep
