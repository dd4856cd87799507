#include "lockstep/machines/embedding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <fstream>
#include <map>
#include <set>

#include "../temporary_directory.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::embedding_test {
namespace {

Embedding embedded(const std::string& guest, const std::string& host, const std::optional<std::string>& map = {}) {
  return embedding(guest, parse_machine(host), map);
}

std::string refusal(const std::string& guest, const std::string& host, const std::optional<std::string>& map = {}) {
  try {
    embedded(guest, host, map);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Costs by the definition: all paths as links of the built host's table.
struct WalkedCosts {
  std::uint64_t longest = 0;
  std::uint64_t sum = 0;
  std::uint64_t links = 0;
  std::uint64_t congestion = 0;
};

WalkedCosts walked(const Embedding& embedding) {
  const Topology host = build(embedding.host);
  std::map<std::pair<Rank, Rank>, std::uint64_t> uses;
  WalkedCosts costs;
  for (Rank from = 0; from < embedding.processors; ++from) {
    for (Port port = 0; port < embedding.ports; ++port) {
      const End to = embedding.wiring(from, port);
      if (!to) continue;
      EXPECT_EQ(embedding.wiring(to.rank, to.port), (End{from, port})) << embedding.guest;
      Rank at = embedding.place(from);
      std::uint64_t length = 0;
      for (const Port step : embedding.path(from, to.rank)) {
        const Rank next = host.peer(at, step).rank;
        costs.congestion = std::max(costs.congestion, ++uses[{at, next}]);
        at = next;
        ++length;
      }
      EXPECT_EQ(at, embedding.place(to.rank)) << embedding.guest << " from " << from << " to " << to.rank;
      costs.longest = std::max(costs.longest, length);
      costs.sum += length;
      ++costs.links;
    }
  }
  return costs;
}

/// Expects distinct places of the host and the costs that walking the paths gives; returns the costs.
EmbeddingCosts expect_sound(const Embedding& embedding) {
  std::set<Rank> places;
  for (Rank rank = 0; rank < embedding.processors; ++rank) {
    EXPECT_LT(embedding.place(rank), embedding.host.processors);
    places.insert(embedding.place(rank));
  }
  EXPECT_EQ(places.size(), embedding.processors);
  const EmbeddingCosts costs = costs_of(embedding);
  const WalkedCosts right = walked(embedding);
  EXPECT_EQ(costs.links, right.links);
  EXPECT_EQ(costs.dilation, right.longest);
  EXPECT_EQ(costs.average_dilation, right.links == 0 ? Fraction(0) : Fraction(right.sum, right.links));
  EXPECT_EQ(costs.congestion, right.congestion);
  EXPECT_EQ(costs.expansion, Fraction(embedding.host.processors, embedding.processors));
  return costs;
}

/// Expects every link of the guest to be a link of the host, and no two of them the same.
void expect_subgraph(const Embedding& embedding) {
  SCOPED_TRACE(embedding.guest + " in " + embedding.host.text);
  const EmbeddingCosts costs = expect_sound(embedding);
  EXPECT_TRUE(embedding.is_subgraph);
  if (costs.links == 0) return;
  EXPECT_EQ(costs.dilation, 1U);
  EXPECT_EQ(costs.average_dilation, Fraction(1));
  EXPECT_EQ(costs.congestion, 1U);
}

TEST(Embedding, GridsAreSubgraphsOfTheCube) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"torus:4x8", "hypercube:5"}, {"torus:1x1", "hypercube:0"},    {"torus:2x2", "hypercube:2"},
      {"torus:6x4", "hypercube:5"}, {"torus:10x6x2", "hypercube:8"}, {"torus:16", "hypercube:4"},
      {"mesh:3x5", "hypercube:5"},  {"mesh:1x7", "hypercube:3"},     {"mesh:2x3x4", "hypercube:5"},
      {"mesh:4x4", "hypercube:4"},  {"ring:1", "hypercube:0"},       {"ring:2", "hypercube:1"},
      {"ring:4", "hypercube:2"},    {"ring:6", "hypercube:3"},       {"ring:14", "hypercube:4"},
      {"path:1", "hypercube:0"},    {"path:5", "hypercube:3"},       {"path:8", "hypercube:3"}};
  for (const auto& [guest, host] : all) expect_subgraph(embedded(guest, host));
}

