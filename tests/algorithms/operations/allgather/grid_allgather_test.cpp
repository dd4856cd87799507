// The allgathers of grids on tori of unequal sides, of one and of three dimensions, on meshes and on paths
// (saad-schultz-1988.md, Paths both ways, Torus sequential broadcasts, Torus daisy chains, Two passes): counts typed
// from the page and from a simulation of the rules.
#include "grid_simulation.hpp"

namespace lockstep::grid_allgather_test {
namespace {

/// Every rank sends all its blocks along its line, dimension by dimension: in one direction round a ring, in both along
/// a path.
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

// S = sum (a-1), W = (k-1) m, M = k sum (a-1), V = k (k-1) m; twice S and W where the directions take turns.
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

// The sum over the roots r of ecc(r) + nu - 1 steps, and of (ecc(r) - 1) ceil(m/nu) + m words.
SpecCounts sequential_counts(const Shape& shape, std::uint64_t m, std::uint64_t nu) {
  const std::uint64_t k = shape.size();
  SpecCounts counts = nothing;
  for (const auto& place : shape.processors()) {
    std::uint64_t farthest = 0;
    for (std::size_t d = 0; d < shape.sides.size(); ++d) {
      const std::uint64_t a = shape.sides[d];
      farthest += shape.is_torus ? a / 2 : std::max(place[d], a - 1 - place[d]);
    }
    if (k == 1) continue;
    *counts.steps += farthest + nu - 1;
    *counts.longest_sum += (farthest - 1) * ((m + nu - 1) / nu) + m;
    // On every line of the last dimension all ranks send except those at the ends of its arcs.
    std::size_t last = shape.sides.size() - 1;
    while (shape.sides[last] == 1) --last;
    const std::uint64_t a = shape.sides[last];
    const bool is_at_end = !shape.is_torus && (place[last] == 0 || place[last] == a - 1);
    *counts.sends += k / a * (a - (a == 2 || is_at_end ? 1 : 2)) * nu;
  }
  counts.messages = k * (k - 1) * nu;
  counts.words = k * (k - 1) * m;
  return counts;
}

/// Every root in turn; a packet crosses one link in every step, and the next packet follows one step behind.
SpecCounts simulated_sequential(const Shape& shape, std::uint64_t m, std::uint64_t nu) {
  Simulation run(shape, 1);
  SpecCounts counts = nothing;
  Lengths longest;
  for (std::uint64_t root = 0; root < run.size(); ++root) {
    // The step in which each processor receives the first packet: one link a step, the first dimension first.
    constexpr std::uint64_t nobody = ~std::uint64_t{0};
    std::vector<std::uint64_t> since(run.size(), nobody);
    std::set<std::uint64_t> senders;
    std::vector<std::uint64_t> informed{root};
    since[root] = 0;
    for (std::size_t d = 0; d < shape.sides.size(); ++d) {
      for (std::size_t index = 0; index < informed.size(); ++index) {
        for (const bool ahead : {true, false}) {
          const bool at_end = !shape.is_torus && run.at(informed[index])[d] == (ahead ? shape.sides[d] - 1 : 0);
          if (at_end) continue;
          const std::uint64_t next = run.neighbour(informed[index], d, ahead);
          if (since[next] != nobody) continue;
          informed.push_back(next);
          since[next] = since[informed[index]] + 1;
          senders.insert(informed[index]);
        }
      }
    }
    Lengths steps(run.size() == 1 ? 0 : *std::ranges::max_element(since) + nu - 1, 0);
    for (const std::uint64_t first : since) {
      for (std::uint64_t packet = 0; first > 0 && packet < nu; ++packet) {
        const std::uint64_t size = m / nu + (packet < m % nu ? 1 : 0);
        std::uint64_t& length = steps[first - 1 + packet];
        length = std::max(length, size);
        ++*counts.messages;
        *counts.words += size;
      }
    }
    longest.insert(longest.end(), steps.begin(), steps.end());
    *counts.sends += senders.size() * nu;
  }
  counts.steps = longest.size();
  counts.longest = longest;
  return counts;
}

void expect_sequential(const std::string& text, const Shape& shape) {
  if (shape.size() > 24) return;
  const BuiltMachine machine(text);
  for (const auto& [m, nu] : {std::pair(1U, 1U), std::pair(3U, 2U), std::pair(8U, 4U)}) {
    Settings settings = block_settings(m);
    settings.packets = nu;
    for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
      const Model model = model_of(PortModel::one, duplex, true);
      expect_run(machine, "allgather/sequential", model, settings, sequential_counts(shape, m, nu));
      expect_run(machine, "allgather/sequential", model, settings, simulated_sequential(shape, m, nu));
    }
  }
}

TEST(GridSequential, HasTheCountsOfThePageAndOfASimulation) {
  for (const Shape& shape : shapes()) expect_sequential(shape.text(), shape);
  for (std::uint64_t k = 1; k <= 9; ++k) expect_sequential(path_text(k), path(k));
}

// On a path of five broadcasts are 4, 3, 2, 3 and 4 links deep; all have as many packets.
TEST(GridSequential, TakesTheBestPacketsForTheMeanDepth) {
  const Model model = model_of(PortModel::one, Duplex::full, true);
  const Settings settings = block_settings(60);
  const auto time = [&](std::uint64_t nu) {
    double all = 0;
    for (const std::uint64_t depth : {4U, 3U, 2U, 3U, 4U}) {
      const std::uint64_t longest = (60 + nu - 1) / nu;
      all += 3.0 * static_cast<double>(depth + nu - 1) + 0.5 * static_cast<double>((depth - 1) * longest + 60);
    }
    return all;
  };
  const std::uint64_t chosen = *resolved("allgather/sequential", "path:5", settings, model).packets;
  for (std::uint64_t nu = 1; nu <= 60; ++nu) EXPECT_LE(time(chosen), time(nu) * (1 + 1e-12)) << nu;
}

// A corner of a mesh has few links, half-duplex links carry k (k-1) m words in all, and inside a path a processor sends
// to either side its own block and those of the other: k + 1 blocks in all.
TEST(GridAllgather, IsBoundedByCornersByLinksAndInsideAPath) {
  for (const std::string name : {"allgather/two-pass", "allgather/daisy-chain"}) {
    const auto words = [&](const std::string& text, PortModel ports, Duplex duplex) {
      return bound(name, text, block_settings(2), model_of(ports, duplex)).second;
    };
    EXPECT_EQ(words("path:5", PortModel::one, Duplex::full), 6U * 2);
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

}  // namespace
}  // namespace lockstep::grid_allgather_test
