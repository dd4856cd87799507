#include "naive_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <queue>
#include <random>

namespace lockstep {

namespace {

template <class AreNeighbours>
NaiveGraph graph_by_pairs(Rank size, const AreNeighbours& are_neighbours) {
  NaiveGraph graph;
  graph.neighbours.resize(size);
  for (Rank a = 0; a < size; ++a) {
    for (Rank b = 0; b < size; ++b) {
      if (a != b && are_neighbours(a, b)) graph.neighbours[a].insert(b);
    }
  }
  return graph;
}

using Tuple = std::vector<Rank>;

/// All tuples of coordinates below the sides, in lexicographic order.
std::vector<Tuple> tuples_below(const std::vector<Rank>& sides) {
  std::vector<Tuple> tuples = {{}};
  for (const Rank side : sides) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : tuples) {
      for (Rank coordinate = 0; coordinate < side; ++coordinate) {
        longer.push_back(tuple);
        longer.back().push_back(coordinate);
      }
    }
    tuples = longer;
  }
  return tuples;
}

/// The only place where two tuples of one length differ; their length if they differ in none or several.
std::size_t only_difference(const Tuple& a, const Tuple& b) {
  const auto place = std::mismatch(a.begin(), a.end(), b.begin());
  if (place.first == a.end()) return a.size();
  const bool is_only = std::equal(place.first + 1, a.end(), place.second + 1);
  return is_only ? static_cast<std::size_t>(place.first - a.begin()) : a.size();
}

std::string numbers(const std::vector<Rank>& values, const std::string& separator) {
  std::string text;
  for (const Rank value : values) text.append(text.empty() ? "" : separator).append(std::to_string(value));
  return text;
}

NaiveMachine one_dimensional(const std::string& family, Rank size) {
  const NaiveGraph graph = family == "ring"   ? naive_ring(size)
                           : family == "path" ? naive_path(size)
                                              : naive_complete(size);
  return {family + ":" + std::to_string(size), graph};
}

NaiveMachine sides(const std::string& family, const std::vector<Rank>& lengths) {
  std::vector<NaiveGraph> factors;
  for (const Rank length : lengths) factors.push_back(family == "torus" ? naive_ring(length) : naive_path(length));
  return {family + ":" + numbers(lengths, "x"), naive_product(factors)};
}

NaiveMachine cube(unsigned n) { return {"hypercube:" + std::to_string(n), naive_hypercube(n)}; }

NaiveMachine incomplete_cube(unsigned n, unsigned m) {
  return {"hypercube:" + std::to_string(n) + "+" + std::to_string(m), naive_incomplete_hypercube(n, m)};
}

NaiveMachine reduced(unsigned k, unsigned n) {
  return {"rh:" + std::to_string(k) + "," + std::to_string(n), naive_reduced_hypercube(k, n)};
}

/// All permutations of 0..n-1, in lexicographic order.
std::vector<Tuple> permutations(unsigned n) {
  Tuple symbols(n);
  std::iota(symbols.begin(), symbols.end(), 0);
  std::vector<Tuple> all;
  do {
    all.push_back(symbols);
  } while (std::next_permutation(symbols.begin(), symbols.end()));
  return all;
}

std::vector<std::size_t> differences(const Tuple& a, const Tuple& b) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < a.size(); ++place) {
    if (a[place] != b[place]) places.push_back(place);
  }
  return places;
}

Tuple rotated_left(const Tuple& bits) {
  Tuple result(bits.begin() + 1, bits.end());
  result.push_back(bits.front());
  return result;
}

NaiveMachine by_number(const std::string& family, NaiveGraph (*graph)(unsigned), unsigned n) {
  return {family + ":" + std::to_string(n), graph(n)};
}

NaiveMachine circulant_of(Rank m, const std::vector<Rank>& strides) {
  return {"circulant:" + std::to_string(m) + "," + numbers(strides, ","), naive_circulant(m, strides)};
}