TEST(Embedding, OfARingOfAPowerOfTwoIsTheGrayCode) {
  const Embedding ring = embedded("ring:8", "hypercube:3");
  const std::vector<Rank> code{0, 1, 3, 2, 6, 7, 5, 4};
  for (Rank rank = 0; rank < 8; ++rank) EXPECT_EQ(ring.place(rank), code[rank]);
  const Embedding torus = embedded("torus:4x8", "hypercube:5");
  EXPECT_EQ(torus.place(8 * 2 + 5), 0b11111U);  // 2 -> 11, 5 -> 111
}

TEST(Embedding, ReducedHypercubesHoldCyclesRingsAndPaths) {
  for (const std::string host : {"rh:2,2", "rh:3,2", "rh:4,2"}) expect_subgraph(embedded("ccc:4", host));
  expect_subgraph(embedded("ccc:8", "rh:3,3"));
  const std::vector<std::pair<std::string, std::uint64_t>> sizes{{"rh:0,0", 2},  {"rh:2,0", 8},  {"rh:1,1", 8},
                                                                 {"rh:3,1", 32}, {"rh:2,2", 64}, {"rh:3,2", 128}};
  for (const auto& [host, processors] : sizes) {
    expect_subgraph(embedded("ring:" + std::to_string(processors), host));
    for (const std::uint64_t length : {std::uint64_t{1}, processors / 2 + 1, processors}) {
      expect_subgraph(embedded("path:" + std::to_string(length), host));
    }
  }
}

// Corollary 2: the mean is 17/9 for RH(5,2), 5/2 for RH(8,3); the theorem's longest is 2n + 1. A link between blocks
// ends at a star of D subblocks, so that 2^n paths share it.
TEST(Embedding, OfTheHypercubeHasTheDilationsOfTheTheorem) {
  const std::vector<std::tuple<unsigned, unsigned, Fraction>> sizes{{1, 0, Fraction(1)},     {1, 1, Fraction(5, 3)},
                                                                    {2, 1, Fraction(3, 2)},  {2, 2, Fraction(7, 3)},
                                                                    {5, 2, Fraction(17, 9)}, {3, 3, Fraction(35, 11)}};
  for (const auto& [k, n, mean] : sizes) {
    const std::string host = "rh:" + std::to_string(k) + "," + std::to_string(n);
    SCOPED_TRACE(host);
    const Embedding cube = embedded("hypercube:" + std::to_string(k + (1U << n)), host);
    EXPECT_TRUE(cube.is_emulation);
    const EmbeddingCosts costs = expect_sound(cube);
    EXPECT_EQ(costs.dilation, 2 * n + 1);
    EXPECT_EQ(costs.average_dilation, mean);
    EXPECT_GE(costs.congestion, std::uint64_t{1} << n);
  }
}

// All links of the tree but one are links of the cube; that one takes two of them.
TEST(Embedding, OfABinaryTreeInTheCubeStretchesOneLink) {
  for (unsigned n = 1; n <= 9; ++n) {
    SCOPED_TRACE(n);
    const Embedding tree = embedded("binary-tree", "hypercube:" + std::to_string(n));
    EXPECT_FALSE(tree.machine);
    EXPECT_EQ(tree.processors, (std::uint64_t{1} << n) - 1);
    const EmbeddingCosts costs = expect_sound(tree);
    EXPECT_EQ(costs.links, 2 * (tree.processors - 1));
    EXPECT_EQ(costs.dilation, n == 1 ? 0U : 2U);
    if (n > 1) {
      EXPECT_EQ(costs.average_dilation, Fraction(costs.links + 2, costs.links));
    }
  }
  for (const std::string host : {"rh:1,1", "rh:2,2", "rh:3,2", "rh:3,3"}) expect_sound(embedded("binary-tree", host));
}

