#include <algorithm>
#include <vector>

#include "cycles.hpp"
#include "lockstep/core/detail/mark_tree.hpp"
#include "scenarios.hpp"

namespace lockstep::model {

namespace {

/// The ranks that each thread marks in each cycle.
struct Marks {
  std::vector<Rank> received;
  std::vector<Rank> again;
};

/// Every worker marks its processors; the barrier finds each of them once, and the next cycle none of the last one's.
class Marking : public Cycles {
 public:
  Marking(Rank processors, std::vector<Marks> by_workers, unsigned cycles)
      : Cycles(static_cast<unsigned>(by_workers.size()), cycles), tree_(processors), marks_(std::move(by_workers)) {}

 private:
  void work(unsigned worker, unsigned) override {
    for (const Rank rank : marks_[worker].received) tree_.mark_received(rank);
    for (const Rank rank : marks_[worker].again) tree_.mark_again(rank);
  }

  void barrier(unsigned) override {
    Marks found;
    tree_.drain([&](const detail::MarkTree::Group& group) {
      for (Rank rank = 64 * group.index; rank < 64 * (group.index + 1); ++rank) {
        if ((group.received >> rank % 64 & 1) != 0) found.received.push_back(rank);
        if ((group.again >> rank % 64 & 1) != 0) found.again.push_back(rank);
      }
    });
    expect(found.received == all(&Marks::received), "the barrier finds other receivers than the marked ones");
    expect(found.again == all(&Marks::again), "the barrier finds other repeated visits than were requested");
  }

  std::vector<Rank> all(std::vector<Rank> Marks::*kind) const {
    std::vector<Rank> ranks;
    for (const Marks& marks : marks_) ranks.insert(ranks.end(), (marks.*kind).begin(), (marks.*kind).end());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
  }

  detail::MarkTree tree_;
  const std::vector<Marks> marks_;
};

}  // namespace

std::vector<Case> mark_tree_cases() {
  constexpr Rank two_levels = 64 * 65;
  constexpr Rank three_levels = 64 * 64 * 64 + 64;
  using All = std::vector<Marks>;
  return {make_case<Marking>("marks of one group", 2, two_levels, All{{{0, 1}, {2}}, {{1}, {2, 3}}}, 2U),
          make_case<Marking>("marks of two groups", 2, two_levels, All{{{0, 64}, {}}, {{65}, {1}}}, 1U),
          make_case<Marking>("marks of three markers", 3, two_levels, All{{{0}, {}}, {{}, {1}}, {{64 * 64}, {}}}, 1U),
          make_case<Marking>("marks of a tall tree", 2, three_levels, All{{{0}, {}}, {{64, 64 * 64 * 64}, {}}}, 1U)};
}

}  // namespace lockstep::model