NaiveMachine product_of(const std::vector<NaiveMachine>& factors) {
  NaiveMachine result{"product:", {}};
  std::vector<NaiveGraph> graphs;
  for (const NaiveMachine& factor : factors) {
    result.spec.append(graphs.empty() ? "" : "*").append(factor.spec);
    graphs.push_back(factor.graph);
  }
  result.graph = naive_product(graphs);
  return result;
}

NaiveMachine random_factor(std::mt19937& random) {
  const auto below = [&random](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  switch (below(10)) {
    case 0:
      return one_dimensional("ring", 1 + below(7));
    case 1:
      return one_dimensional("path", 1 + below(7));
    case 2:
      return one_dimensional("complete", 1 + below(5));
    case 3:
      return below(3) == 0 ? incomplete_cube(2, below(2)) : cube(below(4));
    case 4:
      return sides("torus", {1 + below(4), 1 + below(3)});
    case 5:
      return sides("mesh", {1 + below(3), 1 + below(4)});
    case 6:
      return reduced(1, below(2));
    case 7:
      return by_number("shuffle-exchange", naive_shuffle_exchange, 1 + below(3));
    case 8:
      return below(2) == 0 ? by_number("star", naive_star, 3) : by_number("pancake", naive_pancake, 2);
    default:
      return circulant_of(6 + below(2), {3, 1});
  }
}

}  // namespace

std::uint64_t NaiveGraph::links() const {
  std::uint64_t ends = 0;
  for (const std::set<Rank>& set : neighbours) ends += set.size();
  return ends / 2;
}

std::vector<std::uint64_t> NaiveGraph::distances(Rank from) const {
  constexpr std::uint64_t unseen = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> result(size(), unseen);
  result[from] = 0;
  std::queue<Rank> queue({from});
  for (; !queue.empty(); queue.pop()) {
    for (const Rank next : neighbours[queue.front()]) {
      if (result[next] != unseen) continue;
      result[next] = result[queue.front()] + 1;
      queue.push(next);
    }
  }
  EXPECT_EQ(std::count(result.begin(), result.end(), unseen), 0) << "not connected";
  return result;
}

std::uint64_t NaiveGraph::bisection_width() const {
  std::vector<std::pair<Rank, Rank>> pairs;
  for (Rank a = 0; a < size(); ++a) {
    for (const Rank b : neighbours[a]) {
      if (a < b) pairs.emplace_back(a, b);
    }
  }
  std::uint64_t fewest = pairs.size();
  for (Rank half = 0; half < Rank{1} << size(); ++half) {
    if (static_cast<Rank>(std::popcount(half)) != size() / 2) continue;
    std::uint64_t cut = 0;
    for (const auto& [a, b] : pairs) cut += (half >> a & 1U) != (half >> b & 1U) ? 1 : 0;
    fewest = std::min(fewest, cut);
  }
  return fewest;
}

NaiveGraph naive_ring(Rank m) {
  return graph_by_pairs(m, [m](Rank a, Rank b) { return (a + 1) % m == b || (b + 1) % m == a; });
}

NaiveGraph naive_path(Rank m) {
  return graph_by_pairs(m, [](Rank a, Rank b) { return a + 1 == b || b + 1 == a; });
}

NaiveGraph naive_complete(Rank m) {
  return graph_by_pairs(m, [](Rank, Rank) { return true; });
}

NaiveGraph naive_incomplete_hypercube(unsigned n, unsigned m) {
  return graph_by_pairs((Rank{1} << n) + (Rank{1} << m), [](Rank a, Rank b) { return std::popcount(a ^ b) == 1; });
}

NaiveGraph naive_hypercube(unsigned n) {
  const std::vector<Tuple> nodes = tuples_below(std::vector<Rank>(n, 2));
  return graph_by_pairs(Rank{1} << n, [&](Rank a, Rank b) { return only_difference(nodes[a], nodes[b]) < n; });
}

