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

/// The state on which the processes of a divided run must agree at a barrier to continue, or to end, together.
struct Outlook {
  bool has_failed = false;  ///< a worker has recorded a failure
  bool has_delays = false;  ///< Border::has_delays()
  bool stops = false;       ///< a process was asked to stop
  bool has_too_many_phases = false;
  std::uint64_t balance = 0;    ///< Border::balance(); their sum
  std::optional<Cycle> next{};  ///< the next cycle in which a processor is visited
};

/// Gives all processes of a divided run the same counts and the same end: all of them call every function together.
/// Data that cannot be right throws std::runtime_error or std::out_of_range.
class Agreement {
 public:
  Agreement(const Division& division, Ledger& ledger) : division_(division), ledger_(ledger) {}

  /// Turns the ledger's totals, which have been gathered and not booked, and the outlook into those of all processes.
  void settle(Outlook& outlook);
  /// Turns the maxima and the traffic of a report into those of all processes.
  void settle(Report& report);
  /// Gives the first worker the first failure of all processes by (rank, kind), and the other workers none.
  void share_failure(std::span<Worker> workers);
  /// Fills in the records of the processors of other processes, among `processors` records, with their waits.
  void share_waits(Control* controls, Rank processors, const Network& network);
  /// The first of all processes, which must be on a link.
  LinkNetwork::Undelivered first(const LinkNetwork::Undelivered& own, const Network& network);
  /// The lowest rank over all processes.
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
