// The collectives of grids on tori of unequal sides, of one and of three dimensions, on meshes and on paths
// (saad-schultz-1988.md, Ring scatter, Paths both ways, Torus daisy chains, Two passes, Torus scatter, Torus alltoall):
// counts typed from the page, and what a simulation of the rules comes to that knows coordinates only.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "method_run.hpp"

namespace lockstep {
namespace {

// ---- Grids and their coordinates.

struct Shape {
  bool is_torus;
  std::vector<std::uint64_t> sides;

  std::string text() const {
    std::string text = is_torus ? "torus:" : "mesh:";
    for (const std::uint64_t side : sides) text += (text.back() == ':' ? "" : "x") + std::to_string(side);
    return text;
  }
  std::uint64_t size() const {
    std::uint64_t product = 1;
    for (const std::uint64_t side : sides) product *= side;
    return product;
  }
  /// Lists of coordinates in the order of the ranks.
  std::vector<std::vector<std::uint64_t>> processors() const {
    std::vector<std::vector<std::uint64_t>> all{{}};
    for (const std::uint64_t side : sides) {
      std::vector<std::vector<std::uint64_t>> longer;
      for (const auto& one : all) {
        for (std::uint64_t next = 0; next < side; ++next) {
          longer.push_back(one);
          longer.back().push_back(next);
        }
      }
      all = longer;
    }
    return all;
  }
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made;
    for (const bool is_torus : {true, false}) {
      for (const auto& sides : std::vector<std::vector<std::uint64_t>>{
               {1, 1},    {1, 2},    {1, 5},    {2, 1},    {2, 2},    {2, 3},       {3, 2},
               {3, 3},    {3, 4},    {4, 3},    {5, 2},    {6, 4},    {5, 7},       {1, 1, 1},
               {2, 2, 2}, {2, 3, 4}, {4, 1, 3}, {3, 3, 3}, {3, 2, 5}, {2, 3, 2, 2}, {6}}) {
        made.push_back({is_torus, sides});
      }
    }
    return made;
  }();
  return all;
}

/// A mesh of one dimension, as a family of its own.
Shape path(std::uint64_t k) { return {false, {k}}; }
std::string path_text(std::uint64_t k) { return "path:" + std::to_string(k); }

bool has_side_of_two(const Shape& shape) { return std::ranges::count(shape.sides, 2U) > 0; }

std::vector<Model> models_for(const Shape& shape) {
  std::vector<Model> models;
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    models.push_back(model_of(ports));
    // A ring of two would need both directions of its one link (saad-schultz-1985.md, Small machines).
    if (!shape.is_torus || !has_side_of_two(shape)) models.push_back(model_of(ports, Duplex::half_link));
  }
  return models;
}

/// 1 where both senses of a path go at once, or on a torus, else 2: "one sense after the other".
std::uint64_t turns(const Shape& shape, const Model& model) {
  return shape.is_torus || (model.ports == PortModel::all && model.duplex == Duplex::full) ? 1 : 2;
}

// ---- Simulations. What moves is a set of things at a processor; a step moves some of them all at once.

/// Somebody's block, or the block of a pair.
using Thing = std::pair<std::uint64_t, std::uint64_t>;
using Coordinates = std::vector<std::uint64_t>;

class Simulation {
 public:
  Simulation(const Shape& shape, std::uint64_t words) : shape_(shape), words_(words) {
    const auto all = shape.processors();
    for (std::uint64_t rank = 0; rank < all.size(); ++rank) {
      coordinates_.push_back(all[rank]);
      ranks_[all[rank]] = rank;
    }
  }

  std::uint64_t size() const { return coordinates_.size(); }
  const Coordinates& at(std::uint64_t rank) const { return coordinates_[rank]; }
  std::uint64_t rank(const Coordinates& place) const { return ranks_.at(place); }

  /// The neighbour in a dimension, ahead or not.
  std::uint64_t neighbour(std::uint64_t rank, std::size_t dimension, bool ahead) const {
    Coordinates place = coordinates_[rank];
    const std::uint64_t side = shape_.sides[dimension];
    place[dimension] = (place[dimension] + (ahead ? 1 : side - 1)) % side;
    return ranks_.at(place);
  }

