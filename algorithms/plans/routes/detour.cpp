#include "detour.hpp"

#include <algorithm>
#include <deque>

#include "lockstep/core/detail/fault_table.hpp"

namespace lockstep::routes {
namespace {

/// Whether the link between two neighbours, and both of them, never fail.
bool holds(const detail::FaultTable& table, Rank one, Rank other) { return table.fails(one, other) == Faults::never; }

}  // namespace

bool is_clear(const Topology& topology, const Faults& faults, Rank from, const std::vector<Port>& path) {
  const detail::FaultTable table(faults);
  if (table.fails(from) != Faults::never) return false;
  for (const Port port : path) {
    const Rank next = topology.peer(from, port).rank;
    if (!holds(table, from, next)) return false;
    from = next;
  }
  return true;
}

std::optional<std::vector<Port>> detour(const Topology& topology, const Faults& faults, Rank from, Rank to) {
  const detail::FaultTable table(faults);
  if (table.fails(from) != Faults::never) return {};
  std::vector<End> came_by(topology.processors());  // the sender, and its port
  std::deque<Rank> to_visit{from};
  came_by[from] = {from, 0};
  while (!came_by[to] && !to_visit.empty()) {
    const Rank at = to_visit.front();
    to_visit.pop_front();
    for (Port port = 0; port < topology.ports(); ++port) {
      const End next = topology.peer(at, port);
      if (!next || came_by[next.rank] || !holds(table, at, next.rank)) continue;
      came_by[next.rank] = {at, port};
      to_visit.push_back(next.rank);
    }
  }
  if (!came_by[to]) return {};
  std::vector<Port> ports;
  for (Rank at = to; at != from; at = came_by[at].rank) ports.push_back(came_by[at].port);
  std::ranges::reverse(ports);
  return ports;
}

}  // namespace lockstep::routes
