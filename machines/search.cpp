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

}  // namespace lockstep
