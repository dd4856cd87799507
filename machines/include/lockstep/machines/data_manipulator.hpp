#pragma once

#include <optional>
#include <span>

#include "lockstep/core/medium.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

// The data manipulator of k = 2^n lines (Saad & Schultz; saad-schultz-1988.md, Data manipulator): n stages of k cells,
// each of which forwards one message. In stage t, from 0, the cell of line j passes it to line j, j + 2^(n-1-t) or
// j - 2^(n-1-t) (mod k). Every cell is set independently, so a message has several paths.
//
//      0 ---o-----o--- 0        k = 4: the first stage leads to the same line or to that half round,
//      1 ---o-----o--- 1        the second to the same or to a neighbour, line 3 being one of line 0
//      2 ---o-----o--- 2
//      3 ---o-----o--- 3

/// None if all these messages pass at once, over paths of which no two share a line after any stage. Else the lowest
/// stage up to which they do not pass, with the first and the last message of a shortest run, in the order of the
/// senders, that does not pass; of several runs the one that ends earliest. The crossings are ordered by sender, no
/// sender and no receiver occurs twice, and all are below `lines`, a power of two.
///
/// After a stage a message has at most two places, and its place after one stage rules out at most one after the next:
/// whether all pass is a 2-satisfiability problem, solved in time proportional to n k. A refusal takes about n times as
/// long.
std::optional<Blocking> data_manipulator_blocking(Rank lines, std::span<const Crossing> crossings);

}  // namespace lockstep
