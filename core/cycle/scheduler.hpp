#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/detail/control.hpp"
#include "lockstep/core/detail/mark_tree.hpp"
#include "lockstep/core/detail/worker.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep::detail {

/// The processors to be visited among 64 neighbouring ones.
struct Visits {
  std::uint32_t group;
  std::uint64_t ranks;
};

/// Calls visit(rank) for every processor named, ascending.
template <class Visit>
void for_ranks(const Visits& group, Visit&& visit) {
  for (std::uint64_t ranks = group.ranks; ranks != 0;) {
    // By runs of neighbours, which are common, not bit by bit.
    const int first = std::countr_zero(ranks);
    const int count = std::countr_one(ranks >> first);
    const Rank from = group.group * 64 + static_cast<Rank>(first);
    for (Rank rank = from; rank < from + static_cast<Rank>(count); ++rank) visit(rank);
    ranks = first + count == 64 ? 0 : ranks >> (first + count) << (first + count);
  }
}

/// Which processors run in a cycle: all in the first, afterwards those that were sent a message, asked to be visited,
/// or wake from sleep. Marks of processors that another process holds are ignored.
class Scheduler {
 public:
  Scheduler(MarkTree& marks, Rank processors, const Division* division);

  /// Schedules every processor for the first cycle.
  void begin();
  /// Takes over the processors that went to sleep in this cycle.
  void gather_sleepers(Worker& worker);
  /// Cancels the waking of a processor that has failed.
  void forget(Rank rank);
  /// Finds the processors to be visited in `cycle`, the next one.
  void find_visits(Cycle cycle);
  /// Adds the processors that have been marked since.
  void find_more_visits();
  /// The next cycle, if a processor is to be visited then, else that of the first waking; none if all wait forever.
  std::optional<Cycle> next(Cycle cycle) const;

  std::span<const Visits> visits() const { return visits_; }
  /// The processors visited in the cycle that ends.
  std::span<const Visits> visited() const { return visited_; }
  /// visits() with one element per processor, for an executor that chooses their order.
  std::span<const Visits> single_visits();
  std::uint64_t to_visit() const { return to_visit_; }
  /// Processors that were sent a message in the cycle that ends.
  std::uint64_t receivers() const { return receivers_; }

 private:
  std::uint64_t here(std::uint32_t group) const { return here_.empty() ? ~std::uint64_t{0} : here_[group]; }
  void wake_sleepers(Cycle cycle);
  void drain_marks();

  MarkTree& marks_;
  const Rank processors_;
  std::vector<std::uint64_t> here_;              // by group; empty: all are here
  std::map<Cycle, std::vector<Rank>> sleepers_;  // by the cycle in which they wake
  std::vector<Visits> visits_;
  std::vector<Visits> visited_;
  std::vector<Visits> single_visits_;
  std::uint64_t to_visit_ = 0;
  std::uint64_t receivers_ = 0;
};

}  // namespace lockstep::detail
