#pragma once

#include <string>
#include <vector>

#include "bit_swaps.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"

// What the permute methods share: every processor has a block of --words words, for a processor of its own.
namespace lockstep::permute {

inline constexpr NumberParameter words_parameter{{"words", "words of every processor (K), at least 1", "1"},
                                                 &Settings::words};

/// Completes a permutation's entry: with the operation's names, the cube, and all port models.
Method with_defaults(Method own);

/// The generated blocks, by rank, with their labels.
PerRank<LabelledBlock> generated_blocks(const RunRequest& request, const packets::NodePermutation& destination);

/// Compares what each rank holds with the blocks that were generated for it; fills in wrong, data_digest and
/// verify_seconds. `held` gives a rank's pieces, whose origins are those of generated_blocks; several threads call it
/// at once.
void verify(const RunRequest& request, const packets::NodePermutation& destination,
            const std::function<std::vector<Piece>(Rank)>& held, Outcome& outcome);
/// As above, where a rank holds at most one block, or one of no words.
void verify(const RunRequest& request, const packets::NodePermutation& destination, const PerRank<LabelledBlock>& held,
            Outcome& outcome);

/// At least as many steps as a block has links to cross; and a cycle crosses at most as many of all words' links as
/// messages can move in it. `link_sum` is the sum of the distances of all processors from their destinations.
LowerBound distance_bound(const MachineSpec& machine, const Model& model, const Settings& settings,
                          std::uint64_t largest, Wide link_sum);
/// As above, for permutations of the dimensions. Half of the processors change every position that is moved.
LowerBound distance_bound(const MachineSpec& machine, const Model& model, const Settings& settings,
                          const DimensionPermutation& delta);

// Methods that swap bits, whole blocks in two steps a swap.

/// Counts of that many swaps: in every step half of the processors send. `formula` states the number of swaps.
Prediction predict_swaps(const MachineSpec& machine, const Settings& settings, std::uint64_t swaps,
                         const std::string& formula);

/// Bytes of the machine and the blocks, of which a processor holds two while one passes through.
std::uint64_t bytes_of_swaps(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Runs the rounds and verifies that blocks have come to their `destination`.
Outcome run_swaps(const RunRequest& request, const std::vector<SwapRound>& rounds,
                  const packets::NodePermutation& destination);

}  // namespace lockstep::permute
