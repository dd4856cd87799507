#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/synthesis.hpp"

namespace lockstep {

/// What people and programs call a chunk.
struct ChunkName {
  Rank origin;
  Rank destination;
  std::uint32_t chunk;
  auto operator<=>(const ChunkName&) const = default;
};

/// The chunk that moves.
inline ChunkName name_of(const ChunkMove& move) { return {move.origin, move.destination, move.chunk}; }

/// Whose summands are in a sum: by rank.
using Summands = std::vector<bool>;

/// The same as a list of ranks, and back.
std::vector<Rank> ranks_of(const Summands& summands);
Summands summands_of(const std::vector<Rank>& ranks, Rank nodes);

/// Whether all of `part` is in `whole`.
bool is_within(const Summands& part, const Summands& whole);

/// Whether every processor begins with a summand of every chunk.
bool is_summed_up(const ChunkTask& task);

/// Whether a message of the schedule holds another sum than that of all that its sender has of a chunk.
bool keeps_apart(const ChunkSchedule& schedule);

/// Follows who holds which sums of the chunks while a schedule is walked through.
class Holdings {
 public:
  /// `apart`: whether sums stay as they came; else they become one as they come.
  Holdings(const ChunkTask& task, Rank nodes, bool apart) : task_(task), nodes_(nodes), is_apart_(apart) {}

  /// Whose summands the processor has of a chunk: none, if it has nothing.
  Summands all(Rank rank, const ChunkName& name);

  /// Whether the processor can make this sum of sums that it has.
  bool can_give(Rank rank, const ChunkName& name, const Summands& wanted);

  /// Whose summands are in what moves: all that the sender has, unless the move says otherwise.
  Summands carried(const ChunkMove& move);

  /// The receiver takes it. Somebody whose summand it would add for the second time, where there is one.
  std::optional<Rank> take(const ChunkMove& move, Summands carried);

 private:
  using Sums = std::vector<Summands>;

  Sums& at(Rank rank, const ChunkName& name);

  const ChunkTask& task_;
  Rank nodes_;
  bool is_apart_;
  std::map<std::pair<Rank, ChunkName>, Sums> held_;
};

}  // namespace lockstep