  /// One message; those of a step are sent before step() is called.
  void send(std::uint64_t to, std::set<Thing> things) {
    if (things.empty()) return;
    sent_.push_back({to, std::move(things)});
  }
  /// Ends the step and says what has come where; whether anything has.
  bool step(const std::function<void(std::uint64_t, const std::set<Thing>&)>& receive) {
    if (sent_.empty()) return false;
    std::uint64_t longest = 0;
    for (const auto& [to, things] : sent_) {
      longest = std::max(longest, things.size() * words_);
      counts_.messages = counts_.messages.value_or(0) + 1;
      counts_.words = counts_.words.value_or(0) + things.size() * words_;
      receive(to, things);
    }
    lengths_.push_back(longest);
    sent_.clear();
    return true;
  }

  SpecCounts counts(bool reversed = false) {
    if (reversed) std::ranges::reverse(lengths_);
    counts_.steps = lengths_.size();
    counts_.longest = lengths_;
    if (!counts_.messages) counts_.messages = counts_.words = 0;
    return counts_;
  }

 private:
  Shape shape_;
  std::uint64_t words_;
  std::vector<Coordinates> coordinates_;
  std::map<Coordinates, std::uint64_t> ranks_;
  std::vector<std::pair<std::uint64_t, std::set<Thing>>> sent_;
  SpecCounts counts_;
  Lengths lengths_;
};

/// Everybody gives all it has to its line, dimension by dimension: on in one sense round a ring, in both along a path.
SpecCounts simulated_two_pass(const Shape& shape, std::uint64_t m, bool at_once) {
  Simulation run(shape, m);
  std::vector<std::set<Thing>> held(run.size());
  for (std::uint64_t rank = 0; rank < run.size(); ++rank) held[rank] = {{rank, 0}};
  for (std::size_t d = 0; d < shape.sides.size(); ++d) {
    const auto begin = held;
    std::vector<std::vector<bool>> rounds{{true}};
    if (!shape.is_torus)
      rounds =
          at_once ? std::vector<std::vector<bool>>{{true, false}} : std::vector<std::vector<bool>>{{true}, {false}};
    for (const auto& senses : rounds) {
      std::map<bool, std::vector<std::set<Thing>>> leaving;
      for (const bool ahead : senses) leaving[ahead] = begin;
      for (std::uint64_t step = 1; step < shape.sides[d]; ++step) {
        std::map<bool, std::vector<std::set<Thing>>> next;
        std::vector<bool> sense_of;
        for (const bool ahead : senses) {
          next[ahead].resize(run.size());
          for (std::uint64_t rank = 0; rank < run.size(); ++rank) {
            const bool at_end = !shape.is_torus && run.at(rank)[d] == (ahead ? shape.sides[d] - 1 : 0);
            if (at_end || leaving[ahead][rank].empty()) continue;
            run.send(run.neighbour(rank, d, ahead), leaving[ahead][rank]);
            sense_of.push_back(ahead);
          }
        }
        std::size_t index = 0;
        run.step([&](std::uint64_t to, const std::set<Thing>& things) {
          held[to].insert(things.begin(), things.end());
          next[sense_of[index++]][to] = things;
        });
        leaving = next;
      }
    }
  }
  for (const auto& all : held) EXPECT_EQ(all.size(), run.size());
  return run.counts();
}

/// All blocks that are not where they should be in a dimension move a link; the last dimension first.
SpecCounts simulated_two_phase(const Shape& shape, std::uint64_t b, bool at_once) {
  Simulation run(shape, b);
  std::vector<std::set<Thing>> held(run.size());
  for (std::uint64_t rank = 0; rank < run.size(); ++rank) {
    for (std::uint64_t to = 0; to < run.size(); ++to) held[rank].insert({rank, to});
  }
  for (std::size_t d = shape.sides.size(); d-- > 0;) {
    std::vector<std::vector<bool>> rounds{{true}};
    if (!shape.is_torus)
      rounds =
          at_once ? std::vector<std::vector<bool>>{{true, false}} : std::vector<std::vector<bool>>{{true}, {false}};
    for (const auto& senses : rounds) {
      bool moved = true;
      while (moved) {
        for (std::uint64_t rank = 0; rank < run.size(); ++rank) {
          for (const bool ahead : senses) {
            std::set<Thing> leaving;
            for (const Thing& thing : held[rank]) {
              const std::uint64_t here = run.at(rank)[d];
              const std::uint64_t there = run.at(thing.second)[d];
              if (shape.is_torus ? here != there : ahead ? there > here : there < here) leaving.insert(thing);
            }
            for (const Thing& thing : leaving) held[rank].erase(thing);
            run.send(run.neighbour(rank, d, ahead), leaving);
          }
        }
        moved = run.step(
            [&](std::uint64_t to, const std::set<Thing>& things) { held[to].insert(things.begin(), things.end()); });
      }
    }
  }
  for (std::uint64_t rank = 0; rank < run.size(); ++rank) {
    EXPECT_EQ(held[rank].size(), run.size());
    for (const Thing& thing : held[rank]) EXPECT_EQ(thing.second, rank);
  }
  return run.counts();
}