// Status of ring:8 is 1+1+2+2+3+3+4 = 16; the 2 x 8 directed links carry 8 x 16 hops, 8 each on average, but paths of
// length 4 all go upwards: 3+2+1+4 paths over a link up, 3+2+1 over one down.
TEST(Embedding, OfTheCompleteGraphTakesShortestWays) {
  const EmbeddingCosts costs = costs_of(embedding("complete:8", parse_machine("ring:8")));
  EXPECT_EQ(costs.links, 56U);
  EXPECT_EQ(costs.dilation, 4U);
  EXPECT_EQ(costs.average_dilation, Fraction(16, 7));
  EXPECT_EQ(costs.congestion, 10U);
  for (const std::string host : {"path:5", "mesh:3x4", "hypercube:3+1", "star:4"}) {
    expect_sound(embedded("complete:" + std::to_string(parse_machine(host).processors), host));
  }
  const Embedding torus = embedding("complete:12", parse_machine("torus:3x4"));
  EXPECT_EQ(torus.path(0, 11), (std::vector<Port>{1, 3}));  // down in both dimensions
  EXPECT_EQ(torus.path(0, 2), (std::vector<Port>{2, 2}));   // as far down as up
  EXPECT_EQ(torus.path(5, 5), std::vector<Port>{});
  EXPECT_EQ(embedding("complete:8", parse_machine("hypercube:3")).path(1, 6), (std::vector<Port>{0, 1, 2}));
}

TEST(Embedding, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal("torus:4x9", "hypercube:5"), "hypercube:5 has 32 processors, too few for torus:4x9, which has 36");
  EXPECT_EQ(refusal("hypercube:4", "hypercube:4"), "hypercube:4 needs no embedding in itself");
  EXPECT_EQ(refusal("path:65", "rh:2,2"), "rh:2,2 has 64 processors, too few for path:65, which has 65");
  EXPECT_EQ(refusal("bus:4", "rh:2,2"), "bus:4 has no links, and only a machine with links can be embedded");
  EXPECT_EQ(refusal("complete:4", "bus:4"),
            "nothing can be embedded in bus:4: only a machine with links can be a host");
  EXPECT_EQ(refusal("", "hypercube:2"), "--embed needs a machine, e.g. torus:4x8");
  EXPECT_EQ(refusal("binary-tree", "hypercube:0"), "hypercube:0 is too small for a binary tree");
  EXPECT_EQ(refusal("binary-tree", "hypercube:30"),
            "hypercube:30 is too large for an embedding of binary-tree: its places are a table of at most 16777216 "
            "processors");
  EXPECT_EQ(refusal("binary-tree", "torus:4x4"),
            "no embedding of binary-tree in torus:4x4 is known; hypercube and rh hold one");
  EXPECT_EQ(refusal("complete:8192", "hypercube:13"), "complete:8192 is too large a guest: at most 4096 processors");
  EXPECT_EQ(refusal("hypercube:13", "circulant:8192,1,3"),
            "circulant:8192,1,3 is too large a host for hypercube:13: the distances of all pairs are kept for at most "
            "4096 processors");
  EXPECT_THROW(embedded("torus:4y8", "hypercube:5"), MachineSpecError);
}

/// The number of links from every processor to `to`, by breadth-first search over the built machine.
std::vector<std::uint64_t> links_to(const Topology& host, Rank to) {
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  std::vector<std::uint64_t> links(host.processors(), unknown);
  links[to] = 0;
  for (std::deque<Rank> next{to}; !next.empty(); next.pop_front()) {
    for (Port port = 0; port < host.ports(); ++port) {
      const End end = host.peer(next.front(), port);
      if (!end || links[end.rank] != unknown) continue;
      links[end.rank] = links[next.front()] + 1;
      next.push_back(end.rank);
    }
  }
  return links;
}

TEST(Embedding, TakesTheShortestPathsOverTheLowestPorts) {
  for (const std::string text : {"mesh:4x3", "torus:4x5", "torus:2x6", "ring:7", "ring:8", "path:6", "mesh:2x2x3"}) {
    const MachineSpec machine = parse_machine(text);
    const Topology host = build(machine);
    const Embedding complete = embedded("complete:" + std::to_string(machine.processors), text);
    for (Rank to = 0; to < machine.processors; ++to) {
      const std::vector<std::uint64_t> links = links_to(host, to);
      for (Rank from = 0; from < machine.processors; ++from) {
        const std::vector<Port> path = complete.path(from, to);
        ASSERT_EQ(path.size(), links[from]) << text << " from " << from << " to " << to;
        Rank at = from;
        for (const Port port : path) {
          for (Port lower = 0; lower < port; ++lower) {
            const End end = host.peer(at, lower);
            EXPECT_TRUE(!end || links[end.rank] >= links[at]) << text << " from " << from << " to " << to;
          }
          at = host.peer(at, port).rank;
        }
      }
    }
  }
}

