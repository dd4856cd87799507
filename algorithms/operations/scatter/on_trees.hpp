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

  /// Fills in `otherwise`, if no number is given, and checks that it is among `legal`; then the defaults and ranges of
  /// all other parameters. By default a block has a word for every tree, and it must not have fewer. Throws InputError.
  void resolve(const MachineSpec& machine, const Model& model, Settings& settings,
               const std::vector<std::uint64_t>& legal, std::uint64_t otherwise) const;
};

/// The numbers that divide n, ascending; only 1 for 0.
std::vector<std::uint64_t> divisors(std::uint64_t n);

/// Step by step every holder of parts of a tree sends half of them over the tree's next dimension, all that are for the
/// other side. No dimension may have the same place in the orders of two trees. A gather is the reverse: half of the
/// holders of parts of a tree send all of them to the other half.
Outcome run_halving(const RunRequest& request, const Forest& forest, Reading reading = Reading::forwards);

/// The parts for processors at distance d leave the root in cycle n - d, and all move in every cycle: reverse breadth
/// first. All parts that cross a link in a cycle are one message. A gather is the reverse: all parts leave in the first
/// cycle, and move in every cycle.
Outcome run_reverse_breadth_first(const RunRequest& request, const Forest& forest, Reading reading = Reading::forwards);

/// Counts of run_halving().
Prediction predict_halving(const MachineSpec& machine, const Model& model, const Forest& forest);

/// Counts of run_reverse_breadth_first() on trees that are not balanced.
Prediction predict_reverse_breadth_first(const MachineSpec& machine, const Model& model, const Forest& forest);

/// C(from, count).
Wide choose(Wide from, Wide count);

/// Bytes of the two, with blocks divided among that many trees.
std::uint64_t bytes_of_halving(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t trees);
std::uint64_t bytes_of_reverse_breadth_first(const MachineSpec& machine, const Model& model, const Settings& settings,
                                             std::uint64_t trees);

}  // namespace lockstep::scatter