/// Whoever has blocks for others on its line sends on, in each sense, those for the farthest; the last dimension first.
SpecCounts simulated_scatter(const Shape& shape, std::uint64_t m, std::uint64_t root, bool reversed) {
  Simulation run(shape, m);
  std::vector<std::set<Thing>> held(run.size());
  for (std::uint64_t to = 0; to < run.size(); ++to) held[root].insert({root, to});
  for (std::size_t d = shape.sides.size(); d-- > 0;) {
    const std::uint64_t side = shape.sides[d];
    const std::uint64_t origin = run.at(root)[d];
    // How far ahead of the root's place, or behind it.
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

// ---- Allgather.

// S = sum (a-1), W = (k-1) m, M = k sum (a-1), V = k (k-1) m; twice S and W where senses follow each other.
SpecCounts two_pass_counts(const Shape& shape, std::uint64_t m, std::uint64_t turns) {
  const std::uint64_t k = shape.size();
  std::uint64_t hops = 0;
  for (const std::uint64_t a : shape.sides) hops += a - 1;
  return {.steps = turns * hops,
          .longest_sum = turns * (k - 1) * m,
          .messages = k * hops,
          .words = k * (k - 1) * m,
          .peak_words_held = k * m};
}

void expect_two_pass(const std::string& text, const Shape& shape) {
  const BuiltMachine machine(text);
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const Model& model : models_for(shape)) {
      const std::uint64_t times = turns(shape, model);
      expect_run(machine, "allgather/two-pass", model, block_settings(m), two_pass_counts(shape, m, times));
      expect_run(machine, "allgather/two-pass", model, block_settings(m), simulated_two_pass(shape, m, times == 1));
    }
  }
}

TEST(GridTwoPass, HasTheCountsOfThePageAndOfASimulation) {
  for (const Shape& shape : shapes()) expect_two_pass(shape.text(), shape);
  for (std::uint64_t k = 1; k <= 9; ++k) expect_two_pass(path_text(k), path(k));
}

TEST(GridTwoPass, NamesItsPasses) {
  const auto names = [](const std::string& text) {
    std::string all;
    for (const auto& phase :
         BuiltMachine(text).run("allgather/two-pass", model_of(PortModel::one), block_settings(1)).report.phases) {
      all += std::string(phase.name) + ";";
    }
    return all;
  };
  EXPECT_EQ(names("mesh:2x3"), "columns;rows;");
  EXPECT_EQ(names("torus:1x3"), "rows;");
  EXPECT_EQ(names("torus:2x1x3"), "dimension 0;dimension 2;");
  EXPECT_EQ(names("path:3"), "dimension 0;");
}

// On a path or mesh f (k-1) steps and blocks, f = 1 with all ports in full duplex and else 2; M = k (k-1).
void expect_daisy_chain(const std::string& text, std::uint64_t k) {
  const BuiltMachine machine(text);
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const Model& model : models_for(path(k))) {
      const std::uint64_t f = turns(path(k), model);
      expect_run(machine, "allgather/daisy-chain", model, block_settings(m),
                 {.steps = f * (k - 1),
                  .longest_sum = f * (k - 1) * m,
                  .messages = k * (k - 1),
                  .words = k * (k - 1) * m,
                  .peak_words_held = k * m,
                  .message_words = m});
      expect_run(machine, "allgather/daisy-chain", model, block_settings(m), simulated_two_pass(path(k), m, f == 1));
    }
  }
}

TEST(GridDaisyChain, GoesBothWaysAlongPathsAndMeshes) {
  for (const Shape& shape : shapes()) {
    if (!shape.is_torus) expect_daisy_chain(shape.text(), shape.size());
  }
  for (std::uint64_t k = 1; k <= 12; ++k) expect_daisy_chain(path_text(k), k);
}

