#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cycle/ledger.hpp"
#include "cycle/scheduler.hpp"
#include "lockstep/core/detail/machine_core.hpp"
#include "run/cost_clocks.hpp"
#include "run/machine_parts.hpp"

namespace lockstep::detail {

/// The programs of one run and the workers that visit them, cycle by cycle.
///
/// Thread-safety: within a cycle the workers call visit(), each for processors of its own; everything else is called
/// between cycles, by one thread.
class ProgramVisits {
 public:
  ProgramVisits(MachineParts& parts, Control* controls, bool is_observed, const RunOptions& options);
  ProgramVisits(const ProgramVisits&) = delete;
  ProgramVisits& operator=(const ProgramVisits&) = delete;
  /// After any end of a run, no coroutine and no message outlives it.
  ~ProgramVisits();

  /// Makes the programs of all processors of this process.
  void start(const MachineCore::Start& start);

 protected:
  Rank processors() const { return parts_.ground.topology.processors(); }

  /// Takes on the workers for the cycle, and stops the processors that fail when it begins.
  void begin_cycle(Cycle cycle) {
    active_ = std::span(workers_).first(workers_for(scheduler_.to_visit() + ledger_.moved_words() / 16));
    for (Worker& worker : active_) {
      worker.begin(cycle);
      worker.collided = false;
      worker.copied.latest = worker.computed.latest = worker.scanned.latest = nullptr;
      worker.crossings.clear();
      worker.readers.clear();
      worker.phases_left.clear();
      worker.charges.clear();
    }
    if (next_loss_ < losses_.size()) lose_processors(cycle);
  }
  /// Resumes the programs that are due.
  void visit_all();

  /// The cycle in which the next processor fails, if it is one of the run.
  std::optional<Cycle> next_loss() const {
    if (next_loss_ == losses_.size()) return {};
    const Cycle cycle = losses_[next_loss_].first;
    return cycle <= std::min(options_.max_cycles, last_cycle) ? std::optional(cycle) : std::nullopt;
  }
  /// The processors that have failed, in their order.
  std::vector<Rank> lost() const;

  MachineParts& parts_;
  const std::unique_ptr<CostClocks> clocks_;  // of several costs
  Control* const controls_;
  const RunOptions& options_;
  Scheduler scheduler_;
  Ledger ledger_;
  std::vector<Worker> workers_;
  std::span<Worker> active_;  // those that work in this cycle

 private:
  bool is_here(Rank rank) const { return lockstep::is_here(parts_.ground.division, rank); }
  void start_one(Worker& worker, Rank rank, const MachineCore::Start& start);
  /// How many workers share this much work.
  std::size_t workers_for(std::uint64_t work) const {
    if (parts_.executor.one_by_one()) return workers_.size();
    if (work < options_.share_from) return 1;
    const std::size_t busy = work / std::max<std::size_t>(1, options_.oversubscribe_from);
    return std::min(workers_.size(), std::max(parts_.cores, busy));
  }
  /// Stops the processors that fail when the cycle begins, or have failed since the one before.
  void lose_processors(Cycle cycle);
  void visit(Worker& worker, std::span<const Visits> visits);

  std::vector<std::pair<Cycle, Rank>> losses_;  // processors that fail, in their order
  std::size_t next_loss_ = 0;
};

}  // namespace lockstep::detail
