#include "lockstep/machines/graph_measures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "graphs/spectrum.hpp"
#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {

namespace {

using NeighbourRanks = std::vector<std::vector<Rank>>;  // by rank, the neighbours

constexpr std::uint64_t most_searched = std::uint64_t{1} << 24;  // ends of links, over all searches
constexpr std::uint64_t most_in_flows = 256;                     // processors
constexpr std::uint64_t most_in_halves = 23;
constexpr std::uint64_t most_in_matrix = 1024;

NeighbourRanks near_ranks(const MachineSpec& spec) {
  const Wiring end = wiring(spec);
  NeighbourRanks near(spec.processors);
  for (Rank rank = 0; rank < spec.processors; ++rank) {
    for (Port port = 0; port < spec.ports; ++port) {
      if (const End there = end(rank, port)) near[rank].push_back(there.rank);
    }
  }
  return near;
}

/// The shortest cycle that a breadth-first search from the rank closes; of all ranks, the shortest of all cycles.
std::uint64_t cycle_from(const NeighbourRanks& near, Rank start) {
  std::vector<std::uint64_t> distance(near.size(), ~std::uint64_t{0});
  std::vector<Rank> before(near.size(), no_rank);
  std::vector<Rank> reached{start};
  distance[start] = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const Rank from = reached[next];
    for (const Rank to : near[from]) {
      if (distance[to] == ~std::uint64_t{0}) {
        distance[to] = distance[from] + 1;
        before[to] = from;
        reached.push_back(to);
      } else if (before[from] != to) {
        shortest = std::min(shortest, distance[from] + distance[to] + 1);
      }
    }
  }
  return shortest;
}

std::optional<std::uint64_t> girth_of(const NeighbourRanks& near, bool is_alike, std::uint64_t ends) {
  const Rank starts = is_alike ? 1 : static_cast<Rank>(near.size());
  if (ends > most_searched / starts) return {};
  std::uint64_t shortest = ~std::uint64_t{0};
  for (Rank start = 0; start < starts; ++start) shortest = std::min(shortest, cycle_from(near, start));
  return shortest == ~std::uint64_t{0} ? 0 : shortest;
}

/// Paths between two processors that have no link in common, or no processor between them, as maximum flows
/// (Ford & Fulkerson). Every processor is two places: where messages enter it, and where they leave it.
class DisjointPaths {
 public:
  DisjointPaths(const NeighbourRanks& near, bool share_processors)
      : ranks_(near.size()), inside_(share_processors ? ranks_ : 1), next_(2 * ranks_), left_(4 * ranks_ * ranks_) {
    for (Rank rank = 0; rank < ranks_; ++rank) {
      join(rank, leaves(rank));
      for (const Rank neighbour : near[rank]) join(leaves(rank), neighbour);
    }
  }

  std::uint64_t between(Rank from, Rank to) {
    std::ranges::fill(left_, 0);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      left(rank, leaves(rank)) = inside_;
      for (const std::size_t place : next_[leaves(rank)]) {
        if (place != rank) left(leaves(rank), place) = 1;
      }
    }
    std::uint64_t paths = 0;
    while (found_another(leaves(from), to)) ++paths;
    return paths;
  }

 private:
  std::size_t leaves(std::size_t rank) const { return ranks_ + rank; }
  std::size_t& left(std::size_t from, std::size_t to) { return left_[2 * ranks_ * from + to]; }
  void join(std::size_t from, std::size_t to) {
    next_[from].push_back(to);
    next_[to].push_back(from);
  }

  bool found_another(std::size_t from, std::size_t to) {
    std::vector<std::size_t> before(2 * ranks_, 2 * ranks_);
    std::vector<std::size_t> reached{from};
    before[from] = from;
    for (std::size_t next = 0; next < reached.size() && before[to] == 2 * ranks_; ++next) {
      for (const std::size_t place : next_[reached[next]]) {
        if (before[place] != 2 * ranks_ || left(reached[next], place) == 0) continue;
        before[place] = reached[next];
        reached.push_back(place);
      }
    }
    if (before[to] == 2 * ranks_) return false;
    for (std::size_t place = to; place != from; place = before[place]) {
      --left(before[place], place);
      ++left(place, before[place]);
    }
    return true;
  }

  std::size_t ranks_;
  std::size_t inside_;                          // paths that may lead through a processor
  std::vector<std::vector<std::size_t>> next_;  // by place, along links and back
  std::vector<std::size_t> left_;               // what still fits, by two places
};

