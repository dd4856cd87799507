// The alltoalls of grids on tori of unequal sides, of one and of three dimensions, on meshes and on paths
// (saad-schultz-1988.md, Ring alltoall, Paths both ways, Torus alltoall): counts typed from the page and from a
// simulation of the rules. Then models, limits and faults of all collectives that run there.
#include "grid_simulation.hpp"

namespace lockstep::grid_collectives_test {
namespace {

/// All blocks that are not at their place in a dimension move one link; the last dimension first.
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

// A cut across a side a: floor(a^2/4) (k/a)^2 blocks in each direction over k/a links, 2k/a where the lines are closed.
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

// An allgather's messages are shared along a line, whatever their length: in the last pass every processor makes one of
// the blocks that it has by then.
TEST(GridMemory, IsThatOfTheMessagesOfTheLastPass) {
  const std::uint64_t block = 512 * 8;
  for (const auto& [text, sent] : {std::pair("mesh:32x32", 32U), std::pair("torus:16x8x8", 16U * 8)}) {
    const std::uint64_t data = 1024ULL * sent * block;
    expect_bytes("allgather/two-pass", text, block_settings(512), data, data + data / 4);
  }
  const std::uint64_t handles = 1024ULL * 1024 * (8 + 24);
  for (const std::string method : {"allgather/two-pass", "allgather/daisy-chain"}) {
    expect_bytes(method, "path:1024", block_settings(512), handles, handles + 6 * 1024 * block);
  }
  for (const std::string text : {"mesh:32x32", "torus:16x8x8", "path:1024"}) {
    EXPECT_GT(bytes_of("alltoall/two-phase", text, block_settings(512)), 1024ULL * 1024 * block);
  }
}

}  // namespace
}  // namespace lockstep::grid_collectives_test
