#include "lockstep/machines/reduced_hypercube_embeddings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "../sanitized.hpp"
#include "naive_graph.hpp"

namespace lockstep::reduced_hypercube_embeddings_test {
namespace {

struct Size {
  unsigned k;
  unsigned n;

  std::uint64_t bits() const { return k + (1U << n); }
  std::string name() const { return "RH(" + std::to_string(k) + "," + std::to_string(n) + ")"; }
};

/// Every RH(k,n) with at most 2^most_bits nodes.
std::vector<Size> sizes(std::uint64_t most_bits) {
  std::vector<Size> all;
  for (unsigned n = 0; n <= 4; ++n) {
    for (unsigned k = n; Size{k, n}.bits() <= most_bits; ++k) all.push_back({k, n});
  }
  return all;
}

/// By the definition (mukherjee.md, Machine): one bit differs, one of the lowest k or the one that the n bits below bit
/// k select.
bool are_neighbours(const Size& size, Rank x, Rank y) {
  for (unsigned bit = 0; bit < size.k; ++bit) {
    if ((x ^ y) == Rank{1} << bit) return true;
  }
  const Rank subblock = x % (Rank{1} << size.k) / (Rank{1} << (size.k - size.n));
  return (x ^ y) == Rank{1} << (size.k + subblock);
}

std::uint64_t choose(std::uint64_t n, std::uint64_t p) { return p == 0 ? 1 : choose(n, p - 1) * (n - p + 1) / p; }

TEST(HypercubeDilation, IsTheDistanceForEveryLinkOfTheCube) {
  for (const Size& size : sizes(9)) {
    SCOPED_TRACE(size.name());
    const ReducedHypercube rh(size.k, size.n);
    const NaiveGraph graph = naive_reduced_hypercube(size.k, size.n);
    for (Rank x = 0; x<graph.size(); x += graph.size()> 512 ? 37 : 1) {
      const std::vector<std::uint64_t> distances = graph.distances(x);
      std::multiset<std::uint64_t> found;
      for (Port b = 0; b < size.bits(); ++b) {
        EXPECT_EQ(dilation(rh, x, b), distances[x ^ Rank{1} << b]) << "node " << x << ", bit " << b;
        found.insert(distances[x ^ Rank{1} << b]);
      }
      std::multiset<std::uint64_t> histogram;
      for (const Dilation::Class& one : hypercube_dilation(rh).classes) {
        for (std::uint64_t link = 0; link < one.links; ++link) histogram.insert(one.length);
      }
      ASSERT_EQ(histogram, found) << "node " << x;
    }
  }
}

TEST(HypercubeDilation, HasTheHistogramMeanAndMaximumOfTheSpecification) {
  for (const Size& size : sizes(31)) {
    SCOPED_TRACE(size.name());
    const Dilation dilation = hypercube_dilation(ReducedHypercube(size.k, size.n));
    ASSERT_EQ(dilation.classes.size(), size.n + 1);
    EXPECT_EQ(dilation.classes[0], (Dilation::Class{1, size.k + 1}));
    for (unsigned p = 1; p <= size.n; ++p) {
      EXPECT_EQ(dilation.classes[p], (Dilation::Class{2 * p + 1, choose(size.n, p)}));
    }
    EXPECT_EQ(dilation.maximum(), 2 * size.n + 1);
    const std::uint64_t D = 1U << size.n;
    EXPECT_EQ(dilation.mean, Fraction(size.k + D + size.n * D, size.k + D));  // 1 + n D / (k + D)
  }
  // The examples of the thesis.
  EXPECT_EQ(hypercube_dilation(ReducedHypercube(5, 2)).mean, Fraction(17, 9));
  EXPECT_EQ(hypercube_dilation(ReducedHypercube(8, 3)).mean, Fraction(5, 2));
}

TEST(EmbeddedCycles, AreDisjointAndTheirLinksAreLinks) {
  for (const Size& size : sizes(16)) {
    SCOPED_TRACE(size.name());
    const ReducedHypercube rh(size.k, size.n);
    const Rank D = Rank{1} << size.n;
    std::set<Rank> used;
    for (Rank layer = 0; layer < Rank{1} << (size.k - size.n); ++layer) {
      for (Rank corner = 0; corner < Rank{1} << D; ++corner) {
        for (Rank position = 0; position < D; ++position) {
          const Rank node = embedded_cycles_node(rh, layer, corner, position);
          EXPECT_TRUE(used.insert(node).second);
          const Rank across = embedded_cycles_node(rh, layer, corner ^ Rank{1} << position, position);
          ASSERT_TRUE(are_neighbours(size, node, across));
          if (D == 1) continue;
          const Rank next = embedded_cycles_node(rh, layer, corner, (position + 1) % D);
          ASSERT_TRUE(are_neighbours(size, node, next));
        }
      }
    }
    EXPECT_EQ(used.size(), std::uint64_t{1} << size.bits());
    EXPECT_EQ(*used.rbegin(), (std::uint64_t{1} << size.bits()) - 1);
  }
}

TEST(HamiltonianRing, VisitsEveryNodeOnceOverLinks) {
  for (const Size& size : sizes(sanitized ? 14 : 20)) {
    SCOPED_TRACE(size.name());
    const std::vector<Rank> ring = hamiltonian_ring(ReducedHypercube(size.k, size.n));
    ASSERT_EQ(ring.size(), std::uint64_t{1} << size.bits());
    EXPECT_EQ(ring[0], 0U);
    std::vector<bool> visited(ring.size());
    for (std::size_t place = 0; place < ring.size(); ++place) {
      ASSERT_LT(ring[place], ring.size());
      ASSERT_FALSE(visited[ring[place]]) << "place " << place;
      visited[ring[place]] = true;
      ASSERT_TRUE(are_neighbours(size, ring[place], ring[(place + 1) % ring.size()])) << "place " << place;
    }
  }
}

}  // namespace
}  // namespace lockstep::reduced_hypercube_embeddings_test
