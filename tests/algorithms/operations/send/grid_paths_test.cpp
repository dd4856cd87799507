// Disjoint paths on tori, meshes and paths (saad-schultz-1988.md, Four paths, Paths on grids): none shares a link with
// another, their number is the largest possible, and they have the lengths of the tables, or the fewest links of all
// such sets by an independent search.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "built_machine.hpp"
#include "method_run.hpp"
#include "naive_grid.hpp"
#include "operations/send/paths.hpp"

namespace lockstep::grid_paths_test {
namespace {

using Lengths64 = std::vector<std::uint64_t>;

/// The links of the grid, once each.
std::vector<std::pair<Rank, Rank>> links_of(const NaiveGrid& grid) {
  std::set<std::pair<Rank, Rank>> links;  // two processors have one link, seen from both
  for (Rank rank = 0; rank < grid.processors(); ++rank) {
    for (std::size_t side = 0; side < grid.sides.size(); ++side) {
      const int place = grid.coordinates(rank)[side];
      if (grid.sides[side] == 1 || (!grid.is_torus && place + 1 == grid.sides[side])) continue;
      std::vector<int> ahead(grid.sides.size(), 0);
      ahead[side] = 1;
      const Rank next = grid.at(rank, ahead);
      links.insert({std::min(rank, next), std::max(rank, next)});
    }
  }
  return {links.begin(), links.end()};
}

/// The number of paths without a common link and the fewest links of such a set: repeated searches by Bellman and Ford
/// over the free links; a used link may be released at a price of -1.
class Oracle {
 public:
  Oracle(const std::vector<std::pair<Rank, Rank>>& links, Rank processors, Rank from, Rank to)
      : links_(links), used_(links.size(), 0), processors_(processors) {
    while (const auto more = one_more(from, to)) {
      ++number;
      total += *more;
    }
  }

  std::uint64_t number = 0;
  std::int64_t total = 0;

 private:
  std::optional<std::int64_t> one_more(Rank from, Rank to) {
    constexpr std::int64_t far = 1'000'000;
    std::vector<std::int64_t> best(processors_, far);
    std::vector<std::size_t> came(processors_);
    best[from] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t link = 0; link < links_.size(); ++link) {
        for (const int sense : {1, -1}) {
          const auto [a, b] = sense > 0 ? links_[link] : std::pair(links_[link].second, links_[link].first);
          if (used_[link] == sense || best[a] == far) continue;
          const std::int64_t there = best[a] + (used_[link] == -sense ? -1 : 1);
          if (best[b] <= there) continue;
          best[b] = there;
          came[b] = link;
          changed = true;
        }
      }
    }
    if (best[to] == far) return {};
    for (Rank rank = to; rank != from;) {
      const std::size_t link = came[rank];
      const bool forward = links_[link].second == rank;
      used_[link] += forward ? 1 : -1;
      rank = forward ? links_[link].first : links_[link].second;
    }
    return best[to];
  }

  const std::vector<std::pair<Rank, Rank>>& links_;
  std::vector<int> used_;  ///< from the first of its ends to the second 1, back -1
  Rank processors_;
};

/// The links of each path; fails if one does not end where it should, or two share a link.
Lengths64 walked(const Topology& machine, Rank from, Rank to, const std::vector<send::Path>& paths) {
  std::set<std::pair<Rank, Rank>> used;
  Lengths64 lengths;
  for (const send::Path& path : paths) {
    Rank rank = from;
    std::uint64_t& links = lengths.emplace_back(0);
    for (const auto& [port, hops] : path) {
      for (std::uint64_t hop = 0; hop < hops; ++hop, ++links) {
        const Rank next = machine.peer(rank, port).rank;
        EXPECT_NE(next, no_rank);
        if (next == no_rank) return {};
        EXPECT_TRUE(used.insert({std::min(rank, next), std::max(rank, next)}).second) << "a link is used twice";
        rank = next;
      }
    }
    EXPECT_EQ(rank, to);
  }
  EXPECT_TRUE(std::is_sorted(lengths.begin(), lengths.end()));
  return lengths;
}

