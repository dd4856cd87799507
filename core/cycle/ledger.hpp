#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cycle/phase_names.hpp"
#include "lockstep/core/detail/network.hpp"
#include "lockstep/core/report.hpp"

namespace lockstep::detail {

/// The counts of one phase in one cycle by the processors of this process, or of all.
struct PhaseTotals {
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
  std::uint64_t longest = 0;
};

/// The same for all phases together, and the counts that belong to no phase.
struct Totals {
  Cycle cycle = 0;
  // Sums.
  std::uint64_t visited = 0;
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
  std::uint64_t saved_sends = 0;
  std::uint64_t extra_startups = 0;
  std::uint64_t delivered = 0;
  std::uint64_t taken = 0;
  std::uint64_t ended = 0;
  std::uint64_t copied_words = 0;
  std::uint64_t operations = 0;
  std::uint64_t scanned_blocks = 0;
  // The most of a message, or of a processor.
  std::uint64_t longest = 0;
  std::uint64_t most_copied = 0;
  std::uint64_t most_computed = 0;
  std::uint64_t most_scanned = 0;
  double costliest = 0;
  std::vector<PhaseTotals> phases{};  ///< by their numbers
};

/// How long a cycle with these totals takes on the synchronous clock, if its costliest message takes that long.
double synchronous_time(const Totals& totals, const CostModel& cost, double costliest);
/// How much of it processors compute.
double arithmetic_time(const Totals& totals, const CostModel& cost);

/// The counts of a run: the workers' tallies, gathered and booked at every barrier, and both modelled clocks.
class Ledger {
 public:
  explicit Ledger(bool record_cycles) : record_cycles_(record_cycles) {}

  PhaseNames& phase_names() { return phase_names_; }
  const PhaseNames& phase_names() const { return phase_names_; }

  /// Takes and clears the workers' counts of the cycle, in which this many processors were visited.
  void gather(Cycle cycle, std::uint64_t visited, const Ground& ground, std::span<Worker> workers);
  /// The gathered totals; between gather() and book() the counts of other processes are merged in.
  Totals& totals() { return totals_; }
  /// Adds the totals to the counts of the run.
  void book(const Ground& ground);
  /// Names the phases whose totals are booked from now on; the default is phase_names().
  void name_phases(std::vector<std::string> names) { names_ = std::move(names); }
  /// Records messages that an observer has withheld from their receivers or added.
  void observed(std::uint64_t taken_back, std::uint64_t delivered) { in_channels_ += delivered - taken_back; }
  /// The report of the run that ends, except for values that only its workers know.
  Report finish();

  // For the cycle gathered last.
  std::uint64_t moved() const { return totals_.messages; }  ///< messages
  std::uint64_t moved_words() const { return totals_.words; }

  // For the run so far.
  std::uint64_t steps() const { return report_.steps; }
  std::uint64_t messages() const { return report_.messages; }
  std::uint64_t in_channels() const { return in_channels_; }  ///< messages sent and not taken
  std::uint64_t ended() const { return ended_; }              ///< programs that have returned
  /// Whether a count has exceeded 64 bits, or may have because the amounts of one cycle were too great.
  bool has_overflowed() const { return has_overflowed_; }

 private:
  struct Phase {
    PhaseCounts counts;
    Cycle first_step = last_cycle;
  };

  void gather_phases(const Ground& ground, Worker& worker);
  void book_phases();
  /// Adds the `sum` of a cycle to a count: of `amounts` amounts, none above `most`.
  void add(std::uint64_t& count, std::uint64_t sum, std::uint64_t amounts, std::uint64_t most);

  const bool record_cycles_;
  PhaseNames phase_names_;
  std::vector<std::string> names_;  // of phases; empty: use phase_names_
  std::vector<Phase> phases_;
  Totals totals_;
  Report report_;
  std::uint64_t in_channels_ = 0;
  std::uint64_t ended_ = 0;
  bool has_overflowed_ = false;
};

/// Adds to a report the workers' values for the whole run.
void add_maxima(std::span<const Worker> workers, Report& report);

}  // namespace lockstep::detail