// Harper 1966, Bezrukov et al. 2000: the first m corners in Gray order have the fewest links to the others, at most
// floor(2^(k+1) / 3) of a k-cube, and 2^(k-1) half way, which is sqrt(p) / 2 in a square mesh (Grama et al.
// 2003, 2.7.1).
TEST(Embedding, OfTheHypercubeInAMeshSharesLinksAsTheCutsOfItsRows) {
  for (unsigned k = 1; k <= 4; ++k) {
    const std::string side = std::to_string(1U << k);
    const std::uint64_t most = (std::uint64_t{2} << k) / 3;
    const std::uint64_t farthest = (std::uint64_t{1} << k) - 1;  // 0 and the last word, 10..0
    for (const std::string& host : {"path:" + side, "mesh:" + side + "x" + side, "mesh:2x" + side}) {
      SCOPED_TRACE(host);
      const unsigned dimensions = host.starts_with("path") ? k : host.starts_with("mesh:2x") ? k + 1 : 2 * k;
      const Embedding cube = embedded("hypercube:" + std::to_string(dimensions), host);
      const EmbeddingCosts costs = expect_sound(cube);
      EXPECT_EQ(costs.congestion, most);
      EXPECT_EQ(costs.dilation, farthest);
      EXPECT_EQ(cube.is_subgraph, k == 1);
    }
  }
  const EmbeddingCosts square = costs_of(embedded("hypercube:4", "mesh:4x4"));
  EXPECT_EQ(square.congestion, 2U);  // sqrt(16) / 2
  const EmbeddingCosts plain = costs_of(embedded("hypercube:4", "path:16", "row-major"));
  EXPECT_EQ(plain.congestion, 10U);  // floor(32 / 3)
  EXPECT_EQ(plain.dilation, 8U);     // the highest bit
}

TEST(Embedding, OfTheHypercubeInARingGoesTheShorterWayRound) {
  for (const Rank length : {4U, 8U, 16U, 32U}) {
    std::vector<Rank> place(length);
    for (Rank i = 0; i < length; ++i) place[i ^ (i >> 1)] = i;
    std::vector<std::uint64_t> upwards(length);  // over the link from a place to the next
    std::uint64_t longest = 0;
    for (Rank x = 0; x < length; ++x) {
      for (Rank bit = 1; bit < length; bit *= 2) {
        const Rank ahead = (place[x ^ bit] + length - place[x]) % length;
        longest = std::max<std::uint64_t>(longest, std::min(ahead, length - ahead));
        if (ahead > length / 2) continue;
        for (Rank step = 0; step < ahead; ++step) ++upwards[(place[x] + step) % length];
      }
    }
    const Embedding cube =
        embedded("hypercube:" + std::to_string(std::countr_zero(length)), "ring:" + std::to_string(length));
    const EmbeddingCosts costs = expect_sound(cube);
    EXPECT_EQ(costs.congestion, *std::ranges::max_element(upwards));
    EXPECT_EQ(costs.dilation, longest);
    EXPECT_EQ(costs.dilation, length / 2 - 1);  // all places of neighbours differ by an odd number
    for (Rank x = 0; x < length; ++x) EXPECT_EQ(cube.place(x), place[x]);
  }
  EXPECT_TRUE(embedded("hypercube:2", "ring:4").is_subgraph);
}

TEST(Embedding, OfTheHypercubeInATorusOfSidesOfFourHasOnlyItsLinks) {
  for (const auto& [guest, host] : std::vector<std::pair<std::string, std::string>>{
           {"hypercube:4", "torus:4x4"}, {"hypercube:5", "torus:2x4x4"}, {"hypercube:2", "mesh:2x2"}}) {
    expect_subgraph(embedded(guest, host));
  }
}

