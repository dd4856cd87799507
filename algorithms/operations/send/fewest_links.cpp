#include "fewest_links.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

// A flow of units from one rank to the other, over every link at most one unit in one direction, that uses the fewest
// links: each unit takes the cheapest way left, where a link costs 1, and a link that carries a unit the other way
// gives its cost back. When no unit finds a way, the flow is the largest, and the cheapest of its size; so its paths
// have the fewest links (saad-schultz-1988.md, Paths on grids).
namespace lockstep::send {
namespace {

class Flow {
 public:
  Flow(const MachineSpec& machine, Rank from, Rank to)
      : wiring_(wiring(machine)),
        processors_(machine.processors),
        ports_(static_cast<Port>(machine.ports)),
        from_(from),
        to_(to),
        carries_(processors_ * ports_),
        potential_(processors_) {}

  /// Adds a unit on the cheapest way. Returns whether there was a way.
  bool add_unit() {
    const bool found = look();
    if (!found) return false;
    for (Rank rank = to_; rank != from_;) {
      const auto [before, port] = came_[rank];
      const End end = wiring_(before, port);
      if (carries(end.rank, end.port)) {
        carries(end.rank, end.port) = 0;  // units in both directions cancel out
      } else {
        carries(before, port) = 1;
      }
      rank = before;
    }
    return true;
  }

  /// The units' ways, hop by hop. Units that meet may change ways; none goes in a circle, which would cost for nothing.
  std::vector<std::vector<End>> ways() const {
    std::vector<char> left = carries_;
    std::vector<std::vector<End>> all;
    for (Port first = 0; first < ports_; ++first) {
      if (left[index(from_, first)] == 0) continue;
      std::vector<End>& way = all.emplace_back();
      Port port = first;
      for (Rank rank = from_; rank != to_; rank = wiring_(rank, port).rank) {
        for (port = 0; left[index(rank, port)] == 0;) ++port;
        left[index(rank, port)] = 0;
        way.push_back({rank, port});
      }
    }
    return all;
  }

 private:
  std::size_t index(Rank rank, Port port) const { return std::size_t{rank} * ports_ + port; }
  char& carries(Rank rank, Port port) { return carries_[index(rank, port)]; }

  // Dijkstra's search over costs that the potentials make 0 or more; the lowest rank first among equally near ones.
  bool look() {
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> distance(processors_, far);
    came_.assign(processors_, {});
    std::priority_queue<std::pair<std::int64_t, Rank>, std::vector<std::pair<std::int64_t, Rank>>, std::greater<>> next;
    distance[from_] = 0;
    next.emplace(0, from_);
    while (!next.empty() && next.top().second != to_) {
      const auto [reached, rank] = next.top();
      next.pop();
      if (reached > distance[rank]) continue;
      for (Port port = 0; port < ports_; ++port) {
        const End end = wiring_(rank, port);
        if (!end || carries(rank, port)) continue;
        const std::int64_t cost = carries(end.rank, end.port) ? -1 : 1;
        const std::int64_t there = reached + cost + potential_[rank] - potential_[end.rank];
        if (there >= distance[end.rank]) continue;
        distance[end.rank] = there;
        came_[end.rank] = {rank, port};
        next.emplace(there, end.rank);
      }
    }
    if (next.empty()) return false;
    const std::int64_t nearest = distance[to_];
    for (std::size_t rank = 0; rank < processors_; ++rank) potential_[rank] += std::min(distance[rank], nearest);
    return true;
  }

  Wiring wiring_;
  std::size_t processors_;
  Port ports_;
  Rank from_;
  Rank to_;
  std::vector<char> carries_;  ///< whether a unit goes out of the rank over the port
  std::vector<std::int64_t> potential_;
  std::vector<End> came_;  ///< in the last search: from which rank, over which of its ports
};

/// Exchanges the rests of two ways at the meeting that makes the longer one shortest. Returns whether they changed.
bool even_out(std::vector<End>& one, std::vector<End>& other) {
  std::unordered_map<Rank, std::size_t> places;  // no way visits a rank twice
  for (std::size_t second = 1; second < other.size(); ++second) places.emplace(other[second].rank, second);
  std::size_t longest = std::max(one.size(), other.size());
  std::pair<std::size_t, std::size_t> best;
  for (std::size_t first = 1; first < one.size(); ++first) {
    const auto met = places.find(one[first].rank);
    if (met == places.end()) continue;
    const std::size_t second = met->second;
    const std::size_t changed = std::max(first + other.size() - second, second + one.size() - first);
    if (changed >= longest) continue;
    longest = changed;
    best = {first, second};
  }
  if (best.first == 0) return false;
  const auto [first, second] = best;
  std::vector<End> rest(one.begin() + static_cast<std::ptrdiff_t>(first), one.end());
  one.resize(first);
  one.insert(one.end(), other.begin() + static_cast<std::ptrdiff_t>(second), other.end());
  other.resize(second);
  other.insert(other.end(), rest.begin(), rest.end());
  return true;
}

Path path_of(const std::vector<End>& way) {
  Path path;
  for (const End& hop : way) {
    if (path.empty() || path.back().port != hop.port) path.push_back({hop.port, 0});
    ++path.back().hops;
  }
  return path;
}

}  // namespace

std::vector<Path> fewest_links(const MachineSpec& machine, Rank from, Rank to) {
  if (machine.processors > most_planned) {
    throw InputError(printable(machine.text) + " is too large to look for disjoint paths between these ranks: up to " +
                     std::to_string(most_planned) + " processors are searched");
  }
  if (from == to) return {};
  Flow flow(machine, from, to);
  while (flow.add_unit()) continue;
  std::vector<std::vector<End>> ways = flow.ways();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t one = 0; one < ways.size(); ++one) {
      for (std::size_t other = 0; other < one; ++other) changed = even_out(ways[one], ways[other]) || changed;
    }
  }
  std::vector<Path> paths(ways.size());
  std::transform(ways.begin(), ways.end(), paths.begin(), path_of);
  std::stable_sort(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return length(a) < length(b); });
  return paths;
}

}  // namespace lockstep::send
