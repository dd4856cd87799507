#pragma once

#include <string>

#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// The faults of the run: "2 links to fail (drawn: 0-1 4-5), 1 straggler"; empty if there are none.
std::string fault_text(const run::RunRecord& record);

/// Who did not have what: "3 of 8 processors hold all that they should; not 2 4 5 6 7"; empty if all had it, or it is
/// not known.
std::string coverage_text(const run::RunRecord& record);

}  // namespace lockstep::cli::report
