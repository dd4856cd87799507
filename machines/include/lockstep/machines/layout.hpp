#pragma once

#include <vector>

#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/position.hpp"

namespace lockstep {

/// Where people draw the machine's processors, by rank: all at different places, the same on every host. Takes time and
/// memory in proportion to their number (times its logarithm).
///
///      hypercube         the 3-cube as below, 4 dimensions as two of it side by side, 5 as four, and so on
///      rh                the same, with more room between building blocks
///      path, mesh, torus a line or a grid, the last coordinate to the right, the one before it downwards; of three
///                        coordinates the first leads into the page, of more two at a time make a grid of grids
///      product           the last factor, once in each place of the others; of paths and rings as mesh and torus
///      ccc               a hypercube whose corners are circles
///      shuffle-exchange  columns of equally many ones, with a circle for the rotations of one another
///      star, pancake     n circles, one for each last symbol, around a circle; of three symbols one hexagon
///      graph             where its file says, if it does so for every node, and no two are at one place
///      bus, ..           a line: what the processors share has no place of its own
///      all others        a circle, rank 0 on top, clockwise
///
///          6-------7
///         /|      /|
///        4-------5 |
///        | 2-----|-3
///        |/      |/
///        0-------1
std::vector<Position> layout(const MachineSpec& spec);

}  // namespace lockstep
