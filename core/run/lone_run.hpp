#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cycle/ledger.hpp"
#include "cycle/scheduler.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "network/medium_network.hpp"

namespace lockstep::detail {

/// A run in one process, which agrees with nobody: the functions of DividedRun, with nothing to do.
class LoneRun {
 public:
  LoneRun(const Ground&, const LinkNetwork*, const MediumNetwork*, const Ledger&) {}

  static std::uint64_t exchange(std::span<Worker>, std::span<const Visits>, Control*, std::uint64_t moved) {
    return moved;
  }
  template <class Own>
  static void settle(const Own&, Control*, Stamp) {}
  static void settle(Report&) {}

  static bool has_too_many_phases(const Ledger& ledger) { return ledger.phase_names().too_many(); }
  template <class Asks>
  static bool stops(const Asks& asks) {
    return asks();
  }
  static std::optional<Cycle> next(const Scheduler& scheduler, Cycle cycle) { return scheduler.next(cycle); }
  static bool keeps_all_clocks() { return false; }

  static void share_failure(std::span<Worker>) {}
  static void share_waits(Control*, const Network&) {}
  static const LinkNetwork::Undelivered& first(const LinkNetwork::Undelivered& own, const LinkNetwork&) { return own; }
  static const MediumNetwork::Undelivered& first(const MediumNetwork::Undelivered& own) { return own; }
};

}  // namespace lockstep::detail
