#pragma once

#include <functional>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "two_dimensional.hpp"

// What the two-dimensional transpositions share that move whole blocks, in one piece or in packets.
namespace lockstep::transpose {

/// The processor that holds the rank's block afterwards, transposed; both layouts are two-dimensional and consecutive,
/// in any codes.
Rank target_of_block(const matrix::Conversion& conversion, Port dimensions, Rank rank);

/// Carries out the moves: `held` has the blocks by rank, before and afterwards.
using MoveLabelledBlocks = std::function<Report(PerRank<LabelledBlock>& held)>;

/// Spreads the matrix, moves the blocks, transposes each at its destination, and verifies.
Outcome run_blocks(const RunRequest& request, const matrix::Conversion& conversion, const MoveLabelledBlocks& move);

/// For every bit of the row and column numbers, the highest first, the dimension of the row, then that of the column.
std::vector<Port> row_then_column(Port dimensions);

// Blocks in packets of --packet-words, in as many parts as they have paths of n hops, which all parts begin at once.

/// Counts of such a run.
Prediction predict_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                              std::uint32_t paths);
/// Bytes of such a run.
std::uint64_t bytes_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint32_t paths);

}  // namespace lockstep::transpose
