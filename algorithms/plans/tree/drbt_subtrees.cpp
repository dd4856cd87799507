#include "drbt_subtrees.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "drbt_schedule.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::tree {
namespace {

/// All nodes, parents before children.
std::vector<Rank> from_root_down(const TreeSchedule& schedule, const Topology& machine) {
  std::vector<Rank> nodes{0};
  nodes.reserve(schedule.nodes());
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    for (const Port port : schedule.children(nodes[index])) nodes.push_back(machine.peer(nodes[index], port).rank);
  }
  return nodes;
}

/// A subtree as its root's parent sees it.
struct DrbtBranch {
  Wide nodes = 0;
  std::uint64_t need = 0;       ///< steps until all nodes have their blocks, from when its root has
  std::vector<Wide> longest{};  ///< by step after the message to its root, which is the first
};

/// Stage 2: the messages that the root of a layer sends into its layer, in the order of service.
struct Layer {
  std::vector<DrbtBranch> branches{};
  Wide nodes = 0;
  Wide hops = 0;
};

Layer layer_of(const ReducedHypercube& rh, bool at_once) {
  const std::string n = std::to_string(rh.n());
  const MachineSpec spec = parse_machine("rh:" + n + "," + n);  // one layer
  const Topology topology = build(spec);
  const TreeSchedule schedule = drbt_schedule(ReducedHypercube(spec), topology, ChildOrder::longest_first);
  const SubtreeRuns subtrees(schedule, topology);
  const std::vector<std::uint32_t> arrived = schedule.arrivals(topology, at_once);
  const std::vector<std::uint32_t> depth = schedule.arrivals(topology, true);
  Layer layer{.nodes = schedule.nodes()};
  std::vector<std::size_t> branch_of(schedule.nodes());
  std::vector<std::uint32_t> first;
  for (const Rank node : from_root_down(schedule, topology)) {
    layer.hops += depth[node];
    for (const Port port : schedule.children(node)) {
      const Rank child = topology.peer(node, port).rank;
      branch_of[child] = branch_of[node];
      if (node != 0) continue;
      branch_of[child] = layer.branches.size();
      layer.branches.push_back({.nodes = subtrees.size(child)});
      first.push_back(arrived[child]);
    }
    if (node == 0) continue;
    DrbtBranch& branch = layer.branches[branch_of[node]];
    const std::size_t step = arrived[node] - first[branch_of[node]];
    branch.need = std::max<std::uint64_t>(branch.need, step);
    branch.longest.resize(std::max(branch.longest.size(), step + 1));
    branch.longest[step] = std::max<Wide>(branch.longest[step], subtrees.size(node));
  }
  return layer;
}

/// The branch whose root has a layer below it, and branches over other layers.
DrbtBranch branch_with(const Layer& layer, const std::vector<DrbtBranch>& others, bool at_once) {
  std::vector<const DrbtBranch*> served;  // lower ports first
  for (const DrbtBranch& branch : others) served.push_back(&branch);
  for (const DrbtBranch& branch : layer.branches) served.push_back(&branch);
  std::ranges::stable_sort(served, std::greater(), &DrbtBranch::need);
  DrbtBranch whole{.nodes = layer.nodes};
  for (const DrbtBranch& branch : others) whole.nodes += branch.nodes;
  whole.longest.push_back(whole.nodes);
  for (std::size_t index = 0; index < served.size(); ++index) {
    const DrbtBranch& branch = *served[index];
    const std::size_t start = at_once ? 1 : index + 1;
    whole.need = std::max(whole.need, start + branch.need);
    whole.longest.resize(std::max(whole.longest.size(), start + branch.longest.size()));
    for (std::size_t step = 0; step < branch.longest.size(); ++step) {
      whole.longest[start + step] = std::max(whole.longest[start + step], branch.longest[step]);
    }
  }
  return whole;
}

/// Stage 1, over the 2^c layers: the root has a complete binary tree of c - 1 levels below it, and the spacer, which
/// has one.
DrbtBranch whole_tree(Port c, const Layer& layer, bool at_once) {
  const auto with = [&](const std::vector<DrbtBranch>& others) { return branch_with(layer, others, at_once); };
  if (c == 0) return with({});
  if (c == 1) return with({with({})});
  DrbtBranch complete = with({});
  for (Port levels = 2; levels < c; ++levels) complete = with({complete, complete});
  return with({with({complete}), complete});
}

/// Sum of the depths of the double-rooted tree of the c-cube.
Wide depths(Port c) { return c == 0 ? 0 : ((Wide{c} << c) - 3 * (Wide{1} << (c - 1))) + 2; }

}  // namespace

SubtreeRuns::SubtreeRuns(const TreeSchedule& schedule, const Topology& machine)
    : place_(schedule.nodes()), size_(schedule.nodes(), 1) {
  const std::vector<Rank> nodes = from_root_down(schedule, machine);
  for (std::size_t index = nodes.size(); index-- > 1;) {
    const Rank node = nodes[index];
    size_[machine.peer(node, schedule.parent(node)).rank] += size_[node];
  }
  for (const Rank node : nodes) {
    Rank next = place_[node] + 1;
    for (const Port port : schedule.children(node)) {
      const Rank child = machine.peer(node, port).rank;
      place_[child] = next;
      next += size_[child];
    }
  }
}

SubtreeMessages subtree_messages(const ReducedHypercube& rh, bool at_once) {
  const Port c = rh.layer_dimensions();
  const Layer layer = layer_of(rh, at_once);
  DrbtBranch tree = whole_tree(c, layer, at_once);
  tree.longest.erase(tree.longest.begin());  // the root receives nothing
  return {std::move(tree.longest), layer.nodes * depths(c) + (Wide{1} << c) * layer.hops};
}

}  // namespace lockstep::tree
