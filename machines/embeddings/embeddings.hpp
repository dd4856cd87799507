#pragma once

#include "lockstep/machines/embedding.hpp"

namespace lockstep {

// Each fills in places, map, source and the known facts about the links; host, guest and, except for a tree, machine
// are set already. Returns false if it knows no such embedding; throws InputError if the guest has the wrong size.

/// Throws InputError if the host is too large for a table of places.
void refuse_large_table(const Embedding& made);

/// Grids at Gray codes.
bool embed_in_hypercube(Embedding& made);
/// The hypercube, cube-connected cycles, a ring or path.
bool embed_in_reduced_hypercube(Embedding& made);
/// The complete graph with the same number of processors, in any connected machine with links; the host's paths, if not
/// set yet, become shortest ones over the lowest ports.
bool embed_complete(Embedding& made);
/// The complete binary tree of all processors but one, numbered from the root by levels; sets processors, ports and
/// wiring too.
void embed_tree(Embedding& made);

}  // namespace lockstep
