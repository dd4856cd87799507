#pragma once

#include <string>

#include "host/terminal.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "run/run_record.hpp"
#include "schedule_format.hpp"

namespace lockstep::cli::report {

/// The text report of a run: one screen.
std::string human_report(const run::RunRecord& record, const host::Style& style);

/// The text report of a run that an error ended in that cycle: counts, faults and coverage.
std::string cut_off_report(const run::RunRecord& record, Cycle cycle, const host::Style& style);

/// A table of what moved in every cycle; for a long run, the first 20 and the last 5 cycles.
std::string cycle_table(const Report& report, const host::Style& style);

/// One line about a schedule that has been written to a file.
std::string chunk_plan_line(const std::string& file, const ScheduleText& schedule, const run::RunRecord& record);
/// The same for a schedule of blocks.
std::string plan_line(const std::string& file, const Schedule& schedule, const run::RunRecord& record);

}  // namespace lockstep::cli::report