NaiveGraph naive_reduced_hypercube(unsigned k, unsigned n) {
  // A tuple holds the address bits, the highest first: the block's, then the k of field 0, whose first n give the
  // subblock.
  const std::size_t block_bits = std::size_t{1} << n;
  const std::size_t address_bits = block_bits + k;
  const std::vector<Tuple> nodes = tuples_below(std::vector<Rank>(address_bits, 2));
  return graph_by_pairs(static_cast<Rank>(nodes.size()), [&](Rank a, Rank b) {
    const std::size_t place = only_difference(nodes[a], nodes[b]);
    if (place >= block_bits) return place < address_bits;
    std::size_t subblock = 0;
    for (std::size_t i = block_bits; i < block_bits + n; ++i) subblock = 2 * subblock + nodes[a][i];
    return place == block_bits - 1 - subblock;
  });
}

NaiveGraph naive_cube_connected_cycles(unsigned d) {
  // The corner's bits, the highest first, then the position.
  Tuple sides_of_tuples(d, 2);
  sides_of_tuples.push_back(d);
  const std::vector<Tuple> nodes = tuples_below(sides_of_tuples);
  return graph_by_pairs(static_cast<Rank>(nodes.size()), [&](Rank a, Rank b) {
    const std::size_t place = only_difference(nodes[a], nodes[b]);
    const Rank here = nodes[a][d];
    const Rank there = nodes[b][d];
    return place == d ? (here + 1) % d == there || (there + 1) % d == here : place + here == d - 1;
  });
}

NaiveGraph naive_shuffle_exchange(unsigned n) {
  const std::vector<Tuple> nodes = tuples_below(Tuple(n, 2));
  return graph_by_pairs(static_cast<Rank>(nodes.size()), [&](Rank a, Rank b) {
    return only_difference(nodes[a], nodes[b]) == n - 1 || rotated_left(nodes[a]) == nodes[b] ||
           rotated_left(nodes[b]) == nodes[a];
  });
}

NaiveGraph naive_star(unsigned n) {
  const std::vector<Tuple> nodes = permutations(n);
  return graph_by_pairs(static_cast<Rank>(nodes.size()), [&](Rank a, Rank b) {
    const std::vector<std::size_t> places = differences(nodes[a], nodes[b]);
    return places.size() == 2 && places.front() == 0;
  });
}

NaiveGraph naive_pancake(unsigned n) {
  const std::vector<Tuple> nodes = permutations(n);
  return graph_by_pairs(static_cast<Rank>(nodes.size()), [&](Rank a, Rank b) {
    Tuple turned = nodes[a];
    const auto count = static_cast<std::ptrdiff_t>(differences(nodes[a], nodes[b]).back() + 1);
    std::reverse(turned.begin(), turned.begin() + count);
    return turned == nodes[b];
  });
}

NaiveGraph naive_circulant(Rank m, const std::vector<Rank>& strides) {
  return graph_by_pairs(m, [&](Rank a, Rank b) {
    return std::any_of(strides.begin(), strides.end(),
                       [&](Rank stride) { return (a + stride) % m == b || (b + stride) % m == a; });
  });
}

NaiveGraph naive_petersen() {
  return graph_by_pairs(10, [](Rank a, Rank b) {
    const Rank low = std::min(a, b);
    const Rank high = std::max(a, b);
    if (high < 5) return high - low == 1 || high - low == 4;
    if (low < 5) return high - low == 5;
    return high - low == 2 || high - low == 3;
  });
}

NaiveGraph naive_product(const std::vector<NaiveGraph>& factors) {
  std::vector<Rank> sizes;
  for (const NaiveGraph& factor : factors) sizes.push_back(factor.size());
  const std::vector<Tuple> nodes = tuples_below(sizes);
  return graph_by_pairs(static_cast<Rank>(nodes.size()), [&](Rank a, Rank b) {
    const std::size_t place = only_difference(nodes[a], nodes[b]);
    return place < factors.size() && factors[place].neighbours[nodes[a][place]].count(nodes[b][place]) == 1;
  });
}

NaiveGraph graph_of(const Topology& topology) {
  EXPECT_NO_THROW(topology.verify());
  NaiveGraph graph;
  graph.neighbours.resize(topology.processors());
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const End there = topology.peer(rank, port);
      if (!there) continue;
      EXPECT_TRUE(graph.neighbours[rank].insert(there.rank).second)
          << "two links from " << rank << " to " << there.rank;
    }
  }
  return graph;
}