std::uint64_t least_degree(const NeighbourRanks& near) {
  return std::ranges::min_element(near, {}, &std::vector<Rank>::size)->size();
}

/// Every least set of links separates rank 0 from another.
std::uint64_t link_connectivity_of(const NeighbourRanks& near) {
  DisjointPaths paths(near, true);
  std::uint64_t least = least_degree(near);
  for (Rank to = 1; to < near.size(); ++to) least = std::min(least, paths.between(0, to));
  return least;
}

/// A least set lacks one of its size + 1 first ranks, and separates it from another (Even 1975).
std::uint64_t processor_connectivity_of(const NeighbourRanks& near) {
  DisjointPaths paths(near, false);
  std::uint64_t least = std::min<std::uint64_t>(least_degree(near), near.size() - 1);
  for (Rank from = 0; from <= least && from < near.size(); ++from) {
    for (Rank to = 0; to < near.size(); ++to) {
      if (to == from || std::ranges::count(near[from], to) > 0) continue;
      least = std::min(least, paths.between(from, to));
    }
  }
  return least;
}

std::uint64_t halves_of(const NeighbourRanks& near) {
  const auto ranks = static_cast<unsigned>(near.size());
  std::vector<std::uint32_t> masks(ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (const Rank neighbour : near[rank]) masks[rank] |= std::uint32_t{1} << neighbour;
  }
  std::uint64_t least = ~std::uint64_t{0};
  const std::uint32_t end = std::uint32_t{1} << ranks;
  // The next larger number with as many ones (Gosper).
  for (std::uint32_t half = (std::uint32_t{1} << ranks / 2) - 1; half < end;) {
    std::uint64_t across = 0;
    for (std::uint32_t left = half; left != 0; left &= left - 1) {
      across += static_cast<unsigned>(std::popcount(masks[static_cast<unsigned>(std::countr_zero(left))] & ~half));
    }
    least = std::min(least, across);
    if (half == 0) break;
    const std::uint32_t lowest = half & (~half + 1);
    const std::uint32_t ripple = half + lowest;
    half = (((ripple ^ half) >> 2) / lowest) | ripple;
  }
  return least;
}

/// That of a product is the least of its factors'.
std::optional<double> gap_of(const MachineSpec& spec) {
  const auto m = static_cast<double>(spec.processors);
  if (spec.processors < 2) return {};
  if (spec.family == "complete" || spec.processors == 2) return m;
  if (spec.family == "ring") return 2 - 2 * std::cos(2 * std::numbers::pi / m);
  if (spec.family == "path") return 2 - 2 * std::cos(std::numbers::pi / m);
  const std::vector<Dimension> all = dimensions(spec);
  if (all.size() > 1) {
    std::optional<double> least;
    for (const Dimension& dimension : all) {
      if (dimension.factor.processors == 1) continue;
      const std::optional<double> gap = gap_of(dimension.factor);
      if (!gap) return {};
      least = std::min(least.value_or(*gap), *gap);
    }
    return least;
  }
  if (spec.processors > most_in_matrix) return {};
  return second_least_eigenvalue(near_ranks(spec));
}

bool looks_alike(const MachineSpec& spec) {
  if (is_cayley_graph(spec)) return true;
  return !spec.factors.empty() && std::ranges::all_of(spec.factors, looks_alike);
}

}  // namespace

GraphMeasures graph_measures(const MachineSpec& spec) {
  GraphMeasures measures;
  if (spec.medium) return measures;
  measures.spectral_gap = gap_of(spec);
  const std::uint64_t ends = spec.processors * std::max<std::uint64_t>(spec.ports, 1);
  if (ends > most_searched) return measures;
  const NeighbourRanks near = near_ranks(spec);
  const bool is_alike = looks_alike(spec);
  measures.girth = girth_of(near, is_alike, ends);
  // All links of a processor: a connected graph that looks alike from every node is as connected (Mader 1971).
  if (is_alike) measures.link_connectivity = near.front().size();
  if (spec.processors <= most_in_flows) {
    measures.link_connectivity = link_connectivity_of(near);
    measures.processor_connectivity = processor_connectivity_of(near);
  }
  if (spec.processors <= most_in_halves) measures.bisection_width = halves_of(near);
  return measures;
}

}  // namespace lockstep
