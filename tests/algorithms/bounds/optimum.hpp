#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/core/model.hpp"

// The best schedules of small problems, by breadth-first search over all states. They share nothing with the bounds.
namespace lockstep::optimum {

/// Processors 0 to `processors` - 1 and the pairs that a link joins. At most `users` send in a cycle.
struct Network {
  unsigned processors;
  std::vector<std::pair<unsigned, unsigned>> links;
  unsigned users = 99;
};

/// All connected graphs with that number of processors, up to isomorphism.
std::vector<Network> connected_graphs(unsigned processors);

/// The fewest steps, with messages of any length, by processor where there is a root.
struct Steps {
  unsigned to_all = 0;         ///< all know what each knew
  unsigned scan = 0;           ///< each knows what the lower ranks knew, and its own
  unsigned exscan = 0;         ///< each knows what the lower ranks knew
  std::vector<unsigned> from;  ///< all know what the root knew
  std::vector<unsigned> to;    ///< the root knows what each knew
};
Steps fewest_steps(const Network& network, const Model& model);

/// The fewest cycles with messages of one word in which word i, which is at `from[i]`, gets to `to[i]`.
unsigned fewest_cycles_to_move(const Network& network, Model model, const std::vector<unsigned>& from,
                               const std::vector<unsigned>& to);

/// The fewest cycles with messages of one word in which all get copies of `words` words; bit i of `held[rank]` says
/// that the rank has word i. None if a search would take too long.
std::optional<unsigned> fewest_cycles_to_copy(const Network& network, const Model& model,
                                              const std::vector<std::uint32_t>& held, unsigned words);

/// The least time of the same with messages of any length: a cycle costs beta, and tau for every word of its longest
/// message.
unsigned least_time_to_copy(const Network& network, const Model& model, const std::vector<std::uint32_t>& held,
                            unsigned words, unsigned beta, unsigned tau);

}  // namespace lockstep::optimum
