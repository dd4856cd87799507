#include "farthest_first.hpp"

#include <algorithm>
#include <numeric>

namespace lockstep::bfs {

Departures::Departures(const BalancedTree& tree, bool at_once) : leaves_(tree.nodes()), order_(tree.nodes()) {
  std::iota(order_.begin(), order_.end(), Rank{0});
  std::erase(order_, tree.root());
  std::ranges::stable_sort(order_, std::ranges::greater{}, [&](Rank node) { return tree.depth(node); });
  std::vector<Cycle> next(at_once ? tree.branches() : 1);
  for (const Rank node : order_) {
    leaves_[node] = next[at_once ? tree.branch(node) : 0]++;
    steps_ = std::max(steps_, leaves_[node] + tree.depth(node));
    hops_ += tree.depth(node);
  }
  std::ranges::stable_sort(order_, {}, [&](Rank node) { return leaves_[node]; });
}

}  // namespace lockstep::bfs
