#pragma once

#include <functional>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_program.hpp"

// What the methods of some-to-all and all-to-some share (johnsson-ho.md, Some to all). With --sources L the 2^L
// processors whose ranks are below 2^L are the few: each has a block for everybody, itself included, or everybody has
// one for each of them. All blocks together have --words words. The upper k = n - L dimensions lead to and from
// processors that are not of the few, the lower L between those that are.
//
//      n = 3, L = 1     000 and 001 have 8 blocks each;   000 --2--> 100    001 --2--> 101    4 blocks a message
//                                                         000 --1--> 010    001 --1--> 011    2, and from 100, 101
//                                                         000 <-0-> 001     010 <-0-> 011     1, and so on
namespace lockstep::some_to_all {

enum class Direction { some_to_all, all_to_some };

inline constexpr NumberParameter words_parameter{
    {"words", "words of all blocks together, as many for every pair of a source and a destination",
     "one for every pair"},
    &Settings::words};
inline constexpr NumberParameter sources_parameter{
    {"sources", "L: the ranks below 2^L are those that have data for all", "n/2, rounded down"}, &Settings::sources};
inline constexpr Parameter destinations_parameter{"sources", "L: the ranks below 2^L are those that all have data for",
                                                  "n/2, rounded down"};

/// Sizes that the methods' counts are made of.
struct Sizes {
  std::uint64_t n;
  std::uint64_t l;           ///< the dimensions of the exchange
  std::uint64_t k;           ///< the other ones
  std::uint64_t pairs;       ///< of a source and a destination
  std::uint64_t block;       ///< words of the block of each pair
  std::uint64_t processors;  ///< 2^n
  std::uint64_t few;         ///< 2^l
};
Sizes sizes_of(const MachineSpec& machine, const Settings& settings);

/// Default and range of --sources.
void resolve_sources(const MachineSpec& machine, Settings& settings);
/// Default and range of --words: at least so many for each pair, and the same number for each.
void resolve_total_words(const MachineSpec& machine, Settings& settings, std::uint64_t least_block);

/// n steps; all processors of the few have, or lack, a block of everybody else, which have to pass their one port or
/// their n; and the n PQ/2 words that move share the links.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Bytes of the machine and of room for so many pieces, each a block or one of so many parts of it.
std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t parts = 1);

using MoveBlocks = std::function<Process(Processor<Bundle>&, Bundle& held)>;

/// Generates the blocks, runs move(self, held) on every processor, and compares what they hold in the end.
Outcome run(const RunRequest& request, Direction direction, const MoveBlocks& move);

}  // namespace lockstep::some_to_all