namespace {

/// All sets of strides that make a connected circulant graph, written the longer and the shorter way round in turn.
std::vector<std::vector<Rank>> stride_sets(Rank m) {
  std::vector<std::vector<Rank>> sets;
  for (Rank chosen = 1; chosen < Rank{1} << m / 2; ++chosen) {
    std::vector<Rank> strides;
    Rank common = m;
    for (Rank stride = 1; stride <= m / 2; ++stride) {
      if ((chosen >> (stride - 1) & 1U) == 0) continue;
      strides.push_back(chosen % 2 == 0 ? stride : m - stride);
      common = std::gcd(common, stride);
    }
    if (common == 1) sets.push_back(strides);
  }
  return sets;
}

std::vector<NaiveMachine> make_naive_machines() {
  std::vector<NaiveMachine> machines;
  for (const std::string family : {"ring", "path", "complete"}) {
    for (Rank m = 1; m <= 12; ++m) machines.push_back(one_dimensional(family, m));
  }
  for (unsigned n = 0; n <= 7; ++n) machines.push_back(cube(n));
  for (const auto& [k, n] : std::vector<std::pair<unsigned, unsigned>>{
           {0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 2}}) {
    machines.push_back(reduced(k, n));
  }
  for (const std::string family : {"torus", "mesh"}) {
    for (Rank a = 1; a <= 5; ++a) {
      for (Rank b = 1; b <= 5; ++b) machines.push_back(sides(family, {a, b}));
    }
    for (const std::vector<Rank>& lengths :
         std::vector<std::vector<Rank>>{{1}, {2}, {7}, {1, 1, 1}, {2, 2, 2}, {3, 4, 5}, {2, 1, 3}, {2, 3, 2, 3}}) {
      machines.push_back(sides(family, lengths));
    }
  }
  for (unsigned n = 1; n <= 6; ++n) {
    for (unsigned m = 0; m < n; ++m) machines.push_back(incomplete_cube(n, m));
  }
  for (unsigned d = 3; d <= 6; ++d) {
    machines.push_back(by_number("ccc", naive_cube_connected_cycles, d));
  }
  for (unsigned n = 1; n <= 8; ++n) {
    machines.push_back(by_number("shuffle-exchange", naive_shuffle_exchange, n));
  }
  for (unsigned n = 2; n <= 6; ++n) {
    machines.push_back(by_number("star", naive_star, n));
    machines.push_back(by_number("pancake", naive_pancake, n));
  }
  for (Rank m = 2; m <= 10; ++m) {
    for (const std::vector<Rank>& strides : stride_sets(m)) machines.push_back(circulant_of(m, strides));
  }
  for (const std::vector<Rank>& strides : std::vector<std::vector<Rank>>{{29}, {28, 29}, {6, 10, 15}, {15, 4}}) {
    machines.push_back(circulant_of(30, strides));
  }
  const NaiveMachine petersen{std::string("graph:") + LOCKSTEP_GRAPHS + "/petersen.json", naive_petersen()};
  machines.push_back(petersen);
  machines.push_back(product_of({one_dimensional("path", 3), petersen, cube(1)}));
  constexpr unsigned seed = 1;
  std::mt19937 random(seed);
  for (int i = 0; i < 60; ++i) {
    std::vector<NaiveMachine> factors;
    for (unsigned count = 1 + static_cast<unsigned>(random() % 3); factors.size() < count;) {
      factors.push_back(random_factor(random));
    }
    std::size_t size = 1;
    for (const NaiveMachine& factor : factors) size *= factor.graph.size();
    if (size <= 300) machines.push_back(product_of(factors));
  }
  return machines;
}

}  // namespace

const std::vector<NaiveMachine>& naive_machines() {
  static const std::vector<NaiveMachine> machines = make_naive_machines();
  return machines;
}

}  // namespace lockstep
