#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"

// Along a path, whose ends are not joined, the data of every processor travels in both directions to the ends; on a
// ring it travels in one direction (saad-schultz-1988.md, Paths both ways).
namespace lockstep::turns {

/// Whether both directions are used at once: a processor sends to both neighbours and receives from both in one cycle.
/// Else one direction follows the other, for which one port and half-duplex links suffice.
inline bool goes_both_ways_at_once(const Model& model) {
  return model.ports == PortModel::all && model.duplex == Duplex::full;
}

/// How often the steps of one direction are taken: once or twice.
inline std::uint64_t turns_of_both_ways(const Model& model) { return goes_both_ways_at_once(model) ? 1 : 2; }

/// A processor's place on a path of `size` processors, and the ports that lead on; those past an end are unused.
struct PathPlace {
  Rank place = 0;
  Rank size = 1;
  Port up = 0;
  Port down = 0;

  /// Processors from which messages come up.
  Rank lower() const { return place; }
  /// Processors from which messages come down.
  Rank higher() const { return size - 1 - place; }
};

/// Receives a message, keeps of it what keep(bundle, is_end) leaves here, and forwards the rest unless this is an end.
template <class Keep>
Process keep_and_pass_on(Processor<Bundle>& self, Port from, std::optional<Port> to, const Keep& keep) {
  Message<Bundle> message = co_await self.message(from);
  keep(message.payload, !to);
  if (to) self.forward(*to, std::move(message));
}

/// Sub-program of all processors of a path from the same cycle on: each sends its own to the next, if there is one, and
/// in the steps after that forwards what it has received. keep(bundle, is_end) takes what stays from every message; at
/// the end of the path, all of it. Ends at the same cycle everywhere, after size-1 steps. Arguments must outlive it.
template <class Keep>
Process travel_one_way(Processor<Bundle>& self, PathPlace path, bool upwards, Bundle& own, const Keep& keep) {
  const Cycle end = self.now() + path.size - 1;
  const std::optional<Port> to = (upwards ? path.higher() : path.lower()) == 0 ? std::nullopt
                                 : upwards                                     ? std::optional(path.up)
                                                                               : std::optional(path.down);
  if (to) self.send(*to, std::move(own));
  const Port from = upwards ? path.down : path.up;
  for (Rank step = 0; step < (upwards ? path.lower() : path.higher()); ++step) {
    co_await keep_and_pass_on(self, from, to, keep);
  }
  co_await self.until(end);
}

/// The same in both directions at once.
template <class Keep>
Process travel_both_ways(Processor<Bundle>& self, PathPlace path, Bundle& above, Bundle& below, const Keep& keep) {
  const Cycle end = self.now() + path.size - 1;
  const std::optional<Port> up = path.higher() > 0 ? std::optional(path.up) : std::nullopt;
  const std::optional<Port> down = path.lower() > 0 ? std::optional(path.down) : std::nullopt;
  if (up) self.send(*up, std::move(above));
  if (down) self.send(*down, std::move(below));
  for (Rank step = 1; step <= std::max(path.lower(), path.higher()); ++step) {
    if (step <= path.lower()) co_await keep_and_pass_on(self, path.down, up, keep);
    if (step <= path.higher()) co_await keep_and_pass_on(self, path.up, down, keep);
  }
  co_await self.until(end);
}

}  // namespace lockstep::turns
