#include "two_tree.hpp"

#include <bit>
#include <set>

namespace lockstep::tree {
namespace {

/// The parent of a node in the tree on the nodes 1 to `last` whose root is the largest power of two among them and
/// whose subtrees are similar, in order; 0 for the root. All odd nodes are leaves.
Rank in_order_parent(Rank node, Rank last) {
  if (node == std::bit_floor(last)) return 0;
  const Rank low = node & (~node + 1);
  const Rank right_above = (node ^ low) | (low << 1);
  return right_above <= last ? right_above : node ^ low;
}

}  // namespace

TwoTree::TwoTree(Rank ranks) {
  const Rank last = ranks - 1;
  // The second tree is the first mirrored, or, where that would be the same again, one place back.
  const auto place = [&](std::size_t tree, Rank node) -> Rank {
    if (tree == 0 || node == 0) return node;
    if (ranks % 2 != 0) return last + 1 - node;
    return node == 1 ? last : node - 1;
  };
  for (std::size_t tree = 0; tree < trees; ++tree) {
    parents_[tree].assign(ranks, no_rank);
    children_[tree].assign(ranks, {no_rank, no_rank});
    arrivals_[tree].assign(ranks, 0);
    for (Rank node = 1; node <= last; ++node) {
      const Rank rank = place(tree, node);
      const Rank parent = place(tree, in_order_parent(node, last));
      parents_[tree][rank] = parent;
      auto& [first, second] = children_[tree][parent];
      (first == no_rank ? first : second) = rank;
    }
  }
  if (ranks == 1) return;

  // The edge to a rank in a tree has another colour than the edge to its sibling, and than the edge to the rank in the
  // other tree; so one colour decides those of a chain of edges, or of a ring, which has an even number.
  constexpr std::uint8_t none = 2;
  std::array<std::vector<std::uint8_t>, trees> colours{std::vector(ranks, none), std::vector(ranks, none)};
  struct Edge {
    std::size_t tree;
    Rank to;
    std::uint8_t colour;
  };
  std::vector<Edge> waiting;
  const auto colour_all_from = [&](Rank to) {
    waiting.push_back({0, to, 0});
    while (!waiting.empty()) {
      const auto [tree, rank, colour] = waiting.back();
      waiting.pop_back();
      if (rank == no_rank || colours[tree][rank] != none) continue;
      colours[tree][rank] = colour;
      const auto other = static_cast<std::uint8_t>(1 - colour);
      waiting.push_back({1 - tree, rank, other});
      const Rank parent = parents_[tree][rank];
      const auto& [first, second] = children_[tree][parent];
      if (parent == 0) {
        waiting.push_back({1 - tree, children_[1 - tree][0][0], other});
      } else {
        waiting.push_back({tree, first == rank ? second : first, other});
      }
    }
  };
  colour_all_from(children_[0][0][0]);  // its first packet arrives in step 0
  for (Rank rank = 1; rank <= last; ++rank) colour_all_from(rank);
  for (std::size_t tree = 0; tree < trees; ++tree) {
    std::vector<Rank> reached{0};
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const Rank rank = reached[next];
      for (const Rank child : children_[tree][rank]) {
        if (child == no_rank) continue;
        const std::uint32_t earliest = rank == 0 ? 0 : arrivals_[tree][rank] + 1;
        arrivals_[tree][child] = earliest + (earliest % 2 != colours[tree][child] ? 1 : 0);
        reached.push_back(child);
      }
    }
  }
}

std::vector<std::vector<std::uint64_t>> TwoTree::offsets() const {
  std::vector<std::vector<std::uint64_t>> offsets;
  for (const auto& arrivals : arrivals_) {
    const std::set<std::uint64_t> different(arrivals.begin() + 1, arrivals.end());
    offsets.emplace_back(different.begin(), different.end());
  }
  return offsets;
}

std::uint64_t TwoTree::bytes(std::uint64_t ranks) {
  return ranks * trees * (sizeof(Rank) + sizeof(std::array<Rank, 2>) + sizeof(std::uint32_t) + 1);
}

}  // namespace lockstep::tree
