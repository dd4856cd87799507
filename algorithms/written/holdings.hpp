#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::written {

/// The name of a chunk for users and programs.
struct ChunkName {
  Rank origin;
  Rank destination;
  std::uint32_t chunk;
  auto operator<=>(const ChunkName&) const = default;
};

/// The chunk that moves.
template <class ChunkMove>
ChunkName name_of(const ChunkMove& move) {
  return {move.origin, move.destination, move.chunk};
}

/// The ranks whose summands are in a sum.
using Summands = std::vector<bool>;

/// The same as a list of ranks, and back.
std::vector<Rank> ranks_of(const Summands& summands);
Summands summands_of(const std::vector<Rank>& ranks, Rank nodes);

/// Whether all of `part` is in `whole`.
bool is_within(const Summands& part, const Summands& whole);

/// Follows which processors hold which sums of the chunks while a schedule is walked through.
class Holdings {
 public:
  /// `summed`: every processor begins with a summand of every chunk, else only the origin has it. `apart`: sums are
  /// kept as received; else they are combined on arrival.
  Holdings(bool summed, Rank nodes, bool apart) : is_summed_(summed), nodes_(nodes), is_apart_(apart) {}

  /// Whether the processor has the chunk or a sum of some of its summands.
  bool has(Rank rank, const ChunkName& name) { return !at(rank, name).empty(); }

  /// The ranks whose summands of a chunk the processor has: none, if it has nothing.
  Summands all(Rank rank, const ChunkName& name);

  /// Whether the processor can make this sum from sums that it has.
  bool can_give(Rank rank, const ChunkName& name, const Summands& wanted);

  /// The ranks whose summands the processor sends: `of`, or all that it has if that is empty.
  Summands carried(Rank from, const ChunkName& name, const std::vector<Rank>& of);

  /// The processor receives it, and adds it to what it has or replaces that. Returns a rank whose summand it would add
  /// for the second time, if there is one.
  std::optional<Rank> take(Rank to, const ChunkName& name, bool adds, Summands carried);

 private:
  using Sums = std::vector<Summands>;

  Sums& at(Rank rank, const ChunkName& name);

  bool is_summed_;
  Rank nodes_;
  bool is_apart_;
  std::map<std::pair<Rank, ChunkName>, Sums> held_;
};

}  // namespace lockstep::written
