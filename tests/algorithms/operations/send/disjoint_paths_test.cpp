// The paths that a message may take at once: the links and processors that they share.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "built_machine.hpp"
#include "lockstep/machines/topologies.hpp"
#include "operations/send/paths.hpp"
#include "path_lengths.hpp"

namespace lockstep::disjoint_paths_test {
namespace {

using send::Path;

/// The directed and undirected walk along a path: every edge as its pair of ends.
std::vector<std::pair<Rank, Rank>> edges_of(const Topology& machine, Rank from, const Path& path, Rank& end) {
  std::vector<std::pair<Rank, Rank>> edges;
  end = from;
  for (const auto& [port, hops] : path) {
    for (std::uint64_t hop = 0; hop < hops; ++hop) {
      const Rank next = machine.peer(end, port).rank;
      edges.emplace_back(std::min(end, next), std::max(end, next));
      end = next;
    }
  }
  return edges;
}

TEST(FourPaths, ShareNoEdgeAndHaveTheLengthsOfTheTableForEveryDisplacement) {
  for (Rank s = 3; s <= 9; ++s) {
    const MachineSpec spec = parse_machine(square(s));
    const Topology torus = build(spec);
    for (const Rank from : {Rank{0}, s + 2}) {
      for (Rank to = 0; to < s * s; ++to) {
        if (from == to) continue;
        SCOPED_TRACE(spec.text + ": " + std::to_string(from) + " to " + std::to_string(to));
        const std::vector<Path> paths = send::disjoint_paths(spec, from, to);
        ASSERT_EQ(paths.size(), 4U);
        const auto displacement = [s](Rank a, Rank b) { return std::min((a + s - b) % s, (b + s - a) % s); };
        const auto lengths = lengths_of_table(s, displacement(from % s, to % s), displacement(from / s, to / s));
        std::set<std::pair<Rank, Rank>> used;
        std::size_t hops = 0;
        for (std::size_t path = 0; path < 4; ++path) {
          Rank end = from;
          const auto edges = edges_of(torus, from, paths[path], end);
          EXPECT_EQ(end, to);
          EXPECT_EQ(edges.size(), lengths[path]);
          EXPECT_EQ(edges.size(), send::length(paths[path]));
          if (path > 0) {
            EXPECT_GE(edges.size(), send::length(paths[path - 1]));
          }
          used.insert(edges.begin(), edges.end());
          hops += edges.size();
        }
        EXPECT_EQ(used.size(), hops) << "an edge is used twice";
      }
    }
  }
}

// "The n paths share no node but A and B."
TEST(DisjointPaths, ShareNoNodeOnTheCube) {
  const MachineSpec spec = parse_machine("hypercube:5");
  const Topology cube = build(spec);
  for (Rank to = 1; to < 32; ++to) {
    std::map<Rank, int> visits;
    for (const Path& path : send::disjoint_paths(spec, 0, to)) {
      Rank rank = 0;
      for (const auto& leg : path) ++visits[rank = cube.peer(rank, leg.port).rank];
      EXPECT_EQ(rank, to);
    }
    for (const auto& [rank, times] : visits) EXPECT_EQ(times, rank == to ? 5 : 1);
  }
}

}  // namespace
}  // namespace lockstep::disjoint_paths_test
