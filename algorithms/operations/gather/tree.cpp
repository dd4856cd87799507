#include "operations/scatter/tree.hpp"

// The scatter of that name in reversed time (mukherjee.md, Scatter and gather).
namespace lockstep {

extern const Method gather_tree_method = scatter::gather_with_defaults({
    .name = "gather/tree",
    .families = {"rh"},
    .source = "up the tree of Mukherjee, chapter 2 (mukherjee.md, Scatter and gather)",
    .summary = "up the double-rooted trees of the broadcast: every node gives the blocks of its subtree at once",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::tree::predict,
    .lower_bound = scatter::tree::lower_bound,
    .bytes = scatter::tree::bytes,
    .run = [](const RunRequest& request) { return scatter::tree::run_schedule(request, scatter::Reading::backwards); },
});

}  // namespace lockstep
