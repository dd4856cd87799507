#pragma once

#include "lockstep/machines/embedding.hpp"

namespace lockstep {

// Each fills in places, map, source and what is known of the links; host, guest and, but for a tree, machine are there.
// False if it knows no such embedding; InputError if it is one of a wrong size.

/// Throws InputError if the host is too large for a table of places.
void refuse_large_table(const Embedding& made);

/// Grids at Gray codes.
bool embed_in_hypercube(Embedding& made);
/// The hypercube, cube-connected cycles, a ring or path.
bool embed_in_reduced_hypercube(Embedding& made);
/// The complete graph of as many processors, in any connected machine with links; the host's paths, if there are none
/// yet, are shortest ones over the lowest ports.
bool embed_complete(Embedding& made);
/// The complete binary tree of all processors but one, numbered from the root by levels; also processors, ports and
/// wiring.
void embed_tree(Embedding& made);

}  // namespace lockstep
