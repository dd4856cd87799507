#include "lockstep/machines/grid_tours.hpp"

#include <gtest/gtest.h>

#include <string>

#include "naive_graph.hpp"

namespace lockstep::grid_tours_test {
namespace {

struct Shape {
  bool is_torus;
  std::vector<Rank> sides;

  std::string text() const {
    std::string text = is_torus ? "torus:" : "mesh:";
    for (const Rank side : sides) text += (text.back() == ':' ? "" : "x") + std::to_string(side);
    return text;
  }
  NaiveGraph graph() const {
    std::vector<NaiveGraph> factors;
    for (const Rank side : sides) factors.push_back(is_torus ? naive_ring(side) : naive_path(side));
    return naive_product(factors);
  }
  /// The graph without the links that close rings.
  NaiveGraph open_graph() const { return Shape{false, sides}.graph(); }
};

/// All shapes of two dimensions with sides from 1 to 6, and some of other dimensions.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const bool is_torus : {false, true}) {
    for (Rank a = 1; a <= 6; ++a) {
      for (Rank b = 1; b <= 6; ++b) all.push_back({is_torus, {a, b}});
    }
    for (const std::vector<Rank>& sides : std::vector<std::vector<Rank>>{{7},
                                                                         {2, 3, 4},
                                                                         {3, 3, 3},
                                                                         {3, 5, 3},
                                                                         {3, 1, 5},
                                                                         {2, 2, 2},
                                                                         {3, 3, 2},
                                                                         {1, 4, 1},
                                                                         {1, 1, 2},
                                                                         {5, 4, 3},
                                                                         {4, 1, 1},
                                                                         {2, 3, 2, 3}}) {
      all.push_back({is_torus, sides});
    }
  }
  return all;
}

/// Whether a path from `last` through all unvisited nodes can close a ring at `first`; all are tried.
bool closes(const NaiveGraph& graph, Rank first, Rank last, std::vector<bool>& visited, Rank left) {
  if (left == 0) return graph.neighbours[last].contains(first);
  for (const Rank next : graph.neighbours[last]) {
    if (visited[next]) continue;
    visited[next] = true;
    if (closes(graph, first, next, visited, left - 1)) return true;
    visited[next] = false;
  }
  return false;
}

bool has_ring_through_all(const NaiveGraph& graph) {
  if (graph.size() == 1) return true;
  std::vector<bool> visited(graph.size());
  visited[0] = true;
  return closes(graph, 0, 0, visited, graph.size() - 1);
}

TEST(SnakePath, LeadsThroughAllFromNeighbourToNeighbour) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.text());
    const NaiveGraph graph = shape.open_graph();
    const SnakePath path{Grid(parse_machine(shape.text()))};
    for (Rank place = 0; place < graph.size(); ++place) {
      EXPECT_EQ(path.place(path.at(place)), place);
      if (place > 0) {
        EXPECT_TRUE(graph.neighbours[path.at(place - 1)].contains(path.at(place))) << place;
      }
    }
  }
}

TEST(SnakeRing, LeadsThroughAllFromNeighbourToNeighbour) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.text());
    const Grid grid(parse_machine(shape.text()));
    if (!SnakeRing::exists(grid)) continue;
    const NaiveGraph graph = shape.graph();
    const NaiveGraph open = shape.open_graph();
    const SnakeRing ring(grid);
    Rank over_closing_links = 0;
    EXPECT_EQ(ring.at(0), 0U);
    for (Rank place = 0; place < graph.size(); ++place) {
      const Rank rank = ring.at(place);
      const Rank next = ring.at((place + 1) % graph.size());
      EXPECT_EQ(ring.place(rank), place);
      if (graph.size() == 1) continue;
      EXPECT_TRUE(graph.neighbours[rank].contains(next)) << rank << " to " << next;
      if (!open.neighbours[rank].contains(next)) ++over_closing_links;
    }
    // None where a ring exists without them: with an even number of processors in more than one line.
    EXPECT_EQ(over_closing_links > 0, !SnakeRing::exists(Grid(parse_machine(Shape{false, shape.sides}.text()))));
  }
}

TEST(SnakeRing, ExistsWhereverThereIsARing) {
  for (const Shape& shape : shapes()) {
    const NaiveGraph graph = shape.graph();
    if (graph.size() > 20) continue;
    EXPECT_EQ(SnakeRing::exists(Grid(parse_machine(shape.text()))), has_ring_through_all(graph)) << shape.text();
  }
}

/// Each rank's successors: one row or one column ahead.
NaiveGraph ahead_only(Rank rows, Rank columns) {
  NaiveGraph graph;
  graph.neighbours.resize(rows * columns);
  for (Rank y = 0; y < rows; ++y) {
    for (Rank x = 0; x < columns; ++x) {
      graph.neighbours[y * columns + x] = {(y + 1) % rows * columns + x, y * columns + (x + 1) % columns};
    }
  }
  return graph;
}

TEST(SkewRing, LeadsAheadThroughAllWhereverARingCan) {
  for (Rank rows = 2; rows <= 12; ++rows) {
    for (Rank columns = 2; columns <= 12; ++columns) {
      const Shape torus{true, {rows, columns}};
      SCOPED_TRACE(torus.text());
      const NaiveGraph graph = ahead_only(rows, columns);
      const auto ring = SkewRing::of(Grid(parse_machine(torus.text())));
      if (rows * columns <= 24) {
        EXPECT_EQ(ring.has_value(), has_ring_through_all(graph));
      }
      if (!ring) continue;
      Rank rank = 0;
      for (Rank place = 0; place < graph.size(); ++place) {
        EXPECT_EQ(place == 0, rank == 0);
        EXPECT_EQ(ring->place(rank), place);
        EXPECT_TRUE(graph.neighbours[rank].contains(ring->next(rank)));
        EXPECT_EQ(ring->previous(ring->next(rank)), rank);
        rank = ring->next(rank);
      }
      EXPECT_EQ(rank, 0U);
    }
  }
}

// saad-schultz-1988.md, Torus daisy chains: on a square, place t is at y = t div s, x = (t - y) mod s.
TEST(SkewRing, IsThatOfThePaperOnSquares) {
  for (Rank s = 2; s <= 9; ++s) {
    const auto ring = SkewRing::of(Grid(parse_machine(Shape{true, {s, s}}.text())));
    ASSERT_TRUE(ring);
    EXPECT_EQ(ring->row_steps(), 1U);
    EXPECT_EQ(ring->period(), s);
    Rank rank = 0;
    for (Rank t = 0; t < s * s; ++t) {
      const Rank y = t / s;
      EXPECT_EQ(rank, y * s + (t + s - y) % s);
      rank = ring->next(rank);
    }
  }
}

TEST(SkewRing, IsOnlyOnToriOfTwoDimensions) {
  for (const std::string text : {"mesh:4x4", "torus:4x4x4", "torus:4", "ring:4", "torus:3x4", "torus:1x5"}) {
    EXPECT_FALSE(SkewRing::of(Grid(parse_machine(text)))) << text;
  }
}

}  // namespace
}  // namespace lockstep::grid_tours_test
