#pragma once

#include <functional>

#include "lockstep/algorithms/bundle.hpp"
#include "two_dimensional.hpp"

// What the two-dimensional transpositions share that move whole blocks, in one piece or in packets.
namespace lockstep::transpose {

/// The processor that holds the rank's block afterwards, transposed; both layouts are two-dimensional and consecutive,
/// in whatever codes.
Rank target_of_block(const Conversion& conversion, Port dimensions, Rank rank);

/// Carries out the moves: `held`, by rank, is what a processor has before, and afterwards.
using MoveBlocks = std::function<Report(std::vector<Piece>& held)>;

/// Spreads the matrix, moves the blocks, transposes each where it has come, and verifies.
Outcome run_blocks(const RunRequest& request, const Conversion& conversion, const MoveBlocks& move);

/// --packet-words for transpositions: its flag in lists.
inline constexpr Parameter packet_words_parameter{"packet-words", "words of a full packet; the last may be shorter",
                                                  "sqrt(K beta/((n-1) tau)), the better neighbour"};

}  // namespace lockstep::transpose
