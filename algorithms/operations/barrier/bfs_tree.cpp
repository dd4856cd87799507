#include <algorithm>
#include <ranges>
#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "plans/bfs/timing.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace barrier {
namespace {

using bfs::Timing;
using bfs::Tree;

/// The cycles in which tokens go up, given the arrivals of processors: as soon as a node has those of all its children;
/// with one port a node receives one a cycle, in the order in which they could come, among equals the lower rank first.
class TokenGathering {
 public:
  TokenGathering(const Tree& tree, const std::vector<Cycle>& arrived, bool at_once)
      : ready_(arrived), sent_(tree.nodes()), children_(tree.nodes()) {
    for (const Rank node : tree.members(tree.root()) | std::views::reverse) {
      std::vector<Rank>& children = children_[node];
      children.assign(tree.children(node).begin(), tree.children(node).end());
      std::ranges::sort(children, {}, [&](Rank child) { return std::pair(ready_[child], child); });
      Cycle free = 0;
      for (const Rank child : children) {
        sent_[child] = at_once ? ready_[child] : std::max(ready_[child], free);
        free = sent_[child] + 1;
        ready_[node] = std::max(ready_[node], free);
      }
    }
  }

  /// The cycle from which on a node has the tokens of its subtree.
  Cycle ready(Rank node) const { return ready_[node]; }
  /// The cycle in which a node that is not the root sends its token.
  Cycle sent(Rank node) const { return sent_[node]; }
  /// In the order in which their tokens come.
  const std::vector<Rank>& children(Rank node) const { return children_[node]; }

 private:
  std::vector<Cycle> ready_;
  std::vector<Cycle> sent_;
  std::vector<std::vector<Rank>> children_;
};

// Tokens go up the tree as processors arrive, and when the root has all, a broadcast releases all processors.
// any-graph.md, Barrier.
Process barrier_bfs_tree(Processor<LabelledBlock>& self, const Topology& topology, const Tree& tree,
                         const TokenGathering& gathering, Attendance& attendance) {
  const Rank rank = self.rank();
  LabelledBlock& token = attendance.token;
  self.hold(words(token));
  self.phase("arrival");
  for (const Rank child : gathering.children(rank)) {
    const Port port = topology.peer(child, tree.parent_port(child)).port;
    const LabelledBlock other = co_await self.message(port);
    if (other.origin != child) {
      throw std::logic_error("the token of node " + std::to_string(other.origin) + " came where that of node " +
                             std::to_string(child) + " is due");
    }
    take_in(token, other);
  }
  if (rank == tree.root()) {
    co_await self.until(gathering.ready(rank));
  } else {
    co_await self.until(gathering.sent(rank));
    self.send(tree.parent_port(rank), std::move(token));
    token = co_await self.message(tree.parent_port(rank));
  }
  attendance.left = self.now();
  self.phase("release");
  const std::span<const Port> ports = tree.ports(rank);
  if (ports.empty()) co_return;
  if (bfs::serves_children_at_once(self.model())) {
    self.send(ports, token);
    co_return;
  }
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0) co_await self.cycle();
    self.send(ports[index], token);
  }
}

Prediction predict_bfs_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto kept = bfs::kept_tree_from_middle(machine);
  const Tree& tree = *kept;
  const bool all = bfs::all_at_once(model);
  const bool at_once = bfs::serves_children_at_once(model);
  const TokenGathering gathering(tree, arrivals(machine, settings), all);
  const Timing release(tree, at_once);
  bfs::Traffic traffic;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    if (node == tree.root()) continue;
    traffic.add(gathering.sent(node), *settings.words);
    traffic.add(gathering.ready(tree.root()) + release.down(node), *settings.words);
  }
  const std::string steps = *settings.arrivals > 0 ? "by the arrivals and the tree"
                            : all == at_once       ? "2 " + bfs::steps_formula(all)
                                                   : "n(root) + h, what the tree needs and its height";
  return traffic.prediction(model, steps, "2 (P - 1)", "messages w");
}

std::uint64_t bytes_bfs_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frame = 500;  // of the program of a processor
  const Wide token = sizeof(Attendance) + sizeof(Cycle) + allocated_bytes(*settings.words);
  const Wide gathering = 2 * sizeof(Cycle) + sizeof(std::vector<Rank>) + allocated_bytes(1) + sizeof(Rank);
  return saturated(machine_bytes<LabelledBlock>(machine, model) + machine.processors * (token + gathering + frame) +
                   2 * Tree::bytes(machine));
}

Outcome run_tree(const RunRequest& request) {
  const std::vector<Cycle> arrived = arrivals(request);
  const Tree tree(request.machine, bfs::middle(request.machine).rank);
  const TokenGathering gathering(tree, arrived, bfs::all_at_once(request.model));
  PerRank<Attendance> attendances = initial_attendances(request, arrived);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return barrier_bfs_tree(self, request.topology, tree, gathering, attendances[self.rank()]);
  });
  finish(request, attendances, arrived, outcome);
  return outcome;
}

}  // namespace
}  // namespace barrier

extern const Method barrier_bfs_tree_method = barrier::with_defaults({
    .name = "barrier/bfs-tree",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Barrier)",
    .summary = "tokens go up a breadth-first tree of any connected machine, and a broadcast releases all",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .predict = barrier::predict_bfs_tree,
    .bytes = barrier::bytes_bfs_tree,
    .run = barrier::run_tree,
});

}  // namespace lockstep