// Grama et al. 2003, 2.7.1: row by row back and forth, sqrt(p) + 1 links of the mesh share one of the linear array:
// those of the columns and one of a row. The ends of a row's neighbours are 2 B - 1 apart.
TEST(Embedding, OfAMeshInALineSharesItsColumnsAndOneRow) {
  for (const auto& [rows, columns] : {std::pair{4U, 4U}, {3U, 5U}, {5U, 2U}, {8U, 8U}}) {
    const std::string guest = "mesh:" + std::to_string(rows) + "x" + std::to_string(columns);
    const Embedding mesh = embedded(guest, "path:" + std::to_string(rows * columns));
    EXPECT_EQ(mesh.place(columns), 2 * columns - 1);
    EXPECT_EQ(mesh.place(columns + 1), 2 * columns - 2);
    const EmbeddingCosts costs = expect_sound(mesh);
    EXPECT_EQ(costs.congestion, columns + 1) << guest;
    EXPECT_EQ(costs.dilation, 2 * columns - 1) << guest;
    const EmbeddingCosts plain = expect_sound(embedded(guest, "path:" + std::to_string(rows * columns), "row-major"));
    EXPECT_EQ(plain.congestion, columns + 1) << guest;
    EXPECT_EQ(plain.dilation, columns) << guest;
  }
  EXPECT_EQ(expect_sound(embedded("mesh:4x4", "ring:16")).congestion, 5U);
  expect_sound(embedded("torus:4x6", "ring:24"));
  expect_sound(embedded("mesh:2x8", "torus:4x4"));
  EXPECT_EQ(costs_of(embedded("mesh:4x4", "ring:64")).expansion, Fraction(4));
}

TEST(Embedding, OfARingInAGridIsAHamiltonianCycleOrFolded) {
  for (const std::string host : {"mesh:4x4", "mesh:3x4", "mesh:5x2", "torus:3x3", "torus:4x5", "mesh:2x3x3"}) {
    expect_subgraph(embedded("ring:" + std::to_string(parse_machine(host).processors), host));
  }
  for (const auto& [guest, host] : std::vector<std::pair<std::string, std::string>>{{"ring:15", "mesh:3x5"},
                                                                                    {"ring:7", "path:7"},
                                                                                    {"ring:6", "path:9"},
                                                                                    {"ring:9", "torus:4x4"},
                                                                                    {"torus:4x4", "mesh:4x4"},
                                                                                    {"torus:5x3", "mesh:5x4"},
                                                                                    {"torus:3x4", "torus:4x4"},
                                                                                    {"torus:4x5", "hypercube:5"}}) {
    SCOPED_TRACE(guest + " in " + host);
    const EmbeddingCosts costs = expect_sound(embedded(guest, host));
    EXPECT_EQ(costs.dilation, 2U);
    EXPECT_LE(costs.congestion, 3U);  // a path of two links may leave the turns of the path of all
  }
}

TEST(Embedding, PutsPathsAndMeshesWhereTheirLinksAre) {
  for (const auto& [guest, host] : std::vector<std::pair<std::string, std::string>>{{"path:16", "mesh:4x4"},
                                                                                    {"path:9", "torus:4x4"},
                                                                                    {"path:8", "ring:8"},
                                                                                    {"mesh:3x4", "torus:3x5"},
                                                                                    {"mesh:2x3x2", "mesh:2x3x4"},
                                                                                    {"path:7", "rh:2,1"},
                                                                                    {"hypercube:3", "hypercube:5"},
                                                                                    {"torus:4x2", "hypercube:6"},
                                                                                    {"ring:12", "complete:12"}}) {
    expect_subgraph(embedded(guest, host));
  }
}

// Of the others ranks stay as they are. Shuffles of 4 bits differ in 2 of them or in all, exchanges in 1.
using Guests = std::vector<std::string>;

Guests spanning(const std::string& host) {
  Guests guests;
  for (const Embedding& one : spanning_machines(parse_machine(host))) {
    EXPECT_EQ(one.processors, one.host.processors);
    expect_subgraph(one);
    guests.push_back(one.guest);
  }
  return guests;
}

TEST(Embedding, SpansRicherMachinesWithPoorerOnes) {
  EXPECT_EQ(spanning("path:9"), Guests{});
  EXPECT_EQ(spanning("ring:9"), Guests{"path:9"});
  EXPECT_EQ(spanning("mesh:3x5"), Guests{"path:15"});
  EXPECT_EQ(spanning("mesh:3x4"), (Guests{"path:12", "ring:12"}));
  EXPECT_EQ(spanning("torus:3x5"), (Guests{"path:15", "ring:15", "mesh:3x5"}));
  EXPECT_EQ(spanning("rh:2,1"), (Guests{"path:16", "ring:16"}));
  EXPECT_EQ(spanning("circulant:15,1,4"), (Guests{"path:15", "ring:15"}));
  EXPECT_EQ(spanning("bus:16"), Guests{});
  EXPECT_EQ(spanning("hypercube:17"), Guests{});
  EXPECT_EQ(spanning("hypercube:3"),
            (Guests{"path:8", "ring:8", "mesh:2x4", "torus:2x4", "mesh:2x2x2", "torus:2x2x2"}));
  EXPECT_EQ(spanning("torus:2x4"),
            (Guests{"path:8", "ring:8", "hypercube:3", "mesh:2x4", "mesh:2x2x2", "torus:2x2x2"}));
  EXPECT_EQ(spanning("complete:6"), (Guests{"path:6", "ring:6", "mesh:2x3", "torus:2x3"}));
  EXPECT_EQ(spanning("hypercube:8"), (Guests{"path:256", "ring:256"}));
}

