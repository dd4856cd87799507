#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/entry_parts.hpp"

// What the methods of some-to-all and all-to-some share (johnsson-ho.md, Some to all). With --sources L the 2^L
// processors whose ranks are below 2^L are the few: each has a block for every processor, itself included, or every
// processor has one for each of them. All blocks together have --words words. The upper k = n - L dimensions lead to
// and from processors outside the few, the lower L between the few.
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
  std::uint64_t k;           ///< the other dimensions
  std::uint64_t pairs;       ///< of a source and a destination
  std::uint64_t block;       ///< words of the block of each pair
  std::uint64_t processors;  ///< 2^n
  std::uint64_t few;         ///< 2^l
};
Sizes sizes_of(const MachineSpec& machine, const Settings& settings);

/// Default and range of --sources.
void resolve_sources(const MachineSpec& machine, Settings& settings);
/// Default and range of --words: at least that many for each pair, and the same number for each.
void resolve_total_words(const MachineSpec& machine, Settings& settings, std::uint64_t least_block);

/// Bytes of the machine and of room for that many pieces, each a block or one of `parts` parts of it.
std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t parts = 1);

using MoveBlocks = std::function<Process(Processor<Bundle>&, Bundle& held)>;

/// Generates the blocks, runs move(self, held) on every processor, and compares what they hold in the end.
Outcome run(const RunRequest& request, Direction direction, const MoveBlocks& move);

/// Fills in the operation's names, the machines and the bound.
Method with_defaults(Method own, Direction direction);

/// Completes the entry of a schedule in that direction.
template <Direction direction, auto resolve, auto predict, auto run>
Method in_direction(Method own) {
  own.resolve = [](const MachineSpec& machine, const Model&, Settings& settings) {
    resolve(machine, settings, direction);
  };
  own.predict = [](const MachineSpec& machine, const Model& model, const Settings& settings) {
    return predict(machine, model, settings, direction);
  };
  own.run = [](const RunRequest& request) { return run(request, direction); };
  return with_defaults(std::move(own), direction);
}

/// The entries of a some-to-all and of the all-to-some that is the same schedule in reversed time, whose own entry
/// states only what else differs. The three functions take the direction as their last argument.
template <auto resolve, auto predict, auto run>
method::MethodPair and_all_to_some(Method some_to_all, Method all_to_some) {
  method::MethodPair pair = method::with_reverse(std::move(some_to_all), std::move(all_to_some));
  return {in_direction<Direction::some_to_all, resolve, predict, run>(std::move(pair[0])),
          in_direction<Direction::all_to_some, resolve, predict, run>(std::move(pair[1]))};
}

}  // namespace lockstep::some_to_all
