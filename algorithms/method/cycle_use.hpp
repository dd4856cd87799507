#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::method {

/// The ports and links in use in a cycle, for planners that arbitrate.
class CycleUse {
 public:
  /// Under that model, which must outlive this; nothing is in use.
  CycleUse(const Model& model, Rank processors)
      : model_(model), sends_to_(processors, no_rank), receives_from_(processors, no_rank) {}

  /// Starts the next cycle.
  void begin() {
    for (const auto& [from, to] : links_) {
      sends_to_[from] = no_rank;
      receives_from_[to] = no_rank;
    }
    links_.clear();
  }

  /// Whether the model still allows that message.
  bool may_send(Rank from, Rank to) const {
    if (model_.ports == PortModel::all) {
      if (links_.contains({from, to})) return false;
    } else if (sends_to_[from] != no_rank || receives_from_[to] != no_rank) {
      return false;
    }
    if (model_.ports == PortModel::one_strict) {
      if (receives_from_[from] != no_rank && receives_from_[from] != to) return false;
      if (sends_to_[to] != no_rank && sends_to_[to] != from) return false;
    }
    if (model_.duplex == Duplex::half_link && links_.contains({to, from})) return false;
    return model_.duplex != Duplex::half_node || (receives_from_[from] == no_rank && sends_to_[to] == no_rank);
  }

  /// Whether the processor has sent all that the model allows.
  bool has_sent(Rank rank) const { return model_.ports != PortModel::all && sends_to_[rank] != no_rank; }

  /// Marks what that message uses as in use.
  void send(Rank from, Rank to) {
    sends_to_[from] = to;
    receives_from_[to] = from;
    links_.emplace(from, to);
  }

 private:
  const Model& model_;
  std::vector<Rank> sends_to_;  // one of them, if there are several
  std::vector<Rank> receives_from_;
  std::set<std::pair<Rank, Rank>> links_;
};

}  // namespace lockstep::method