// A ring of 4 is a square, so all that spans the hypercube spans this torus too.
TEST(Embedding, SpansATorusOfSidesOfFourWithWhatSpansTheHypercube) {
  Guests of_cube = spanning("hypercube:4");
  Guests of_torus = spanning("torus:4x4");
  std::erase(of_cube, "torus:4x4");
  std::erase(of_torus, "hypercube:4");
  EXPECT_EQ(of_torus, of_cube);
  EXPECT_EQ(of_cube.size(), 7U);
}

TEST(Embedding, LeavesRanksWhereNoOrderIsKnown) {
  const Embedding shuffle = embedded("shuffle-exchange:4", "hypercube:4");
  for (Rank rank = 0; rank < 16; ++rank) EXPECT_EQ(shuffle.place(rank), rank);
  EXPECT_EQ(expect_sound(shuffle).dilation, 4U);  // 0101 to 1010
  expect_sound(embedded("star:4", "mesh:4x6"));
  expect_sound(embedded("ccc:3", "star:4"));
  expect_sound(embedded("hypercube:5", "rh:2,2"));
  expect_sound(embedded("complete:5", "ring:16"));
}

// Thompson & Kung 1977: in a 4x4 mesh in shuffled row-major order
//    0  1  4  5      row and column bits r1 r0, c1 c0 have the index r1 c1 r0 c0.
//    2  3  6  7
//    8  9 12 13
//   10 11 14 15
TEST(Embedding, FollowsTheOrdersOfMap) {
  const std::vector<Rank> shuffled{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
  const Embedding cube = embedded("hypercube:4", "mesh:4x4", "shuffled");
  const Embedding mesh = embedded("mesh:4x4", "ring:16", "shuffled");
  for (Rank rank = 0; rank < 16; ++rank) {
    EXPECT_EQ(shuffled[cube.place(rank)], rank);
    EXPECT_EQ(mesh.place(rank), shuffled[rank]);
  }
  EXPECT_EQ(expect_sound(cube).dilation, 2U);
  expect_sound(mesh);
  const Embedding gray_mesh = embedded("mesh:4x4", "ring:16", "gray");
  const Embedding snake = embedded("mesh:4x4", "ring:16", "snake");
  const Embedding gray_cube = embedded("hypercube:4", "mesh:4x4", "gray");
  const Embedding usual = embedded("hypercube:4", "mesh:4x4");
  for (Rank rank = 0; rank < 16; ++rank) {
    EXPECT_EQ(gray_mesh.place(rank), snake.place(rank));  // the reflected Gray code is a snake through the sides
    EXPECT_EQ(gray_cube.place(rank), usual.place(rank));
    EXPECT_EQ(embedded("torus:4x4", "ring:16", "row-major").place(rank), rank);
  }
  const Embedding unequal = embedded("hypercube:4", "mesh:2x8", "shuffled");
  EXPECT_EQ(unequal.place(0b1010), 0b1000U | 0b100U);  // bits c2 c1 r0 c0: row 1, column 100
  EXPECT_EQ(refusal("hypercube:3", "mesh:3x4", "shuffled"),
            "--map shuffled needs two machines of which each is a hypercube, or a torus, mesh, ring or path with sides "
            "that are powers of 2, not hypercube:3 and mesh:3x4");
  EXPECT_EQ(refusal("star:3", "mesh:3x4", "snake"),
            "--map snake needs two machines of which each is a torus, mesh, ring, path or hypercube, not star:3 and "
            "mesh:3x4");
  EXPECT_EQ(refusal("binary-tree", "hypercube:3", "gray"),
            "--map is for machines; binary-tree is always placed by levels");
}

class MappingFile : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path = directory_.file("places.txt");
    std::ofstream(path) << text;
    return path;
  }
  std::string refused(const std::string& text) { return refusal("ring:4", "path:5", file(text)); }

 private:
  test::TemporaryDirectory directory_;
};