std::uint64_t degree(const NaiveGrid& grid, Rank rank) {
  std::uint64_t links = 0;
  for (std::size_t side = 0; side < grid.sides.size(); ++side) {
    const int place = grid.coordinates(rank)[side];
    const int last = grid.sides[side] - 1;
    links += static_cast<std::uint64_t>(grid.is_torus ? std::min(last, 2) : (place > 0) + (place < last));
  }
  return links;
}

/// The smaller number of links of the ends, and on a mesh of the lines between any two that lie apart.
std::uint64_t number_by_formula(const NaiveGrid& grid, Rank from, Rank to) {
  std::uint64_t number = std::min(degree(grid, from), degree(grid, to));
  for (std::size_t side = 0; side < grid.sides.size() && !grid.is_torus; ++side) {
    if (grid.coordinates(from)[side] == grid.coordinates(to)[side]) continue;
    number = std::min<std::uint64_t>(number, grid.processors() / static_cast<Rank>(grid.sides[side]));
  }
  return number;
}

/// The lengths of the tables; none where they have no row. Tori of 3x3 and 4x4 have a separate table.
std::optional<Lengths64> lengths_by_formula(const NaiveGrid& grid, Rank from, Rank to) {
  const std::vector<int> offsets = grid.offsets(from, to);
  const auto distance = static_cast<std::uint64_t>(length(offsets));
  std::uint64_t open = 0;
  std::uint64_t walled = 0;
  std::uint64_t beside = 0;
  std::uint64_t with_two = 0;   // undisplaced dimensions with 2 or more links on both sides
  std::uint64_t with_room = 0;  // and with 1 or more
  for (std::size_t side = 0; side < grid.sides.size(); ++side) {
    const int last = grid.sides[side] - 1;
    if (grid.is_torus && last < 4) return {};
    const int start = grid.coordinates(from)[side];
    const int end = grid.coordinates(to)[side];
    const int low = grid.is_torus ? 2 : std::min(start, end);
    const int high = grid.is_torus ? 2 : last - std::max(start, end);
    if (offsets[side] == 0) {
      beside += static_cast<std::uint64_t>((low > 0) + (high > 0));
      with_room += low > 0 && high > 0 ? 1 : 0;
      with_two += low > 1 && high > 1 ? 1 : 0;
    } else if (low > 0 && high > 0) {
      ++open;
    } else if (low == 0 && high == 0) {
      ++walled;
    } else {
      return {};
    }
  }
  if (open == 1 && walled == 0) {
    if (grid.sides.size() == 2) {
      if (with_two == 0) return {};
      return distance == 1 ? Lengths64{1, 3, 5, 7} : Lengths64(4, distance + 4);
    }
    if (with_room < 2) return {};
    Lengths64 lengths{distance};
    lengths.insert(lengths.end(), beside - 2, distance + 2);
    lengths.insert(lengths.end(), 3, distance + 4);
    return lengths;
  }
  if (open + walled > 1 && walled == 1) return {};
  Lengths64 lengths(walled, distance);
  lengths.insert(lengths.end(), 2 * open + beside, distance + 2);
  return lengths;
}

struct Compared {
  std::uint64_t table = 0;     ///< pairs of ranks that have a row in a table
  std::uint64_t searched = 0;  ///< pairs that have none
};

Compared expect_paths(const NaiveGrid& grid, const std::vector<Rank>& sources) {
  const BuiltMachine machine(grid.text());
  const std::vector<std::pair<Rank, Rank>> links = links_of(grid);
  Compared compared;
  for (const Rank from : sources) {
    for (Rank to = 0; to < grid.processors(); ++to) {
      if (from == to) continue;
      SCOPED_TRACE(grid.text() + ": " + std::to_string(from) + " to " + std::to_string(to));
      const Oracle oracle(links, grid.processors(), from, to);
      const Lengths64 lengths = walked(machine.topology, from, to, send::disjoint_paths(machine.spec, from, to));
      const auto total = static_cast<std::int64_t>(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}));
      EXPECT_EQ(lengths.size(), oracle.number);
      EXPECT_EQ(lengths.size(), number_by_formula(grid, from, to));
      EXPECT_GE(total, oracle.total);
      const std::optional<Lengths64> formula = lengths_by_formula(grid, from, to);
      if (formula) {
        ++compared.table;
        EXPECT_EQ(lengths, *formula);
        // Without links outside no set has fewer links, except for ends on a line in a plane.
        const bool in_plane =
            lengths.back() > static_cast<std::uint64_t>(length(grid.offsets(from, to))) + 2 && grid.sides.size() == 2;
        if (!grid.is_torus && !in_plane) {
          EXPECT_EQ(total, oracle.total);
        }
        if (!grid.is_torus && in_plane && lengths.front() > 1) {
          EXPECT_LE(total, oracle.total + 4);
        }
      } else if (!(grid.is_torus && grid.sides.size() == 2 && grid.sides[0] == grid.sides[1] && grid.sides[0] > 2)) {
        ++compared.searched;
        EXPECT_EQ(total, oracle.total);
      }
    }
  }
  return compared;
}

