#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/algorithms/run_program.hpp"

// Your own reductions. Before the run rank r holds a value a_r of --words words; afterwards the root must hold
// a_0 (+) a_1 (+) ... for the --operator (+), element by element.
namespace lockstep::reduce {

inline constexpr RankParameter root_parameter{{"root", "rank that holds the result in the end", "0"}, &Settings::root};

/// The entry of a reduction with its defaults filled in: the operation's names, its parameters, resolve() and bytes().
Method with_defaults(Method own);

/// Runs program(self, values, root, own) on every processor, where `own` is its value, and compares the root's result
/// with the values combined one after the other.
Outcome run(const RunRequest& request,
            Process (*program)(Processor<Block>&, const operands::NumberValues&, Rank, Block&));

/// The entry of your own reduction: every processor runs the program, whose value is its own at first.
/// values.combine(lower, higher) combines two, and operands::combine(self, values, lower, higher) charges that, too;
/// only with a commutative operator does their order not matter.
template <Process (*program)(Processor<Block>& self, const operands::NumberValues& values, Rank root, Block& own)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .run = [](const RunRequest& request) { return run(request, program); }});
}

}  // namespace lockstep::reduce
