#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cycle/ledger.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep::detail {

/// What the processes of a divided run have to know at a barrier to go on, or to end, together.
struct Outlook {
  bool has_failed = false;  ///< a worker has recorded a failure
  bool has_delays = false;  ///< Border::has_delays()
  bool stops = false;       ///< somebody was asked to stop
  bool has_too_many_phases = false;
  std::uint64_t balance = 0;    ///< Border::balance(); their sum
  std::optional<Cycle> next{};  ///< the next cycle in which somebody is visited
};

/// Where the processes of a divided run come to the same counts and the same end: every function is called by all of
/// them together. They throw std::runtime_error, or std::out_of_range, of what cannot be true.
class Agreement {
 public:
  Agreement(const Division& division, Ledger& ledger) : division_(division), ledger_(ledger) {}

  /// Makes the ledger's totals, which have been gathered and not booked, and the outlook those of all processes.
  void settle(Outlook& outlook);
  /// Makes what a report has the maximum of, and the traffic, that of all.
  void settle(Report& report);
  /// Leaves the first failure of all by (rank, kind) with the first worker, and none with the others.
  void share_failure(std::span<Worker> workers);
  /// Writes what the processors of other processes wait for into their records, of `processors` in all, which the
  /// network joins.
  void share_waits(Control* controls, Rank processors, const Network& network);
  /// The first of all, which must be of a link.
  LinkNetwork::Undelivered first(const LinkNetwork::Undelivered& own, const Network& network);
  /// The lowest rank of all.
  Rank least(Rank own);

 private:
  void settle_phases(Totals& totals);
  void name_phases();

  const Division& division_;
  Ledger& ledger_;
  std::vector<std::string> names_;    // of phases, as all processes number them
  std::vector<std::size_t> numbers_;  // of phases that this process has named, by its own numbers
};

}  // namespace lockstep::detail