// S = k-1, W = (k-1) m, M = k (k-1), V = k (k-1) m on any ring through all processors.
TEST(GridDaisyChain, GoesRoundARingThroughAllOfATorusOrMesh) {
  for (const Shape& shape : shapes()) {
    const BuiltMachine machine(shape.text());
    const std::uint64_t k = shape.size();
    const bool has_ring = shape.is_torus || k <= 2 || (k % 2 == 0 && std::ranges::count(shape.sides, k) == 0);
    for (const std::string name : {"allgather/daisy-chain", "allgather/daisy-chain-snake"}) {
      const bool is_snake = name.ends_with("snake");
      if (!is_snake && !shape.is_torus) continue;
      EXPECT_EQ(refusal(name, shape.text(), block_settings(1)),
                has_ring ? ""
                         : shape.text() +
                               " has no ring through all processors: a mesh needs a side of even length "
                               "beside another; allgather/daisy-chain goes both ways along a path");
      if (!has_ring) continue;
      for (const std::uint64_t m : {1U, 3U}) {
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
          for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
            if (k == 2 && duplex != Duplex::full) continue;  // both directions of one link
            const Report report = expect_run(machine, name, model_of(ports, duplex), block_settings(m),
                                             {.steps = k - 1,
                                              .longest_sum = (k - 1) * m,
                                              .messages = k * (k - 1),
                                              .words = k * (k - 1) * m,
                                              .peak_words_held = k * m,
                                              .busiest_link_words = (k - 1) * m,
                                              .message_words = m});
            EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
          }
        }
      }
    }
  }
}

// ---- Scatter and gather.

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
  for (std::uint64_t root = 0; root < shape.size(); ++root) {
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

// The busier of the root's two links is to the longer side, and the farthest processor is there.
TEST(GridScatter, MeetsItsBoundsOnPaths) {
  for (const std::string name : {"scatter/two-way", "gather/two-way"}) {
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 0), model_of(PortModel::all)), Bound(6, 12));
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 2), model_of(PortModel::all)), Bound(4, 8));
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 3), model_of(PortModel::all)), Bound(3, 6));
    EXPECT_EQ(bound(name, "path:7", item_settings(2, 3), model_of(PortModel::one)), Bound(3, 12));
    EXPECT_EQ(bound(name, "path:1", item_settings(2, 0), model_of(PortModel::all)), Bound(0, 0));
  }
  // A corner has two links, an edge three; a side of one has none, one of two one.
  EXPECT_EQ(bound("scatter/two-phase", "mesh:3x4", item_settings(1, 0), model_of(PortModel::all)), Bound(5, 6));
  EXPECT_EQ(bound("scatter/two-phase", "mesh:3x4", item_settings(1, 1), model_of(PortModel::all)), Bound(4, 4));
  EXPECT_EQ(bound("scatter/two-phase", "mesh:3x4", item_settings(1, 5), model_of(PortModel::all)), Bound(3, 3));
  EXPECT_EQ(bound("scatter/two-phase", "torus:1x2x5", item_settings(1, 0), model_of(PortModel::all)), Bound(3, 3));
  EXPECT_EQ(bound("scatter/two-phase", "mesh:1x1", item_settings(1, 0), model_of(PortModel::all)), Bound(0, 0));
}

// ---- Alltoall.

// A torus: S = sum (a-1), W = k sum (a-1)/2 b, M = k sum (a-1), V = k W. Paths: f S, f W, f = 1 or 2, and V = sum
// (k/a)^2 a (a^2-1)/3 b.
SpecCounts two_phase_counts(const Shape& shape, std::uint64_t b, std::uint64_t f) {
  const std::uint64_t k = shape.size();
  SpecCounts counts = nothing;
  counts.sends = {};
  for (const std::uint64_t a : shape.sides) {
    const std::uint64_t lines = k / a;
    *counts.steps += f * (a - 1);
    *counts.longest_sum += f * lines * (a * (a - 1) / 2) * b;
    *counts.messages += k * (a - 1);
    *counts.words += (shape.is_torus ? k * lines * (a * (a - 1) / 2) : lines * lines * (a * (a * a - 1) / 3)) * b;
  }
  return counts;
}

