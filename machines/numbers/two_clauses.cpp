#include "numbers/two_clauses.hpp"

#include <algorithm>

namespace lockstep {

namespace {

constexpr std::size_t unseen = ~std::size_t{0};

/// Strongly connected components of a directed graph, by Tarjan's algorithm with an explicit stack, since chains of
/// implications can be as long as the list of messages.
class Components {
 public:
  Components(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& arcs)
      : first_(nodes + 1), ends_(arcs.size()), number_(nodes, unseen), lowest_(nodes), part_(nodes, unseen) {
    for (const auto& [from, to] : arcs) ++first_[from + 1];
    for (std::size_t node = 0; node < nodes; ++node) first_[node + 1] += first_[node];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const auto& [from, to] : arcs) ends_[next[from]++] = to;
    for (std::size_t node = 0; node < nodes; ++node) {
      if (number_[node] == unseen) walk_from(node);
    }
  }

  std::size_t part_of(std::size_t node) const { return part_[node]; }

 private:
  struct Place {
    std::size_t node;
    std::size_t arc;  // the next one to follow
  };

  void enter(std::size_t node) {
    number_[node] = lowest_[node] = entered_++;
    open_.push_back(node);
    way_.push_back({node, first_[node]});
  }

  void walk_from(std::size_t start) {
    enter(start);
    while (!way_.empty()) {
      Place& here = way_.back();
      if (here.arc == first_[here.node + 1]) {
        leave(here.node);
        continue;
      }
      const std::size_t from = here.node;
      const std::size_t to = ends_[here.arc++];
      if (number_[to] == unseen) {
        enter(to);
      } else if (part_[to] == unseen) {
        lowest_[from] = std::min(lowest_[from], number_[to]);
      }
    }
  }

  void leave(std::size_t node) {
    way_.pop_back();
    if (!way_.empty()) lowest_[way_.back().node] = std::min(lowest_[way_.back().node], lowest_[node]);
    if (lowest_[node] != number_[node]) return;
    std::size_t last = unseen;
    while (last != node) {
      last = open_.back();
      open_.pop_back();
      part_[last] = node;
    }
  }

  std::vector<std::size_t> first_;  // of a node's arcs among ends_
  std::vector<std::size_t> ends_;
  std::vector<std::size_t> number_;
  std::vector<std::size_t> lowest_;
  std::vector<std::size_t> part_;
  std::size_t entered_ = 0;
  std::vector<std::size_t> open_;
  std::vector<Place> way_;
};

}  // namespace

void TwoClauses::at_most_one(const std::vector<Literal>& literals) {
  // One variable per literal states whether any literal up to it holds, so that the conditions grow with the literals,
  // not with their pairs.
  std::size_t before = 0;
  for (std::size_t index = 0; index < literals.size(); ++index) {
    const std::size_t so_far = add();
    imply(literals[index], {so_far, true});
    if (index > 0) {
      imply({before, true}, {so_far, true});
      imply({before, true}, !literals[index]);
    }
    before = so_far;
  }
}

bool TwoClauses::can_hold() const {
  const Components parts(2 * variables_, arcs_);
  for (std::size_t variable = 0; variable < variables_; ++variable) {
    if (parts.part_of(2 * variable) == parts.part_of(2 * variable + 1)) return false;
  }
  return true;
}

}  // namespace lockstep
