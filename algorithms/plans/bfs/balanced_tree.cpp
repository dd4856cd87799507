#include "balanced_tree.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/machines/topologies.hpp"

namespace lockstep::bfs {

/// The nodes of a level, and the branches that each can join.
struct BalancedTree::Level {
  struct Choice {
    Rank branch;
    End end;    ///< the neighbour in it, and its port
    Port port;  ///< that leads there
  };
  std::vector<Rank> members;
  std::vector<std::vector<Choice>> choices;  ///< by member; branches differ
  std::vector<std::size_t> chosen;           ///< by member
};

BalancedTree::BalancedTree(const MachineSpec& machine, Rank root) : nodes_(machine.processors), root_(root) {
  const Topology::Wiring end = wiring(machine);
  const auto ports = static_cast<Port>(machine.ports);
  nodes_[root].depth = 0;
  std::vector<std::uint64_t> sizes;
  std::size_t reached = 1;
  for (std::vector<Rank> last{root}; !last.empty();) {
    Level level;
    for (const Rank node : last) {
      for (Port port = 0; port < ports; ++port) {
        const End there = end(node, port);
        if (!there || nodes_[there.rank].depth != no_rank) continue;
        nodes_[there.rank].depth = nodes_[node].depth + 1;
        level.members.push_back(there.rank);
      }
    }
    for (const Rank node : level.members) {
      auto& choices = level.choices.emplace_back();
      for (Port port = 0; port < ports; ++port) {
        const End there = end(node, port);
        if (!there || nodes_[there.rank].depth + 1 != nodes_[node].depth) continue;
        const Rank branch = there.rank == root ? branches_++ : nodes_[there.rank].branch;
        if (there.rank == root) sizes.push_back(0);
        if (std::ranges::find(choices, branch, &Level::Choice::branch) == choices.end()) {
          choices.push_back({branch, there, port});
        }
        if (there.rank == root) break;  // of several links to the root one is enough
      }
    }
    attach(level, sizes);
    reached += level.members.size();
    last = std::move(level.members);
  }
  if (reached != nodes_.size()) throw std::logic_error("a machine that is not connected");
}

// First every node joins the least of its branches. Then, as long as the largest branch can be relieved, nodes change
// their branches along a chain that ends at one with at least two nodes less.
void BalancedTree::attach(Level& level, std::vector<std::uint64_t>& sizes) {
  constexpr std::size_t none = ~std::size_t{0};
  level.chosen.resize(level.members.size());
  const auto branch_of = [&](std::size_t member) { return level.choices[member][level.chosen[member]].branch; };
  for (std::size_t member = 0; member < level.members.size(); ++member) {
    const auto& choices = level.choices[member];
    const auto least =
        std::ranges::min_element(choices, {}, [&](const Level::Choice& one) { return sizes[one.branch]; });
    level.chosen[member] = static_cast<std::size_t>(least - choices.begin());
    ++sizes[least->branch];
  }
  std::vector<std::vector<std::size_t>> members_of(sizes.size());
  for (std::size_t member = 0; member < level.members.size(); ++member) members_of[branch_of(member)].push_back(member);
  struct Change {
    std::size_t member = none;
    std::size_t choice = 0;
  };
  while (true) {
    const auto largest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
    if (sizes.empty()) break;
    std::vector<Change> reached_by(sizes.size());
    std::vector<std::size_t> found{largest};
    std::size_t end = none;
    for (std::size_t next = 0; next < found.size() && end == none; ++next) {
      for (const std::size_t member : members_of[found[next]]) {
        const auto& choices = level.choices[member];
        for (std::size_t choice = 0; choice < choices.size() && end == none; ++choice) {
          const Rank to = choices[choice].branch;
          if (to == largest || reached_by[to].member != none) continue;
          reached_by[to] = {member, choice};
          found.push_back(to);
          if (sizes[to] + 2 <= sizes[largest]) end = to;
        }
      }
    }
    if (end == none) break;
    ++sizes[end];
    --sizes[largest];
    while (end != largest) {
      const auto [member, choice] = reached_by[end];
      const Rank from = branch_of(member);
      std::erase(members_of[from], member);
      members_of[end].push_back(member);
      level.chosen[member] = choice;
      end = from;
    }
  }
  for (std::size_t member = 0; member < level.members.size(); ++member) {
    const Level::Choice& choice = level.choices[member][level.chosen[member]];
    Node& node = nodes_[level.members[member]];
    node.branch = choice.branch;
    node.parent = choice.end.rank;
    node.parent_port = choice.port;
    node.port_from_parent = choice.end.port;
  }
}

Wide BalancedTree::bytes(const MachineSpec& machine) {
  // In the widest level every node may have a choice for each of its ports.
  return Wide{machine.processors} * (sizeof(Node) + 8 * sizeof(Rank) + machine.ports * sizeof(Level::Choice));
}

}  // namespace lockstep::bfs
