#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gossip.hpp"
#include "lockstep/algorithms/method.hpp"

// The messages of a gossip, whose values are combined as far as their receivers allow (any-graph.md, Gossip of sums).
namespace lockstep::parts {

/// The ranks whose values a rank needs in the end, combined.
enum class SumNeeded : std::uint8_t {
  all,        ///< every rank
  up_to_own,  ///< those up to itself
  before_own  ///< those before it
};

/// The ranks whose values may be combined.
enum class SumOrder : std::uint8_t {
  any,      ///< any: the operator commutes
  of_ranks  ///< consecutive ones, in order
};

/// Combined values of some ranks.
struct GossipSum {
  std::vector<Rank> ranks;     ///< whose values, ascending
  std::vector<Rank> partials;  ///< the sums that its sender combines, each named by its lowest rank, ascending
  bool replaces;               ///< these at the sender, which needs none of them alone from then on
};

struct GossipSumsMessage {
  Rank from;
  Rank to;
  std::vector<GossipSum> sums;  ///< one at least
};

/// The messages of every step, for every rank the sums that it combines in the end, each named by its lowest rank, and
/// how often two values are combined.
struct GossipSums {
  std::vector<std::vector<GossipSumsMessage>> steps;
  std::vector<std::vector<Rank>> results;
  Wide combinations = 0;       ///< of all ranks
  Wide most_combinations = 0;  ///< of one rank in a cycle, the most of any, over all cycles
};

/// The messages of gossip() with GossipMessage::all: from the last step to the first, values that a receiver need not
/// tell apart are combined. Kept for the next call.
std::shared_ptr<const GossipSums> gossip_sums(const MachineSpec& machine, const Model& model, SumNeeded needed,
                                              SumOrder order);

/// The order for the settings' operator.
SumOrder sum_order(const Settings& settings);

/// The counts of the plan.
Prediction predict_gossip_sums(const MachineSpec& machine, const Model& model, const Settings& settings,
                               SumNeeded needed);
/// Bytes of a run of the plan.
std::uint64_t bytes_of_gossip_sums(const MachineSpec& machine, const Model& model, const Settings& settings,
                                   SumNeeded needed);

}  // namespace lockstep::parts