TEST_F(MappingFile, GivesTheHostsRanksLineByLine) {
  const Embedding ring = embedded("ring:4", "path:5", file("# a ring, folded\n1\n 3 # the next\n\n4\r\n2"));
  const std::vector<Rank> places{1, 3, 4, 2};
  for (Rank rank = 0; rank < 4; ++rank) EXPECT_EQ(ring.place(rank), places[rank]);
  const EmbeddingCosts costs = expect_sound(ring);
  EXPECT_EQ(costs.dilation, 2U);
  EXPECT_EQ(costs.congestion, 2U);
  EXPECT_EQ(costs.expansion, Fraction(5, 4));
  EXPECT_NE(ring.map.find("as in the file"), std::string::npos);
  EXPECT_FALSE(ring.is_subgraph);
  expect_subgraph(embedded("ring:4", "mesh:2x2", file("0\n1\n3\n2\n")));
  expect_subgraph(embedded("ring:4", "ring:4", file("1\n0\n3\n2\n")));  // the same ring, the other way round
}

TEST_F(MappingFile, RefusesWhatIsNoMap) {
  const auto expect = [this](const std::string& text, const std::string& problem) {
    const std::string said = refused(text);
    EXPECT_NE(said.find("places.txt"), std::string::npos) << said;
    EXPECT_NE(said.find(problem), std::string::npos) << said;
  };
  expect("0\n1\nx\n2\n", "line 3: 'x' is not a rank of the host");
  expect("0\n1 2\n3\n4\n", "line 2: '1 2' is not a rank of the host");
  expect("-1\n", "line 1: '-1' is not a rank of the host");
  expect("0\n#\n5\n1\n2\n", "line 3: rank 5 is out of range: path:5 has 0 to 4");
  expect("99999999999999999999\n", "line 1: rank 99999999999999999999 is out of range");
  expect("0\n2\n1\n2\n", "line 4: rank 2 is given twice, first in line 2");
  expect("0\n1\n2\n3\n4\n", "line 5: one rank too many: the guest has 4 processors");
  expect("0\n1\n2\n", "has 3 ranks, where 4 are needed");
  expect("", "has 0 ranks, where 4 are needed");
  EXPECT_EQ(
      refusal("ring:4", "path:5", "no/such/file"),
      "--map cannot read 'no/such/file': No such file or directory (it takes a file with a rank a line, or one of "
      "row-major, snake, gray, shuffled)");
  EXPECT_NE(refusal("ring:4", "path:5", "/").find("it is a directory"), std::string::npos);
}

TEST(Embedding, OfTheEmulatedHypercubeIsThatOfAsManyProcessors) {
  const Embedding cube = emulated_hypercube(parse_machine("rh:3,2"));
  EXPECT_EQ(cube.guest, "hypercube:7");
  EXPECT_TRUE(cube.is_emulation);
  EXPECT_EQ(cube.processors, 128U);
  for (Rank rank = 0; rank < 128; ++rank) EXPECT_EQ(cube.place(rank), rank);
}

// Within a block it is the cube's own link; between blocks 2^n subblocks send one message each, one after the other,
// over a link that is nearest to one of them.
TEST(Embedding, OfTheHypercubeExchangesInAsManySteps) {
  for (unsigned n = 0; n <= 4; ++n) {
    const ReducedHypercube rh(std::max(n, 1U), n);
    SCOPED_TRACE(n);
    const std::uint64_t one_way = n == 0 ? 1 : (std::uint64_t{1} << n) + 1;
    for (const bool is_both_ways : {false, true}) {
      EXPECT_EQ(exchange_steps(rh, 0, PortModel::one, is_both_ways), 1U);
      EXPECT_EQ(exchange_steps(rh, static_cast<Port>(rh.k()), PortModel::all, is_both_ways), one_way);
    }
    EXPECT_EQ(exchange_steps(rh, static_cast<Port>(rh.k()), PortModel::one, false), one_way);
    EXPECT_GE(exchange_steps(rh, static_cast<Port>(rh.k()), PortModel::one, true), one_way);
  }
}

}  // namespace
}  // namespace lockstep::embedding_test