void expect_two_phase(const std::string& text, const Shape& shape) {
  const BuiltMachine machine(text);
  for (const std::uint64_t b : {1U, 3U}) {
    for (const Model& model : models_for(shape)) {
      const std::uint64_t f = turns(shape, model);
      expect_run(machine, "alltoall/two-phase", model, block_settings(b), two_phase_counts(shape, b, f));
      if (shape.size() > 24) continue;
      expect_run(machine, "alltoall/two-phase", model, block_settings(b), simulated_two_phase(shape, b, f == 1));
    }
  }
}

TEST(GridAlltoall, HasTheCountsOfThePageAndOfASimulation) {
  for (const Shape& shape : shapes()) expect_two_phase(shape.text(), shape);
  for (std::uint64_t k = 1; k <= 9; ++k) expect_two_phase(path_text(k), path(k));
}

// S = k-1, W = k (k-1)/2 b, M = k (k-1), V = k W round the ring through all processors of a torus.
TEST(GridAlltoall, RotatesAndDropsRoundARingThroughAllOfATorus) {
  for (const Shape& shape : shapes()) {
    if (!shape.is_torus) continue;
    const BuiltMachine machine(shape.text());
    const std::uint64_t k = shape.size();
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
        if (k == 2 && duplex != Duplex::full) continue;
        const std::uint64_t W = k * (k - 1) / 2 * 3;
        expect_run(machine, "alltoall/rotate-drop", model_of(ports, duplex), block_settings(3),
                   {.steps = k - 1,
                    .longest_sum = W,
                    .messages = k * (k - 1),
                    .words = k * W,
                    .peak_words_held = (k - 1) * 3,
                    .busiest_link_words = W});
      }
    }
  }
}

// Cut across a side a: floor(a^2/4) (k/a)^2 blocks in each direction over k/a links, 2k/a where they are closed.
TEST(GridAlltoall, IsBoundedByTheWidestCut) {
  const auto words = [](const std::string& text, PortModel ports, Duplex duplex) {
    return bound("alltoall/two-phase", text, block_settings(3), model_of(ports, duplex)).second;
  };
  EXPECT_EQ(words("path:8", PortModel::all, Duplex::full), 16U * 3);
  EXPECT_EQ(words("path:8", PortModel::all, Duplex::half_link), 2U * 16 * 3);
  EXPECT_EQ(words("path:7", PortModel::all, Duplex::full), 12U * 3);
  EXPECT_EQ(words("mesh:3x8", PortModel::all, Duplex::full), 16U * 3 * 3);
  EXPECT_EQ(words("torus:3x8", PortModel::all, Duplex::full), 8U * 3 * 3);
  EXPECT_EQ(words("torus:3x8", PortModel::all, Duplex::half_link), 16U * 3 * 3);
  EXPECT_EQ(words("torus:2x2", PortModel::all, Duplex::full), 2U * 3);
  EXPECT_EQ(bound("alltoall/two-phase", "path:1", block_settings(3), model_of(PortModel::all)), Bound(0, 0));
}

// ---- Of all of them.

// Few links meet in a corner of a mesh, and half-duplex links carry k (k-1) m words in all.
TEST(GridAllgather, IsBoundedByCornersAndLinks) {
  for (const std::string name : {"allgather/two-pass", "allgather/daisy-chain"}) {
    const auto words = [&](const std::string& text, PortModel ports, Duplex duplex) {
      return bound(name, text, block_settings(2), model_of(ports, duplex)).second;
    };
    EXPECT_EQ(words("path:5", PortModel::one, Duplex::full), 8U);
    EXPECT_EQ(words("path:5", PortModel::all, Duplex::full), 8U);
    EXPECT_EQ(words("path:5", PortModel::all, Duplex::half_link), 10U);  // 5 * 4 * 2 over 4 links
    EXPECT_EQ(words("mesh:3x4", PortModel::all, Duplex::full), 11U);
    EXPECT_EQ(words("mesh:3x4", PortModel::all, Duplex::half_link), 16U);  // 12 * 11 * 2 over 17, rounded up
    EXPECT_EQ(words("torus:3x4", PortModel::all, Duplex::full), 6U);       // 22 over 4 links
    EXPECT_EQ(words("torus:3x4", PortModel::all, Duplex::half_link), 11U);
    EXPECT_EQ(words("torus:3x4", PortModel::one, Duplex::half_node), 44U);
    EXPECT_EQ(words("torus:2x3x4", PortModel::all, Duplex::full), 10U);  // 46 over 5
    EXPECT_EQ(bound(name, "mesh:1x1", block_settings(2), model_of(PortModel::all)), Bound(0, 0));
    EXPECT_EQ(bound(name, "mesh:3x4", block_settings(1), model_of(PortModel::all)).first, 5U);
  }
}

