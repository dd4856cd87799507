#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep {

/// One element for each processor of a run, by rank. Where the machine is divided over processes, it has only those of
/// this process; others must not be accessed.
template <class T>
class PerRank {
 public:
  /// For the processors of a run.
  explicit PerRank(const RunRequest& request) : PerRank(request.topology.processors(), request.division) {}
  /// For `processors` processors; all of them if there is no division, which must otherwise outlive this.
  PerRank(Rank processors, const Division* division) : division_(division), elements_(count(processors, division)) {}

  /// The processor's element.
  T& operator[](Rank rank) { return elements_[place(rank)]; }
  /// The processor's element.
  const T& operator[](Rank rank) const { return elements_[place(rank)]; }

  /// Calls visit(rank, element) for each, in the order of ranks.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (Rank rank = 0, place = 0; place < elements_.size(); ++rank) {
      if (is_here(division_, rank)) visit(rank, elements_[place++]);
    }
  }
  /// All elements, in the order of ranks.
  auto begin() { return elements_.begin(); }
  /// Behind the last one.
  auto end() { return elements_.end(); }
  /// All elements, in the order of ranks.
  auto begin() const { return elements_.begin(); }
  /// Behind the last one.
  auto end() const { return elements_.end(); }

 private:
  static std::size_t count(Rank processors, const Division* division) {
    return division == nullptr ? processors : division->placement.count(division->processes.own());
  }
  std::size_t place(Rank rank) const {
    assert(is_here(division_, rank));
    return division_ == nullptr ? rank : division_->placement.place(rank);
  }

  const Division* division_;
  std::vector<T> elements_;
};

}  // namespace lockstep
