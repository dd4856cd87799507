#include "lockstep/machines/search.hpp"

#include <algorithm>
#include <vector>

namespace lockstep {

namespace {

/// The distances of the others from one processor.
struct Reach {
  std::uint64_t farthest = 0;  ///< links to the farthest
  std::uint64_t status = 0;    ///< sum of the distances to all (dimakopoulos.md, Status and bounds)
};

constexpr std::uint64_t most_processors_searched = std::uint64_t{1} << 20;
constexpr std::uint64_t most_ends_searched = std::uint64_t{1} << 25;

/// Whether this many searches may be started.
bool are_quick(std::uint64_t searches, const MachineSpec& spec) {
  if (spec.processors > most_processors_searched) return false;
  return spec.ports < most_ends_searched / spec.processors / searches;
}

/// visit_neighbours(rank, visit) calls visit(neighbour) for all neighbours of a processor.
template <class VisitNeighbours>
Reach reach(std::uint64_t processors, const VisitNeighbours& visit_neighbours, Rank from) {
  constexpr Rank unseen = ~Rank{0};
  std::vector<Rank> distance(processors, unseen);
  std::vector<Rank> queue = {from};
  queue.reserve(processors);
  distance[from] = 0;
  Reach result;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Rank here = queue[head];
    result.farthest = distance[here];
    result.status += distance[here];
    visit_neighbours(here, [&](Rank there) {
      if (distance[there] != unseen) return;
      distance[there] = distance[here] + 1;
      queue.push_back(there);
    });
  }
  return result;
}

Reach reach(const MachineSpec& spec, const Wiring& wiring, Rank from) {
  const auto visit_neighbours = [&](Rank rank, const auto& visit) {
    for (Port port = 0; port < spec.ports; ++port) {
      if (const End end = wiring(rank, port)) visit(end.rank);
    }
  };
  return reach(spec.processors, visit_neighbours, from);
}

/// Calls take(reach) for every processor, in the order of the ranks; false if that would take too long.
template <class Take>
bool search_from_all(const MachineSpec& spec, const Wiring& wiring, const Take& take) {
  if (!are_quick(1, spec)) return false;
  // Listed first: the wiring may have to compute every end, and many ports may have no link.
  std::vector<std::vector<Rank>> neighbours(spec.processors);
  std::uint64_t ends = 0;
  for (Rank rank = 0; rank < spec.processors; ++rank) {
    for (Port port = 0; port < spec.ports; ++port) {
      if (const End end = wiring(rank, port)) neighbours[rank].push_back(end.rank);
    }
    ends += neighbours[rank].size();
  }
  if (ends >= most_ends_searched / spec.processors) return false;
  const auto visit_neighbours = [&neighbours](Rank rank, const auto& visit) {
    for (const Rank neighbour : neighbours[rank]) visit(neighbour);
  };
  for (Rank rank = 0; rank < spec.processors; ++rank) take(reach(spec.processors, visit_neighbours, rank));
  return true;
}

}  // namespace

std::optional<Distances> symmetric_distances(const MachineSpec& spec, const Wiring& wiring) {
  if (!are_quick(1, spec)) return std::nullopt;
  const Reach from_first = reach(spec, wiring, 0);
  return Distances{from_first.farthest, Fraction(from_first.status)};
}

std::optional<Distances> all_distances(const MachineSpec& spec, const Wiring& wiring) {
  Distances result;
  std::uint64_t sum = 0;
  const bool are_found = search_from_all(spec, wiring, [&](const Reach& from_rank) {
    result.diameter = std::max(result.diameter, from_rank.farthest);
    sum += from_rank.status;
  });
  if (!are_found) return std::nullopt;
  result.average_status = Fraction(sum, spec.processors);
  return result;
}

std::optional<std::vector<std::uint64_t>> statuses_by_search(const MachineSpec& spec, const Wiring& wiring) {
  std::vector<std::uint64_t> statuses;
  const bool are_found =
      search_from_all(spec, wiring, [&](const Reach& from_rank) { statuses.push_back(from_rank.status); });
  return are_found ? std::optional(std::move(statuses)) : std::nullopt;
}

std::optional<std::uint64_t> status_by_search(const MachineSpec& spec, const Wiring& wiring, Rank rank) {
  if (!are_quick(1, spec)) return std::nullopt;
  return reach(spec, wiring, rank).status;
}

// A depth-first search from rank 0 (Hopcroft & Tarjan): a processor separates those below a child from the others if no
// link from there leads back above the processor.
std::optional<std::uint64_t> most_parted_pairs(const MachineSpec& spec, const Wiring& wiring) {
  if (!are_quick(1, spec)) return std::nullopt;
  struct Visit {
    Rank parent = no_rank;
    Rank number = no_rank;   // in the order of discovery
    Rank highest = no_rank;  // the lowest number to which a link leads from here or below
    Rank size = 1;           // processors found here and below
    Port next = 0;
    std::uint64_t parted_off = 0;  // processors below that are separated without this one
    std::uint64_t squares = 0;     // of the sizes of the parts that they form
  };
  const std::uint64_t others = spec.processors - 1;
  std::vector<Visit> visits(spec.processors);
  visits[0].number = visits[0].highest = 0;
  Rank found = 1;
  std::uint64_t most = 0;
  for (Rank here = 0; here != no_rank;) {
    Visit& visit = visits[here];
    if (visit.next < spec.ports) {
      const End there = wiring(here, visit.next++);
      if (!there || there.rank == visit.parent) continue;
      Visit& neighbour = visits[there.rank];
      if (neighbour.number == no_rank) {
        neighbour.parent = here;
        neighbour.number = neighbour.highest = found++;
        here = there.rank;
      } else {
        visit.highest = std::min(visit.highest, neighbour.number);
      }
      continue;
    }
    const std::uint64_t rest = others - visit.parted_off;
    most = std::max(most, others * others - visit.squares - rest * rest);
    here = visit.parent;
    if (here == no_rank) break;
    Visit& parent = visits[here];
    parent.size += visit.size;
    parent.highest = std::min(parent.highest, visit.highest);
    if (visit.highest < parent.number) continue;
    parent.parted_off += visit.size;
    parent.squares += std::uint64_t{visit.size} * visit.size;
  }
  return most;
}

}  // namespace lockstep