TEST(GridCollectives, AreRefusedWhereTheModelIsStricter) {
  for (const std::string name : {"allgather/two-pass", "allgather/daisy-chain", "alltoall/two-phase"}) {
    EXPECT_EQ(broken_rule(name, "path:3", model_of(PortModel::one, Duplex::half_node)), ErrorKind::half_node) << name;
    EXPECT_EQ(broken_rule(name, "mesh:3x3", model_of(PortModel::one_strict)), ErrorKind::one_strict) << name;
    EXPECT_EQ(broken_rule(name, "path:2", model_of(PortModel::one_strict, Duplex::half_node)), std::nullopt) << name;
  }
  for (const std::string name : {"scatter/two-way", "scatter/two-phase"}) {
    EXPECT_EQ(broken_rule(name, "path:5", model_of(PortModel::one), item_settings(1, 2)), ErrorKind::send_limit);
    EXPECT_EQ(broken_rule(name, "path:5", model_of(PortModel::one), item_settings(1, 0)), std::nullopt);
  }
  EXPECT_EQ(broken_rule("gather/two-way", "path:5", model_of(PortModel::one), item_settings(1, 2)),
            ErrorKind::receive_limit);
}

TEST(GridCollectives, HaveDefaultsAndLimits) {
  for (const auto& [name, family, text] :
       {std::tuple("allgather/two-pass", "mesh", "mesh:3x4"), std::tuple("allgather/two-pass", "path", "path:12"),
        std::tuple("allgather/daisy-chain", "path", "path:12"), std::tuple("allgather/daisy-chain", "mesh", "mesh:3x4"),
        std::tuple("allgather/daisy-chain-snake", "mesh", "mesh:3x4"),
        std::tuple("alltoall/two-phase", "mesh", "mesh:3x4"),
        std::tuple("alltoall/rotate-drop", "torus", "torus:3x4")}) {
    expect_defaults(name, family, PortModel::one);
    expect_words_from(1, name, text);
  }
  for (const auto& [name, family, text] :
       {std::tuple("scatter/two-way", "path", "path:12"), std::tuple("gather/two-way", "path", "path:12"),
        std::tuple("scatter/two-phase", "mesh", "mesh:3x4"), std::tuple("gather/two-phase", "torus", "torus:3x2x2")}) {
    expect_defaults(name, family, PortModel::all);
    expect_words_from(1, name, text);
    expect_roots_to(11, name, text);
  }
}

TEST(GridFaults, AreCaught) {
  for (const std::string text : {"torus:2x3", "mesh:2x3", "mesh:2x2x2", "path:4"}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_catches_faults("allgather/two-pass", text, block_settings(2), model_of(ports));
      expect_catches_faults("alltoall/two-phase", text, block_settings(2), model_of(ports));
    }
    expect_catches_faults("scatter/two-phase", text, item_settings(2, 1));
    expect_catches_faults("gather/two-phase", text, item_settings(2, 1));
  }
  for (const std::string text : {"path:4", "mesh:3x3", "torus:3x4"}) {
    expect_catches_faults("allgather/daisy-chain", text, block_settings(2));
  }
  expect_catches_faults("allgather/daisy-chain-snake", "torus:3x3", block_settings(2));
  expect_catches_faults("alltoall/rotate-drop", "torus:2x3", block_settings(2));
}

TEST(GridMemory, IsThatOfAllBlocks) {
  const std::uint64_t gathered = 1024ULL * 1024 * 512 * 8;
  for (const std::string text : {"mesh:32x32", "torus:16x8x8", "path:1024"}) {
    expect_bytes("allgather/two-pass", text, block_settings(512), gathered, 3 * gathered);
    EXPECT_GT(bytes_of("alltoall/two-phase", text, block_settings(512)), gathered);
  }
  expect_bytes("allgather/daisy-chain", "path:1024", block_settings(512), gathered, 2 * gathered);
}

}  // namespace
}  // namespace lockstep
