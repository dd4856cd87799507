// The scatters and gathers of grids on tori of unequal sides, of one and of three dimensions, on meshes and on paths,
// from every root (saad-schultz-1988.md, Ring scatter, Torus scatter): counts typed from the page and from a simulation
// of the rules.
#include "grid_simulation.hpp"

namespace lockstep::grid_scatter_test {
namespace {

/// A rank with blocks for others on its line forwards those for the farthest in each direction; the last dimension
/// first.
SpecCounts simulated_scatter(const Shape& shape, std::uint64_t m, std::uint64_t root, bool reversed) {
  Simulation run(shape, m);
  std::vector<std::set<Thing>> held(run.size());
  for (std::uint64_t to = 0; to < run.size(); ++to) held[root].insert({root, to});
  for (std::size_t d = shape.sides.size(); d-- > 0;) {
    const std::uint64_t side = shape.sides[d];
    const std::uint64_t origin = run.at(root)[d];
    // Distance ahead of the root's place, negative behind it.
    const auto offset = [&](std::uint64_t place) {
      const auto straight = static_cast<std::int64_t>(place) - static_cast<std::int64_t>(origin);
      if (!shape.is_torus) return straight;
      const auto round = (straight + static_cast<std::int64_t>(side)) % static_cast<std::int64_t>(side);
      return 2 * round <= static_cast<std::int64_t>(side) ? round : round - static_cast<std::int64_t>(side);
    };
    bool moved = true;
    while (moved) {
      for (std::uint64_t rank = 0; rank < run.size(); ++rank) {
        for (const std::int64_t sense : {1, -1}) {
          std::int64_t farthest = sense * offset(run.at(rank)[d]);
          for (const Thing& thing : held[rank]) farthest = std::max(farthest, sense * offset(run.at(thing.second)[d]));
          std::set<Thing> leaving;
          for (const Thing& thing : held[rank]) {
            const std::int64_t far = sense * offset(run.at(thing.second)[d]);
            if (far > 0 && far == farthest && thing.second != rank && far > sense * offset(run.at(rank)[d])) {
              leaving.insert(thing);
            }
          }
          for (const Thing& thing : leaving) held[rank].erase(thing);
          run.send(run.neighbour(rank, d, sense > 0), leaving);
        }
      }
      moved = run.step(
          [&](std::uint64_t to, const std::set<Thing>& things) { held[to].insert(things.begin(), things.end()); });
    }
  }
  for (std::uint64_t rank = 0; rank < run.size(); ++rank) EXPECT_EQ(held[rank], (std::set<Thing>{{root, rank}}));
  return run.counts(reversed);
}

// S = sum max(D, E), W = sum max(D, E) m times the sides before, M = sum H times the sides behind, V = sum H k/a m.
SpecCounts scatter_counts(const Shape& shape, std::uint64_t m, std::uint64_t root) {
  const std::uint64_t k = shape.size();
  const std::vector<std::uint64_t> place = shape.processors()[root];
  SpecCounts counts = nothing;
  counts.sends = {};
  std::uint64_t before = 1;
  for (std::size_t d = 0; d < shape.sides.size(); ++d) {
    const std::uint64_t a = shape.sides[d];
    const std::uint64_t D = shape.is_torus ? a / 2 : a - 1 - place[d];
    const std::uint64_t E = a - 1 - D;
    const std::uint64_t H = D * (D + 1) / 2 + E * (E + 1) / 2;
    const std::uint64_t reach = std::max(D, E);
    *counts.steps += reach;
    *counts.longest_sum += reach * before * m;
    *counts.messages += H * (k / a / before);
    *counts.words += H * (k / a) * m;
    before *= a;
  }
  counts.peak_words_held = k * m;
  return counts;
}

void expect_scatter(const std::string& name, const std::string& text, const Shape& shape) {
  const BuiltMachine machine(text);
  for (std::uint64_t root = 0; root < shape.size(); root += sanitized ? 5 : 1) {
    for (const std::uint64_t m : {1U, 3U}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
        const Model model = model_of(PortModel::all, duplex);
        const Settings settings = item_settings(m, root);
        expect_run(machine, "scatter/" + name, model, settings, scatter_counts(shape, m, root));
        expect_run(machine, "gather/" + name, model, settings, scatter_counts(shape, m, root));
        if (duplex == Duplex::half_link) continue;
        expect_run(machine, "scatter/" + name, model, settings, simulated_scatter(shape, m, root, false));
        expect_run(machine, "gather/" + name, model, settings, simulated_scatter(shape, m, root, true));
      }
    }
  }
}

TEST(GridScatter, HasTheCountsOfThePageAndOfASimulationFromEveryRoot) {
  for (const Shape& shape : shapes()) expect_scatter("two-phase", shape.text(), shape);
  for (std::uint64_t k = 1; k <= 9; ++k) {
    expect_scatter("two-phase", path_text(k), path(k));
    expect_scatter("two-way", path_text(k), path(k));
    expect_scatter("two-way", "ring:" + std::to_string(k), {true, {k}});
  }
}

// The busier of the root's two links leads to the longer side, as does the farthest processor. With one port the root
// serves one of two equal sides a step later.
TEST(GridScatter, MeetsItsBoundsOnPaths) {
  for (const std::string name : {"scatter/two-way", "gather/two-way"}) {
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 0), model_of(PortModel::all)), Bound(6, 12));
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 2), model_of(PortModel::all)), Bound(4, 8));
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 3), model_of(PortModel::all)), Bound(3, 6));
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 3), model_of(PortModel::one)), Bound(1 + 3, 12));
    EXPECT_EQ(bound(name, "path:1", item_settings(2, 0), model_of(PortModel::all)), Bound(0, 0));
  }
  // A corner has two links, an edge three; a side of length one has none, a side of two has one.
  EXPECT_EQ(bound("scatter/two-phase", "mesh:3x4", item_settings(1, 0), model_of(PortModel::all)), Bound(5, 6));
  EXPECT_EQ(bound("scatter/two-phase", "mesh:3x4", item_settings(1, 1), model_of(PortModel::all)), Bound(4, 4));
  EXPECT_EQ(bound("scatter/two-phase", "mesh:3x4", item_settings(1, 5), model_of(PortModel::all)), Bound(3, 3));
  EXPECT_EQ(bound("scatter/two-phase", "torus:1x2x5", item_settings(1, 0), model_of(PortModel::all)), Bound(3, 3));
  EXPECT_EQ(bound("scatter/two-phase", "mesh:1x1", item_settings(1, 0), model_of(PortModel::all)), Bound(0, 0));
}

}  // namespace
}  // namespace lockstep::grid_scatter_test
