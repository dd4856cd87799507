#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"
#include "spanning_trees.hpp"

// What the scatters of Johnsson & Ho share: blocks travel on spanning trees of the cube, every block as a whole on one
// or in parts on several (johnsson-ho.md, Scatter).
namespace lockstep::scatter {

inline constexpr Parameter words_of_trees_parameter{"words",
                                                    "words of the block of one processor, at least one for every tree",
                                                    "as many as trees, or as the numbers of --input give for each "
                                                    "processor"};

/// The trees among which every block is divided.
struct TreesParameter : Parameter {
  constexpr TreesParameter(std::string_view meaning_here, std::string_view otherwise)
      : Parameter{"trees", meaning_here, otherwise} {}

  /// Fills in `otherwise`, if they are not given, and checks that they are of `legal`; then the defaults and ranges of
  /// all other parameters. By default a block has a word for every tree, and it must not have fewer. Throws InputError.
  void resolve(const MachineSpec& machine, const Model& model, Settings& settings,
               const std::vector<std::uint64_t>& legal, std::uint64_t otherwise) const;
};

/// The numbers that divide n, ascending; of 0 only 1.
std::vector<std::uint64_t> divisors(std::uint64_t n);

/// Step by step everybody who has parts of a tree hands half of them on over the tree's next dimension, all that are
/// for the other side. No dimension may have the same place in the orders of two trees. A gather is that backwards:
/// half of those who have parts of a tree hand all of them to the other half.
Outcome run_halving(const RunRequest& request, const Forest& forest, Reading reading = Reading::forwards);

/// The parts for processors at distance d leave the root in cycle n - d, and all move in every cycle: reverse breadth
/// first. What goes over a link in a cycle is one message. A gather is that backwards: all parts leave in the first
/// cycle, and move in every cycle.
Outcome run_reverse_breadth_first(const RunRequest& request, const Forest& forest, Reading reading = Reading::forwards);

/// Counts of run_halving().
Prediction predict_halving(const MachineSpec& machine, const Model& model, const Forest& forest);

/// Counts of run_reverse_breadth_first() on trees that are not balanced.
Prediction predict_reverse_breadth_first(const MachineSpec& machine, const Model& model, const Forest& forest);

/// C(from, count).
Wide choose(Wide from, Wide count);

/// Bytes of the two, with blocks divided among so many trees.
std::uint64_t bytes_of_halving(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t trees);
std::uint64_t bytes_of_reverse_breadth_first(const MachineSpec& machine, const Model& model, const Settings& settings,
                                             std::uint64_t trees);

}  // namespace lockstep::scatter
