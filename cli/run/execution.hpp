#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "run_options.hpp"
#include "run_record.hpp"

namespace lockstep {
class RunObserver;
}

namespace lockstep::cli::run {

/// The record of a run before it starts.
RunRecord planned(const RunPlan& plan);
/// The same without the lower bound.
RunRecord predicted(const RunPlan& plan);

/// Throws InputError if a fault names something that the machine of the plan does not have.
void refuse_missing_faults(const RunPlan& plan, const Topology& topology);

/// Runs the record's plan as often as requested and completes the record. `settings_of` returns the settings of each
/// run, counted from 1; an observer is for a single run, and so are other costs, under which the report has times too
/// (RunOptions::other_costs). Throws std::logic_error if the digests of the runs differ, what Machine::run throws (the
/// record then has the counts up to a RunError), a RunError if the user interrupts, and InputError if the host cannot
/// start the threads.
void execute(const RunArguments& arguments, RunRecord& record,
             const std::function<Settings(std::uint64_t number)>& settings_of, const std::atomic<bool>& stop,
             RunObserver* observer = nullptr, std::span<const CostModel> other_costs = {});

}  // namespace lockstep::cli::run
