#pragma once

#include <string>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::permute {

/// Reads a permutation of the ranks from a text file: as many ranks as there are processors, separated by white space,
/// the one at place x being the destination of processor x. Throws InputError, one line that names the file.
std::vector<Rank> read_rank_permutation(const std::string& path, Rank processors);

}  // namespace lockstep::permute
