#pragma once

#include <atomic>
#include <functional>

#include "run_options.hpp"
#include "run_record.hpp"

namespace lockstep {
class RunObserver;
}

namespace lockstep::cli::run {

/// What is known of a run before it.
RunRecord planned(const RunPlan& plan);

/// Throws InputError if something is to fail that the machine of the plan does not have.
void refuse_faults_of_others(const RunPlan& plan, const Topology& topology);

/// Runs what the record plans as often as was asked for and completes it. `settings_of` has the settings of each run,
/// which are numbered from 1; an observer is for a single run. All runs must come to the same digest; std::logic_error
/// if they do not. Throws what Machine::run throws, a RunError if the user asks to stop, and InputError if the host
/// cannot start the threads.
void execute(const RunArguments& arguments, RunRecord& record,
             const std::function<Settings(std::uint64_t number)>& settings_of, const std::atomic<bool>& stop,
             RunObserver* observer = nullptr);

}  // namespace lockstep::cli::run
