#include "search.hpp"

#include <algorithm>
#include <vector>

namespace lockstep {

namespace {

/// How far the others are from one processor.
struct Reach {
  std::uint64_t farthest = 0;  ///< links to the farthest
  std::uint64_t status = 0;    ///< sum of the distances to all (X 1)
};

constexpr std::uint64_t most_processors_searched = std::uint64_t{1} << 20;
constexpr std::uint64_t most_ends_searched = std::uint64_t{1} << 25;

/// Whether so many searches may be begun.
bool are_quick(std::uint64_t searches, const MachineSpec& spec) {
  if (spec.processors > most_processors_searched) return false;
  return spec.ports < most_ends_searched / spec.processors / searches;
}

template <class Peer>
Reach reach(const MachineSpec& spec, const Peer& peer, Rank from) {
  constexpr Rank unseen = ~Rank{0};
  std::vector<Rank> distance(spec.processors, unseen);
  std::vector<Rank> queue = {from};
  queue.reserve(spec.processors);
  distance[from] = 0;
  Reach result;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Rank here = queue[head];
    result.farthest = distance[here];
    result.status += distance[here];
    for (Port port = 0; port < spec.ports; ++port) {
      const End there = peer(here, port);
      if (!there || distance[there.rank] != unseen) continue;
      distance[there.rank] = distance[here] + 1;
      queue.push_back(there.rank);
    }
  }
  return result;
}

}  // namespace

std::optional<Distances> symmetric_distances(const MachineSpec& spec, const Wiring& wiring) {
  if (!are_quick(1, spec)) return std::nullopt;
  const Reach from_first = reach(spec, wiring, 0);
  return Distances{from_first.farthest, Fraction(from_first.status)};
}

std::optional<Distances> all_distances(const MachineSpec& spec, const Wiring& wiring) {
  if (!are_quick(spec.processors, spec)) return std::nullopt;
  // Built first: the wiring may have to compute every end.
  const Topology topology(spec.text, static_cast<Rank>(spec.processors), static_cast<Port>(spec.ports), wiring);
  const auto peer = [&topology](Rank rank, Port port) { return topology.peer(rank, port); };
  Distances result;
  std::uint64_t sum = 0;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    const Reach from_rank = reach(spec, peer, rank);
    result.diameter = std::max(result.diameter, from_rank.farthest);
    sum += from_rank.status;
  }
  result.average_status = Fraction(sum, spec.processors);
  return result;
}

std::optional<std::uint64_t> status_by_search(const MachineSpec& spec, const Wiring& wiring, Rank rank) {
  if (!are_quick(1, spec)) return std::nullopt;
  return reach(spec, wiring, rank).status;
}

// A search in depth from rank 0 (Hopcroft & Tarjan): a processor parts those below a child from the others if no link
// from there leads back above the processor.
std::optional<std::uint64_t> most_parted_pairs(const MachineSpec& spec, const Wiring& wiring) {
  if (!are_quick(1, spec)) return std::nullopt;
  struct Visit {
    Rank parent = no_rank;
    Rank number = no_rank;   // in the order in which processors are found
    Rank highest = no_rank;  // the lowest number to which a link leads from here or below
    Rank size = 1;           // processors found here and below
    Port next = 0;
    std::uint64_t parted_off = 0;  // processors below that are apart without this one
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
