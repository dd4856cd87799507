#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "network/medium_network.hpp"
#include "processes/agreement.hpp"
#include "processes/border.hpp"
#include "processes/metered_processes.hpp"

namespace lockstep::detail {

/// The additional work of a run whose machine is divided over processes: at every barrier they exchange the messages
/// between them, and agree on the counts and on how the run continues. All processes call every function together.
///
/// Thread-safety: used at the barrier, by the calling thread alone.
class DividedRun {
 public:
  /// On the ground of a divided machine. One of `links` and `medium` is null. All arguments must outlive the run.
  DividedRun(const Ground& ground, LinkNetwork* links, MediumNetwork* medium, Ledger& ledger);
  DividedRun(const DividedRun&) = delete;
  DividedRun& operator=(const DividedRun&) = delete;

  /// Moves the cycle's messages to the receivers' processes. Returns how many messages are judged here: those that
  /// moved here, without those that left, with those that were received. Throws as Border::exchange() and
  /// MediumNetwork::unpack_cycle() do.
  std::uint64_t exchange(std::span<Worker> workers, std::span<const Visits> visited, Control* controls,
                         std::uint64_t moved);
  /// Agrees on the totals of the ledger and on how the run continues after the cycle of `now`; `own` returns the view
  /// of this process. Throws std::runtime_error if data between processes was lost or duplicated.
  template <class Own>
  void settle(const Own& own, Control* controls, Stamp now) {
    settle(own(), controls, now);
  }

  // As agreed last.
  bool has_too_many_phases(const Ledger&) const { return outlook_.has_too_many_phases; }
  template <class Asks>
  bool stops(const Asks&) const {
    return outlook_.stops;
  }
  std::optional<Cycle> next(const Scheduler&, Cycle) const { return outlook_.next; }

  /// Whether this process keeps the clocks of all processors, not only of those that it visits.
  bool keeps_all_clocks() const { return medium_ != nullptr; }

  /// Shares the first failure if a process has one.
  void share_failure(std::span<Worker> workers);
  /// Shares the processors' waits, before a run that cannot continue is diagnosed.
  void share_waits(Control* controls, const Network& network);
  /// The first undelivered message of all processes.
  LinkNetwork::Undelivered first(const LinkNetwork::Undelivered& own, const LinkNetwork& links);
  MediumNetwork::Undelivered first(const MediumNetwork::Undelivered& own);
  /// Completes the report with the values that combine all processes, and with their traffic.
  void settle(Report& report);

 private:
  void settle(const Outlook& own, Control* controls, Stamp now);

  MeteredProcesses processes_;
  const Division division_;
  const Ground& ground_;
  MediumNetwork* const medium_;
  std::vector<unsigned> others_;  // processes
  std::optional<Border> border_;  // of links
  Agreement agreement_;
  Outlook outlook_;
};

}  // namespace lockstep::detail
