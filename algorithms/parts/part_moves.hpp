#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "method/step_lengths.hpp"
#include "part_exchange.hpp"

// Schedules of single parts that are planned move by move, on any connected machine (any-graph.md, Rarest first).
namespace lockstep::parts {

/// A part goes over a link, in a message with all others of the step that do.
struct PartMove {
  Rank from;
  Rank to;
  Rank part;
};

/// The moves of every step, those of a message one after the other. Within a step a rank sends and receives over each
/// of its links at most one message, with one port at most one in all.
using PartMoves = std::vector<std::vector<PartMove>>;

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

/// Every part goes from the root to its rank, as in scatter/farthest-first.
PartMoves farthest_first(const MachineSpec& machine, const Model& model, Rank root);

/// From the last step to the first, with senders and receivers exchanged.
PartMoves reversed(const PartMoves& moves);

/// The moves as a schedule of the machine, in which received parts are combined or replace the rank's own.
PartSchedule schedule_of(const MachineSpec& machine, const PartMoves& moves, bool combines);

/// Adds the longest message of every step; returns the words of all messages.
Wide add_moves(const PartMoves& moves, const Parts& parts, method::StepLengths& lengths);
/// The words that a rank combines in a step where all received parts are, the most of any, over all steps.
Wide most_combined(const PartMoves& moves, const Parts& parts, Rank ranks);
/// The most parts of a message, by step.
std::vector<Wide> longest_messages(const PartMoves& moves);
/// The number of messages.
Wide count(const PartMoves& moves);

/// Bytes of the moves of such a gossip, and of their schedule, at most.
Wide bytes_of_gossip(const MachineSpec& machine, const Model& model, GossipMessage message);

}  // namespace lockstep::parts
