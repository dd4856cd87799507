#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/algorithms/run_program.hpp"

// Your own scans. Before the run rank r holds a value a_r of --words words; afterwards it must hold
// a_0 (+) a_1 (+) ... (+) a_r for the --operator (+), element by element.
namespace lockstep::scan {

/// The entry of a scan with its defaults filled in: the operation's names, its parameters, resolve() and bytes().
Method with_defaults(Method own);

/// Runs program(self, values, own) on every processor, where `own` is its value, and compares what each holds with the
/// values combined one after the other.
Outcome run(const RunRequest& request, Process (*program)(Processor<Block>&, const operands::NumberValues&, Block&));

/// The entry of your own scan: every processor runs the program, whose value is its own at first.
/// values.combine(lower, higher) combines two, and operands::combine(self, values, lower, higher) charges that, too;
/// only with a commutative operator does their order not matter.
template <Process (*program)(Processor<Block>& self, const operands::NumberValues& values, Block& own)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .run = [](const RunRequest& request) { return run(request, program); }});
}

}  // namespace lockstep::scan
