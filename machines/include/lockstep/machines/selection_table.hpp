#pragma once

#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Over which dimension of the n-cube a processor receives each token: the token of a source whose address differs from
/// its own in the bits of `relative` arrives over dimension table[relative], where `relative` always has a one, so that
/// the neighbour is nearer to the source. relative = 1 .. 2^n - 1; entry 0 is unused. The same at all processors.
///
/// The tokens of each distance i are distributed as evenly as possible: at most ceil(C(n,i)/n) per dimension. So are
/// those of the distances i and i+1 together. Saad & Schultz 1985, section 4.3, repaired for addresses that some
/// rotation leaves as they are (saad-schultz-1985.md, TEA2, Errata A3). n is at most 31.
///
///      n = 3, bits of relative      001 010 100 | 011 110 101 | 111
///      dimension                     0   1   2  |  0   1   2  |  0
std::vector<Port> selection_table(Port n);

}  // namespace lockstep