std::vector<Rank> all_ranks(const NaiveGrid& grid) {
  std::vector<Rank> all(grid.processors());
  std::iota(all.begin(), all.end(), Rank{0});
  return all;
}

TEST(PathsOnGrids, AreAsManyAsCanBeOnSmallGrids) {
  for (const std::vector<int>& sides : std::vector<std::vector<int>>{
           {1, 1}, {1, 4}, {2, 2}, {2, 5}, {3, 3}, {4, 3}, {4, 4}, {5, 3}, {2, 2, 2}, {3, 2, 3}, {1, 3, 2}}) {
    for (const bool is_torus : {true, false}) {
      const NaiveGrid grid{is_torus, sides};
      expect_paths(grid, all_ranks(grid));
    }
  }
}

TEST(PathsOnGrids, HaveTheLengthsOfTheTablesInAPlane) {
  for (const NaiveGrid& grid : {NaiveGrid{true, {5, 6}}, NaiveGrid{true, {7, 5}}}) {
    const Compared compared = expect_paths(grid, {0, 8});
    EXPECT_EQ(compared.searched, 0U);
  }
  for (const NaiveGrid& grid : {NaiveGrid{false, {5, 6}}, NaiveGrid{false, {6, 4}}}) {
    const Compared compared = expect_paths(grid, {0, 7, 8, 13, 14, 15, 23});
    EXPECT_GT(compared.table, 0U);
    EXPECT_GT(compared.searched, 0U);
  }
}

TEST(PathsOnGrids, HaveTheLengthsOfTheTablesInSpace) {
  EXPECT_EQ(expect_paths({true, {5, 5, 6}}, {3}).searched, 0U);
  const Compared compared = expect_paths({false, {4, 3, 4}}, {0, 5, 17, 18});
  EXPECT_GT(compared.table, 0U);
  EXPECT_GT(compared.searched, 0U);
  expect_paths({false, {5, 5, 5}}, {62, 31});
  expect_paths({true, {3, 4, 5}}, {7});
}

// Ends that differ in all four dimensions, or in one.
TEST(PathsOnGrids, HaveTheLengthsOfTheTablesInFourDimensions) {
  const NaiveGrid grid{true, {5, 5, 5, 5}};
  const BuiltMachine machine(grid.text());
  for (const Rank to : {1U, 2U, 6U, 7U, 31U, 156U, 312U, 250U, 260U}) {
    const Lengths64 lengths = walked(machine.topology, 0, to, send::disjoint_paths(machine.spec, 0, to));
    EXPECT_EQ(lengths, lengths_by_formula(grid, 0, to)) << to;
  }
}

// Any size for which the tables have a row.
TEST(PathsOnGrids, AreNotSearchedWhereTheTablesHaveThem) {
  const auto lengths = [](const std::string& text, Rank from, Rank to) {
    return send::lengths(send::disjoint_paths(parse_machine(text), from, to));
  };
  EXPECT_EQ(lengths("torus:60000x40000", 0, 40000 * 100 + 7), Lengths64(4, 109));
  EXPECT_EQ(lengths("mesh:60000x40000", 0, 2399999999), Lengths64(2, 59999 + 39999));
  EXPECT_EQ(lengths("mesh:1000x1000x1000", 500500500, 500500501), (Lengths64{1, 3, 3, 5, 5, 5}));
  EXPECT_EQ(lengths("path:4000000000", 5, 3999999999), Lengths64(1, 3999999994));
  EXPECT_EQ(lengths("mesh:1000x1000", 5005, 5005), Lengths64());
}

}  // namespace
}  // namespace lockstep::grid_paths_test
