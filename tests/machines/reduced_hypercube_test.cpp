#include "lockstep/machines/reduced_hypercube.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::reduced_hypercube_test {
namespace {

struct Size {
  unsigned k;
  unsigned n;
  std::uint64_t diameter;  // 2 * 2^n + k - n for n >= 1, k + 1 for n = 0
};

/// The machines on which mukherjee.md was verified.
const std::vector<Size> sizes = {{2, 0, 3}, {1, 1, 4},  {2, 1, 5},  {3, 1, 6}, {2, 2, 8},
                                 {3, 2, 9}, {4, 2, 10}, {5, 2, 11}, {3, 3, 16}};

std::string name(const Size& size) { return "RH(" + std::to_string(size.k) + "," + std::to_string(size.n) + ")"; }

TEST(ReducedHypercube, IsRegularAndHasTheDiameterOfTheSpecification) {
  for (const Size& size : sizes) {
    SCOPED_TRACE(name(size));
    const Topology topology = reduced_hypercube(size.k, size.n);
    const NaiveGraph graph = graph_of(topology);
    for (const std::set<Rank>& neighbours : graph.neighbours) EXPECT_EQ(neighbours.size(), size.k + 1);
    EXPECT_EQ(topology.links(), std::uint64_t{graph.size()} * (size.k + 1) / 2);
    std::uint64_t diameter = 0;
    for (Rank rank = 0; rank < graph.size(); ++rank) {
      const std::vector<std::uint64_t> distances = graph.distances(rank);
      diameter = std::max(diameter, *std::max_element(distances.begin(), distances.end()));
    }
    EXPECT_EQ(diameter, size.diameter);
    EXPECT_EQ(facts(parse_machine(topology.name())).diameter, size.diameter);
  }
}

TEST(ReducedHypercube, SplitsAddressesIntoFields) {
  const ReducedHypercube rh(5, 2);  // 4 bits of block, then 2 of subblock and 3 of layer
  const Rank x = 0b1011'01'110;
  EXPECT_EQ(rh.bb(x), 0b1011U);
  EXPECT_EQ(rh.f0(x), 0b01110U);
  EXPECT_EQ(rh.sb(x), 0b01U);
  EXPECT_EQ(rh.lo(x), 0b110U);
  EXPECT_EQ(rh.node(0b1011, 0b01, 0b110), x);
  EXPECT_EQ(rh.neighbour(x, 0), Rank{0b1011'01'111});
  EXPECT_EQ(rh.neighbour(x, 4), Rank{0b1011'11'110});
  EXPECT_EQ(rh.neighbour(x, 5), Rank{0b1001'01'110});  // subblock 1: bit 1 of the block
  EXPECT_EQ(rh.block_dimensions(), 4U);
  EXPECT_EQ(rh.layer_dimensions(), 3U);
  EXPECT_EQ(rh.address_bits(), 9U);
  EXPECT_EQ(rh.processors(), 512U);
  EXPECT_EQ(rh.blocks(), 16U);
  EXPECT_EQ(rh.outer_port(), 5U);
  EXPECT_EQ(reduced_hypercube(5, 2).label(x), "1011.01110");
}

TEST(ReducedHypercube, RefusesWhatDoesNotExist) {
  EXPECT_THROW(ReducedHypercube(1, 2), std::invalid_argument);
  EXPECT_THROW(ReducedHypercube(5, 5), std::invalid_argument);
  EXPECT_THROW(ReducedHypercube(16, 4), std::invalid_argument);
  EXPECT_THROW(ReducedHypercube(31, 0), std::invalid_argument);
  EXPECT_THROW(ReducedHypercube(4294967295U, 0), std::invalid_argument);
  EXPECT_EQ(ReducedHypercube(15, 4).processors(), std::uint64_t{1} << 31);
  EXPECT_EQ(ReducedHypercube(0, 0).processors(), 2U);
}

TEST(ReducedHypercube, WithoutSubblocksIsTheCube) {
  for (unsigned k = 0; k <= 7; ++k) EXPECT_EQ(graph_of(reduced_hypercube(k, 0)), naive_hypercube(k + 1)) << "k = " << k;
}

TEST(ReducedHypercube, OfOneAndOneIsARingOfEight) {
  const NaiveGraph graph = graph_of(reduced_hypercube(1, 1));
  std::vector<Rank> walk = {0, *graph.neighbours[0].begin()};
  while (walk.back() != 0) {
    ASSERT_EQ(graph.neighbours[walk.back()].size(), 2U);
    const Rank before = walk[walk.size() - 2];
    const Rank smaller = *graph.neighbours[walk.back()].begin();
    walk.push_back(smaller == before ? *graph.neighbours[walk.back()].rbegin() : smaller);
  }
  EXPECT_EQ(walk.size(), 9U);
}

/// RH(2,2) is CCC(4): ring position p goes to subblock gray(p), cube bit p to block bit gray(p) (mukherjee.md,
/// Embeddings).
TEST(ReducedHypercube, OfTwoAndTwoIsTheCubeConnectedCycles) {
  const NaiveGraph graph = graph_of(reduced_hypercube(2, 2));
  const auto node = [](Rank corner, Rank position) {
    Rank block = 0;
    for (Rank p = 0; p < 4; ++p) block += (corner / (Rank{1} << p) % 2) * (Rank{1} << gray(p));
    return block * 4 + gray(position);
  };
  for (Rank corner = 0; corner < 16; ++corner) {
    for (Rank position = 0; position < 4; ++position) {
      const std::set<Rank> expected = {node(corner, (position + 1) % 4), node(corner, (position + 3) % 4),
                                       node(corner ^ Rank{1} << position, position)};
      EXPECT_EQ(graph.neighbours[node(corner, position)], expected);
    }
  }
}

TEST(ReducedHypercube, LayersAreCubesOfSmallerMachines) {
  const ReducedHypercube rh(4, 2);
  const Topology topology = reduced_hypercube(4, 2);
  for (Rank x = 0; x < topology.processors(); ++x) {
    for (Port port = 0; port <= 4; ++port) {
      const Rank y = topology.peer(x, port).rank;
      EXPECT_EQ(rh.lo(x) != rh.lo(y), port < 2);
      EXPECT_EQ(rh.sb(x) != rh.sb(y), port == 2 || port == 3);
      EXPECT_EQ(rh.bb(x) != rh.bb(y), port == 4);
    }
  }
}

TEST(ReducedHypercube, MovesTheOriginToEveryNode) {
  for (const Size& size : sizes) {
    const ReducedHypercube rh(size.k, size.n);
    if (rh.processors() > 512) continue;
    SCOPED_TRACE(name(size));
    const Topology topology = reduced_hypercube(size.k, size.n);
    for (Rank root = 0; root < topology.processors(); ++root) {
      EXPECT_EQ(rh.move(0, root), root);
      for (Rank x = 0; x < topology.processors(); ++x) {
        const Rank there = rh.move(x, root);
        ASSERT_EQ(rh.unmove(there, root), x);
        for (Port port = 0; port < topology.ports(); ++port) {
          ASSERT_EQ(topology.peer(there, port), (End{rh.move(topology.peer(x, port).rank, root), port}));
        }
      }
    }
  }
}

TEST(ReducedHypercube, PlainXorBreaksHalfAsManyLinksAsNodes) {
  for (const Size& size : sizes) {
    SCOPED_TRACE(name(size));
    const ReducedHypercube rh(size.k, size.n);
    const NaiveGraph graph = graph_of(reduced_hypercube(size.k, size.n));
    for (Rank root = 0; root < std::min<Rank>(graph.size(), 64); ++root) {
      std::uint64_t broken_ends = 0;
      for (Rank x = 0; x < graph.size(); ++x) {
        for (const Rank y : graph.neighbours[x]) broken_ends += graph.neighbours[x ^ root].count(y ^ root) == 0 ? 1 : 0;
      }
      EXPECT_EQ(broken_ends / 2, rh.sb(root) == 0 ? 0 : graph.size() / 2) << "root " << root;
    }
  }
}

TEST(ReducedHypercube, CorrectsBlockBitsFirstOnEcubePaths) {
  // RH(2,2): block bit m leads out of subblock m. From block 0 to 1010: subblocks 0, 1, out, 1, 3, out, and back to 0.
  const ReducedHypercube rh(2, 2);
  EXPECT_EQ(rh.ecube_path(rh.node(0, 0, 0), rh.node(0b1010, 0, 0)), (std::vector<Port>{0, 2, 1, 2, 0, 1}));
  // RH(3,1): ports 2 between the subblocks, 0 and 1 between the layers.
  EXPECT_EQ(ReducedHypercube(3, 1).ecube_path(0b00'000, 0b11'011), (std::vector<Port>{3, 2, 3, 0, 1, 2}));
  EXPECT_EQ(ReducedHypercube(1, 0).ecube_path(0b00, 0b11), (std::vector<Port>{1, 0}));
  EXPECT_EQ(ecube_path(0b0011, 0b1010), (std::vector<Port>{0, 3}));
}

TEST(ReducedHypercube, EcubePathsLeadToEveryNodeAndAreNoLongerThanTheSpecSays) {
  for (const Size& size : sizes) {
    const ReducedHypercube rh(size.k, size.n);
    if (rh.processors() > 512) continue;
    SCOPED_TRACE(name(size));
    std::size_t longest = 0;
    for (Rank from = 0; from < rh.processors(); ++from) {
      for (Rank to = 0; to < rh.processors(); ++to) {
        Rank here = from;
        const std::vector<Port> ports = rh.ecube_path(from, to);
        for (const Port port : ports) here = rh.neighbour(here, port);
        ASSERT_EQ(here, to);
        longest = std::max(longest, ports.size());
      }
    }
    EXPECT_EQ(longest, 3 * (std::size_t{1} << size.n) - 2 + size.k);  // mukherjee.md, Routing
  }
}

TEST(ReducedHypercube, PermutesBlockBitsToPositionXorSubblock) {
  const ReducedHypercube rh(3, 3);
  EXPECT_EQ(rh.permute_block(0b0000'0001, 5), 0b0010'0000U);
  EXPECT_EQ(rh.permute_block(0b1000'0000, 7), 0b0000'0001U);
  for (Rank s = 0; s < 8; ++s) {
    for (Rank block = 0; block < 256; ++block) EXPECT_EQ(rh.permute_block(rh.permute_block(block, s), s), block);
  }
}

}  // namespace
}  // namespace lockstep::reduced_hypercube_test
