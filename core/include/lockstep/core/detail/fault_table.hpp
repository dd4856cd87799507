#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "lockstep/core/faults.hpp"

namespace lockstep::detail {

/// The faults of a run for lookup, in time logarithmic in their number. Immutable, so every thread may read it.
class FaultTable {
 public:
  explicit FaultTable(const Faults& faults) {
    for (const LinkFault& fault : faults.links) note(links_, ordered(fault.a, fault.b), fault.from);
    for (const ProcessorFault& fault : faults.processors) note(processors_, fault.rank, fault.from);
    for (const Straggler& straggler : faults.stragglers) stragglers_[straggler.rank] = straggler.factor;
  }

  /// The cycle in which the processor fails; Faults::never if it does not.
  Cycle fails(Rank rank) const { return first_of(processors_, rank); }
  /// The first cycle in which two neighbours cannot send to each other; Faults::never if there is none.
  Cycle fails(Rank one, Rank other) const {
    return std::min({first_of(links_, ordered(one, other)), fails(one), fails(other)});
  }
  /// The factor by which the processor is slower than others: 1 if it is no straggler.
  double slowness(Rank rank) const {
    const auto known = stragglers_.find(rank);
    return known == stragglers_.end() ? 1.0 : known->second;
  }
  /// Whether any fault affects what `one` sends to `other`.
  bool concern(Rank one, Rank other) const { return fails(one, other) != Faults::never || stragglers_.contains(one); }

  /// Which processors fail, and when, by rank.
  const std::map<Rank, Cycle>& processors() const { return processors_; }

 private:
  static std::pair<Rank, Rank> ordered(Rank one, Rank other) { return std::minmax({one, other}); }
  template <class Key>
  static void note(std::map<Key, Cycle>& faults, const Key& key, Cycle from) {
    Cycle& first = faults.try_emplace(key, Faults::never).first->second;
    first = std::min(first, from);
  }
  template <class Key>
  static Cycle first_of(const std::map<Key, Cycle>& faults, const Key& key) {
    const auto known = faults.find(key);
    return known == faults.end() ? Faults::never : known->second;
  }

  std::map<std::pair<Rank, Rank>, Cycle> links_;  // the lower rank first
  std::map<Rank, Cycle> processors_;
  std::map<Rank, double> stragglers_;
};

}  // namespace lockstep::detail
