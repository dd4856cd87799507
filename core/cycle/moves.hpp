#pragma once

#include <span>

#include "cycle/ledger.hpp"
#include "cycle/scheduler.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "network/medium_network.hpp"

namespace lockstep::detail {

/// A run between two cycles, as rules and diagnosis see it.
struct Moves {
  const Ground& ground;
  const LinkNetwork* links;     ///< null on a medium
  const MediumNetwork* medium;  ///< null on links
  const Scheduler& scheduler;
  const Ledger& ledger;
  const Control* controls;    ///< by rank
  std::span<Worker> workers;  ///< those that have worked in the cycle
  std::uint64_t received;     ///< messages of the cycle to processors of this process; on a medium, all
  bool crowded;               ///< under k_ports(): a processor was sent more messages than it may receive

  Cycle cycle() const { return workers.front().now; }
  Stamp stamp() const { return workers.front().stamp; }
  Rank processors() const { return ground.topology.processors(); }
};

}  // namespace lockstep::detail
