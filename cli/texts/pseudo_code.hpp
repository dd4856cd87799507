#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "run/run_plan.hpp"
#include "run/trace.hpp"

namespace lockstep::cli::texts {

using host::counted;
using host::joined;
using run::RunPlan;
using run::Trace;
using run::TracedCycle;
using run::TracedMessage;

/// A method as a program that all processors execute in lock step, with the current line in each cycle of a run.
struct PseudoCode {
  struct Step {
    Cycle cycle = 0;
    std::size_t line = 0;  ///< from 0
    std::string values;    ///< of the variables of that line, "i = 2: 4 holders"; may be empty
  };

  std::string why;  ///< why the method works
  std::vector<std::string> lines;
  std::vector<Step> steps;  ///< by ascending cycle
};

/// The program of the plan's method with a step for every cycle of the trace up to the method's end. Empty for methods
/// without one, for methods of a guest, and for options under which the current line is not known.
std::optional<PseudoCode> pseudo_code_of(const RunPlan& plan, const Trace& trace);

/// {"lines": [..], "cycles": [[cycle, line, values], ..], "why": ".."}
nlohmann::ordered_json json_of(const PseudoCode& code);

}  // namespace lockstep::cli::texts
