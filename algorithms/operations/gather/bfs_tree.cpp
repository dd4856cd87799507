#include "operations/scatter/bfs_tree.hpp"

#include "schedule/follow.hpp"

// The scatter of that name in reversed time (any-graph.md, Scatter and gather).
namespace lockstep {

extern const Method gather_bfs_tree_method = scatter::gather_with_defaults({
    .name = "gather/bfs-tree",
    .families = linked_families(),
    .source = "Lockstep's own (any-graph.md, Scatter and gather)",
    .summary = "up a breadth-first tree of any connected machine, from each child all that its subtree has",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::bfs_tree::predict,
    .lower_bound = scatter::bfs_tree::lower_bound_of_gather,
    .bytes = scatter::bfs_tree::bytes,
    .run =
        [](const RunRequest& request) { return scatter::bfs_tree::run_schedule(request, scatter::Reading::backwards); },
});

}  // namespace lockstep
