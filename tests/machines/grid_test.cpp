#include "lockstep/machines/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::grid_test {
namespace {

/// Machines of all four families with their graphs from the definition.
std::vector<NaiveMachine> grids() {
  std::vector<NaiveMachine> machines;
  for (Rank m = 1; m <= 9; ++m) {
    machines.push_back({"ring:" + std::to_string(m), naive_ring(m)});
    machines.push_back({"path:" + std::to_string(m), naive_path(m)});
  }
  for (const std::vector<Rank>& sides : std::vector<std::vector<Rank>>{
           {1, 1}, {1, 5}, {2, 2}, {2, 3}, {3, 2}, {4, 7}, {6, 5}, {2, 3, 4}, {3, 1, 5}, {4, 4, 3}}) {
    std::string text;
    std::vector<NaiveGraph> rings;
    std::vector<NaiveGraph> paths;
    for (const Rank side : sides) {
      text += (text.empty() ? "" : "x") + std::to_string(side);
      rings.push_back(naive_ring(side));
      paths.push_back(naive_path(side));
    }
    machines.push_back({"torus:" + text, naive_product(rings)});
    machines.push_back({"mesh:" + text, naive_product(paths)});
  }
  return machines;
}

TEST(Grid, DistancesAndFarthestRanksAreThoseOfTheGraph) {
  for (const NaiveMachine& machine : grids()) {
    SCOPED_TRACE(machine.spec);
    const Grid grid(parse_machine(machine.spec));
    for (Rank from = 0; from < grid.processors(); ++from) {
      const std::vector<std::uint64_t> distances = machine.graph.distances(from);
      for (Rank to = 0; to < grid.processors(); ++to) EXPECT_EQ(grid.distance(from, to), distances[to]);
      const auto farthest = std::max_element(distances.begin(), distances.end());
      EXPECT_EQ(grid.farthest(from), farthest - distances.begin());
      EXPECT_EQ(grid.eccentricity(from), *farthest);
    }
  }
}

TEST(Grid, OutwardPortsLeadOneFartherAndInwardPortsOneNearer) {
  for (const NaiveMachine& machine : grids()) {
    SCOPED_TRACE(machine.spec);
    const Topology topology = build(parse_machine(machine.spec));
    const Grid grid(parse_machine(machine.spec));
    for (const GridAxis& axis : grid.axes()) {
      for (Rank place = 0; place < axis.side(); ++place) {
        Rank reached = 1;
        for (Rank other = 0; other < axis.side(); ++other) {
          const std::int64_t offset = axis.offset(place, other);
          const Rank rank = axis.at(0, other);
          std::vector<Port> outward;
          axis.add_outward(place, offset, outward);
          for (const Port port : outward) {
            const Rank next = axis.position(topology.peer(rank, port).rank);
            EXPECT_EQ(std::abs(axis.offset(place, next)), std::abs(offset) + 1);
            ++reached;
          }
          if (offset == 0) continue;
          const Rank back = axis.position(topology.peer(rank, axis.inward(offset)).rank);
          EXPECT_EQ(std::abs(axis.offset(place, back)), std::abs(offset) - 1);
        }
        EXPECT_EQ(reached, axis.side()) << "one link leads to each position";
      }
    }
  }
}

TEST(Grid, CountsTheLinksOfAProcessor) {
  for (const NaiveMachine& machine : grids()) {
    SCOPED_TRACE(machine.spec);
    const Topology topology = build(parse_machine(machine.spec));
    const Grid grid(parse_machine(machine.spec));
    Port fewest = grid.degree(0);
    for (Rank rank = 0; rank < grid.processors(); ++rank) {
      EXPECT_EQ(grid.degree(rank), topology.degree(rank));
      fewest = std::min(fewest, topology.degree(rank));
    }
    EXPECT_EQ(grid.degree_min(), fewest);
  }
}

TEST(Grid, RefusesWhatIsNone) {
  EXPECT_THROW(Grid(parse_machine("hypercube:3")), InputError);
  EXPECT_THROW(Grid(parse_machine("bus:4")), InputError);
  EXPECT_THROW(Grid(parse_machine("product:ring:3*path:3")), InputError);
}

}  // namespace
}  // namespace lockstep::grid_test
