#include "operations/scatter/sbt.hpp"

// The scatter of that name in reversed time. Over a spanning binomial tree. Saad & Schultz 1985, section 5
// (saad-schultz-1985.md, Gather).
namespace lockstep {

extern const Method gather_sbt_method = scatter::gather_with_defaults({
    .name = "gather/sbt",
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 5 (saad-schultz-1985.md, Gather)",
    .summary = "spanning binomial tree: half of the holders hand all that they have gathered to the other half",
    .parameters = scatter::sbt::parameters(),
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = scatter::sbt::resolve,
    .predict = scatter::sbt::predict,
    .lower_bound = scatter::sbt::lower_bound,
    .bytes = scatter::sbt::bytes,
    .run = [](const RunRequest& request) { return scatter::sbt::run_schedule(request, scatter::Reading::backwards); },
});

}  // namespace lockstep
