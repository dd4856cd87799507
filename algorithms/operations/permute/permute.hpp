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

/// The entry of a permutation with what it does not say: the operation's names, the cube, and all port models.
Method with_defaults(Method own);

/// The generated blocks, by rank, with their labels.
PerRank<LabelledBlock> generated_blocks(const RunRequest& request, const packets::NodePermutation& destination);

/// Compares what each rank holds with the blocks that were generated for it; fills in wrong, data_digest and
/// verify_seconds. `held` gives its pieces, for several threads at once, whose origins are those of generated_blocks.
void verify(const RunRequest& request, const packets::NodePermutation& destination,
            const std::function<std::vector<Piece>(Rank)>& held, Outcome& outcome);
/// The same where a rank holds at most one block, or one of no words.
void verify(const RunRequest& request, const packets::NodePermutation& destination, const PerRank<LabelledBlock>& held,
            Outcome& outcome);

/// At least so many steps as a block has links to cross; and of all words' links a cycle crosses at most as many as
/// messages can move in it. `link_sum` is the sum of the distances of all processors from their destinations.
LowerBound distance_bound(const MachineSpec& machine, const Model& model, const Settings& settings,
                          std::uint64_t largest, Wide link_sum);
/// The same for permutations of the dimensions. Half of the processors change every position that is moved.
LowerBound distance_bound(const MachineSpec& machine, const Model& model, const Settings& settings,
                          const DimensionPermutation& delta);

// Methods that swap bits, whole blocks in two steps a swap.

/// Counts of so many swaps: in every step half of the processors send. `formula` says how many swaps there are.
Prediction predict_swaps(const MachineSpec& machine, const Settings& settings, std::uint64_t swaps,
                         const std::string& formula);

/// Bytes of the machine and the blocks, of which a processor holds two while one passes through.
std::uint64_t bytes_of_swaps(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Runs the rounds and verifies that blocks have come where `destination` says.
Outcome run_swaps(const RunRequest& request, const std::vector<SwapRound>& rounds,
                  const packets::NodePermutation& destination);

}  // namespace lockstep::permute
