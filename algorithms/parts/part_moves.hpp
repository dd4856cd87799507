#pragma once

#include <algorithm>
#include <span>
#include <utility>
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

/// Calls visit(moves) for every message of a step.
template <class Visit>
void for_messages(std::span<const PartMove> step, const Visit& visit) {
  while (!step.empty()) {
    const auto& [from, to, part] = step.front();
    const auto end = std::ranges::find_if(
        step, [&](const PartMove& move) { return std::pair(move.from, move.to) != std::pair(from, to); });
    const auto length = static_cast<std::size_t>(end - step.begin());
    visit(step.first(length));
    step = step.subspan(length);
  }
}

/// Every part goes from the root to its rank, as in scatter/farthest-first.
PartMoves farthest_first(const MachineSpec& machine, const Model& model, Rank root);
/// The same as in scatter/bfs-tree.
PartMoves down_tree(const MachineSpec& machine, const Model& model, Rank root);

/// From the last step to the first, with senders and receivers exchanged.
PartMoves reversed(const PartMoves& moves);

/// The moves as a schedule of the machine, in which received parts are combined or replace the rank's own.
PartSchedule schedule_of(const MachineSpec& machine, const PartMoves& moves, bool combines);

/// All messages of some moves.
struct MovedMessages {
  Wide count = 0;
  Wide words = 0;
};

/// Adds the longest message of every step; returns what all messages have.
MovedMessages add_moves(const PartMoves& moves, const Parts& parts, method::StepLengths& lengths);
/// The words that a rank combines in a step, the most of any, over all steps, if the moves are made in reverse and all
/// received parts are combined.
Wide most_combined_in_reverse(const PartMoves& moves, const Parts& parts);
/// The most parts of a message, by step.
std::vector<Wide> longest_messages(const PartMoves& moves);
/// The number of messages.
Wide count(const PartMoves& moves);

}  // namespace lockstep::parts
