#include "lockstep/machines/embedding.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::embedding_test {
namespace {

Embedding embedded(const std::string& guest, const std::string& host) { return embedding(guest, parse_machine(host)); }

std::string refusal(const std::string& guest, const std::string& host) {
  try {
    embedded(guest, host);
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
  EXPECT_EQ(refusal("torus:4x4", "hypercube:5"),
            "torus:4x4 takes a hypercube:4 (2 + 2 dimensions for its sides), not hypercube:5");
  EXPECT_EQ(refusal("torus:4x5", "hypercube:5"), "torus:4x5 has a ring of odd length, 5, and a hypercube has none");
  EXPECT_EQ(refusal("hypercube:4", "hypercube:4"), "hypercube:4 needs no embedding in itself");
  EXPECT_EQ(refusal("hypercube:5", "rh:2,2"), "rh:2,2 holds hypercube:6, of as many processors, not hypercube:5");
  EXPECT_EQ(refusal("ccc:3", "rh:2,2"), "rh:2,2 holds cube-connected cycles of 2^N, ccc:4, not ccc:3");
  EXPECT_EQ(refusal("ring:32", "rh:2,2"), "rh:2,2 holds the ring of all its processors, ring:64, not ring:32");
  EXPECT_EQ(refusal("path:65", "rh:2,2"), "rh:2,2 holds paths of at most 64 processors, not path:65");
  EXPECT_EQ(refusal("star:4", "hypercube:5"),
            "no embedding of star:4 in hypercube:5 is known; hypercube holds torus:AxB.., mesh:AxB.., ring:M, path:M, "
            "binary-tree or complete:2^N");
  EXPECT_EQ(refusal("bus:4", "rh:2,2").substr(0, 30), "no embedding of bus:4 in rh:2,");
  EXPECT_EQ(refusal("ring:4", "torus:4x4"), "no embedding of ring:4 in torus:4x4 is known; torus holds complete:N");
  EXPECT_EQ(refusal("complete:4", "bus:4"),
            "nothing can be embedded in bus:4: only a machine with links can be a host");
  EXPECT_EQ(refusal("complete:4", "ring:5"), "ring:5 holds complete:5, of as many processors, not complete:4");
  EXPECT_EQ(refusal("", "hypercube:2"), "--embed needs a machine, e.g. torus:4x8");
  EXPECT_EQ(refusal("binary-tree", "hypercube:0"), "hypercube:0 is too small for a binary tree");
  EXPECT_EQ(refusal("binary-tree", "hypercube:30"),
            "hypercube:30 is too large for an embedding of binary-tree: its places are a table of at most 16777216 "
            "processors");
  EXPECT_EQ(refusal("binary-tree", "torus:4x4"),
            "no embedding of binary-tree in torus:4x4 is known; torus holds complete:N");
  EXPECT_EQ(refusal("star:4", "rh:2,2"),
            "no embedding of star:4 in rh:2,2 is known; rh holds hypercube:K+2^N, ccc:2^N, ring:M, path:M, binary-tree "
            "or complete:N");
  EXPECT_EQ(refusal("complete:8192", "hypercube:13"), "complete:8192 is too large a guest: at most 4096 processors");
  EXPECT_THROW(embedded("torus:4y8", "hypercube:5"), MachineSpecError);
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
