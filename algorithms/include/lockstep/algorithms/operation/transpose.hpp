#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/operation/matrix_data.hpp"
#include "lockstep/algorithms/run_program.hpp"

// Your own transpositions, one-dimensional ones. Before the run processor i holds the i-th of as many blocks of
// consecutive rows as there are processors; afterwards it holds the i-th block of rows of the transposed matrix. Its
// rows are cut by columns into a block for every processor, which is transposed before it is sent:
//
//         for 0 | for 1 | for 2 | for 3
//     0     00  |   01  |   02  |   03      processor 1 keeps 11, has 10, 12 and 13 for the others,
//     1     10  |   11  |   12  |   13      and must get 01, 21 and 31
//     2     20  |   21  |   22  |   23
//     3     30  |   31  |   32  |   33
namespace lockstep::transpose {

/// The entry of a transposition of rows with its defaults filled in: names, parameters, resolve() and bytes().
Method with_defaults(Method own);

/// Runs program(self, held) on every processor, where `held` has its blocks for the others, and compares the rows
/// assembled from its own block and its final `held` with the transposed matrix.
Outcome run(const RunRequest& request, Process (*program)(Processor<Bundle>&, Bundle&));

/// The entry of your own transposition: every processor runs the program, which holds its blocks for the others.
/// Processors are a power of two.
template <Process (*program)(Processor<Bundle>& self, Bundle& held)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .run = [](const RunRequest& request) { return run(request, program); }});
}

}  // namespace lockstep::transpose
