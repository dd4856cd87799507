#pragma once

#include <memory>
#include <string_view>

#include "part_moves.hpp"

// Every rank learns what every other one has, by moves that are planned one by one, on any connected machine
// (any-graph.md, Rarest first; Gossip).
namespace lockstep::parts {

/// Machines of more processors are not planned: it takes their number cubed.
inline constexpr std::uint64_t most_planned = 512;

/// Throws InputError if the machine has more processors than are planned, naming the method.
void refuse_unplanned(std::string_view method, const MachineSpec& machine);

/// What a message of a gossip carries of the parts that its receiver lacks.
enum class GossipMessage {
  rarest,  ///< the one that the fewest ranks have
  all      ///< all, or where several come from different neighbours, as nearly the same number from each as possible
};

/// Every part, which its rank has at first, goes to all other ranks, to each once. Step by step there is a message over
/// every link, with one port over every link of a largest matching of senders and receivers. Kept for the next call.
/// The machine is connected, and has links. Throws InputError if the plan would be too long.
std::shared_ptr<const PartMoves> gossip(const MachineSpec& machine, const Model& model, GossipMessage message);

/// The scatter that goes with such a gossip in a broadcast: every part goes from the root to its rank, alone
/// (farthest_first()) or with those of a subtree (down_tree()).
PartMoves scatter_before(const MachineSpec& machine, const Model& model, Rank root, GossipMessage message);

/// Bytes of the moves of such a gossip, and of their schedule, at most.
Wide bytes_of_gossip(const MachineSpec& machine, const Model& model, GossipMessage message);

}  // namespace lockstep::parts
