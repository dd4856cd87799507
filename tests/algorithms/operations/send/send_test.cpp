// The send methods against Saad & Schultz (saad-schultz-1985.md, One path, Disjoint paths; saad-schultz-1988.md, Ring
// paths, Torus path, Four paths; saad-schultz-1985.md, Pipelines).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "arithmetic.hpp"
#include "distances.hpp"
#include "path_lengths.hpp"
#include "plain_turns.hpp"
#include "send_run.hpp"

namespace lockstep::send_test {
namespace {

constexpr std::string_view pipelined = "send/pipelined";
constexpr std::string_view store_and_forward = "send/store-and-forward";
constexpr std::string_view disjoint = "send/disjoint-paths";
constexpr std::string_view balanced = "send/disjoint-paths-balanced";

TEST(SendPipelined, HasTheCountsOfAPipelineOverTheDistance) {
  for (const char* text :
       {"hypercube:0", "hypercube:1", "hypercube:4", "ring:1",    "ring:2",    "ring:3",    "ring:8",    "ring:9",
        "torus:1x1",   "torus:2x2",   "torus:3x3",   "torus:4x4", "torus:5x5", "torus:1x6", "torus:4x7", "torus:3x2x4",
        "mesh:1x1",    "mesh:5x3",    "mesh:2x3x4",  "path:1",    "path:2",    "path:9"}) {
    const BuiltMachine machine(text);
    const Rank k = machine.topology.processors();
    for (const Rank from : std::set<Rank>{0, k / 2}) {
      const std::vector<Rank> distance = distances_from(machine.topology, from);
      for (Rank to = 0; to < k; ++to) {
        for (const auto& [words, packets] : {std::pair(1U, 1U), std::pair(6U, 3U), std::pair(7U, 3U)}) {
          expect_run(machine, pipelined, PortModel::one, transfer(from, to, words, packets),
                     along_path(distance[to], words, packets));
        }
      }
    }
  }
}

// saad-schultz-1985.md, Pipelines, where processors take turns: S = L + 2 (P-1), W = (L-2) ceil(N/P) + 2 N for L >= 2,
// S = P, W = N for L = 1; and the same from moving packets along a plain path.
TEST(SendPipelined, SendsPacketsTwoApartWhereProcessorsTakeTurns) {
  for (const char* text : {"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:4", "ring:1", "ring:2", "ring:3",
                           "ring:8", "ring:13", "torus:1x1", "torus:2x2", "torus:3x3", "torus:4x4", "torus:5x5"}) {
    const BuiltMachine machine(text);
    const std::vector<Rank> distance = distances_from(machine.topology, 0);
    for (Rank to = 0; to < machine.topology.processors(); ++to) {
      const std::uint64_t L = distance[to];
      for (const auto& [N, P] : {std::pair(1U, 1U), std::pair(6U, 3U), std::pair(7U, 3U), std::pair(9U, 9U)}) {
        Counts counts{L + 2 * (P - 1), (L - 2) * divided_up(N, P) + 2 * N, L * P, L * N};
        if (L == 1) counts = {P, N, P, N};
        if (L == 0) counts = {};
        const plain::Counts plain = plain::in_turns({{L, plain::cut(N, P)}});
        EXPECT_EQ(plain.steps, counts.steps);
        EXPECT_EQ(plain.longest_sum, counts.longest_sum);
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
          expect_run(machine, pipelined, ports, transfer(0, to, N, P), counts, Duplex::half_node);
        }
      }
    }
  }
}

// Naive: S = d, W = dN, M = d, V = dN; no processor sends while it receives.
TEST(SendStoreAndForward, MovesTheItemOnceOverEveryHop) {
  for (const char* text : {"hypercube:0", "hypercube:3", "ring:1", "ring:2", "ring:7", "torus:2x2", "torus:4x4",
                           "torus:3x5", "torus:2x4x3", "mesh:3x4", "mesh:2x2x3", "path:6"}) {
    const BuiltMachine machine(text);
    const std::vector<Rank> distance = distances_from(machine.topology, 0);
    for (Rank to = 0; to < machine.topology.processors(); ++to) {
      const std::uint64_t d = distance[to];
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        expect_run(machine, store_and_forward, ports, transfer(0, to, 5), {d, 5 * d, d, 5 * d}, Duplex::half_node);
      }
    }
  }
}

// "Path r: length i; for each other dimension length i+2"; W = S*m/(n*nu) if n*nu divides m.
TEST(SendDisjointPaths, HaveTheCountsOfThePaperOnTheCube) {
  for (std::uint64_t n = 0; n <= 5; ++n) {
    const BuiltMachine machine(cube(n));
    const Rank k = machine.topology.processors();
    const std::vector<Rank> distance = distances_from(machine.topology, k - 1);
    for (Rank to = 0; to < k; ++to) {
      const std::uint64_t i = distance[to];
      std::vector<std::uint64_t> lengths(i == 0 ? 0 : n, i + 2);
      std::fill_n(lengths.begin(), i, i);
      for (const std::uint64_t nu : {1U, 3U}) {
        for (const std::uint64_t words : {6 * std::max<std::uint64_t>(n, 1), 6 * n + 5}) {
          const Counts counts = along_paths(lengths, words, nu);
          if (i > 0) {
            EXPECT_EQ(counts.steps, nu - 1 + (i == n ? i : i + 2));
            EXPECT_EQ(counts.messages, nu * (i * i + (n - i) * (i + 2)));
            if (words % (n * nu) == 0) {
              EXPECT_EQ(counts.longest_sum, counts.steps * words / (n * nu));
            }
          }
          expect_run(machine, disjoint, PortModel::all, transfer(k - 1, to, words, nu), counts);
        }
      }
    }
  }
}

// S = nu-1+k-d, M = nu*k; if 2nu divides N W = S*N/(2nu). A ring of two has only one path.
TEST(SendDisjointPaths, HaveTheCountsOfThePaperOnTheRing) {
  for (std::uint64_t k = 1; k <= 9; ++k) {
    const BuiltMachine machine("ring:" + std::to_string(k));
    const Rank from = static_cast<Rank>(k / 3);
    const std::vector<Rank> distance = distances_from(machine.topology, from);
    for (Rank to = 0; to < k; ++to) {
      const std::uint64_t d = distance[to];
      for (const std::uint64_t nu : {1U, 2U, 3U}) {
        for (const std::uint64_t words : {12U, 13U}) {
          if (d == 0 || k == 2) {
            expect_run(machine, disjoint, PortModel::all, transfer(from, to, words, nu), along_path(d, words, nu));
            continue;
          }
          const Counts counts = along_paths({d, k - d}, words, nu);
          EXPECT_EQ(counts.steps, nu - 1 + k - d);
          EXPECT_EQ(counts.messages, nu * k);
          if (words == 12) {
            EXPECT_EQ(counts.longest_sum, counts.steps * words / (2 * nu));
          }
          expect_run(machine, disjoint, PortModel::all, transfer(from, to, words, nu), counts);
        }
      }
    }
  }
}

// All parts in turns: S is the most of L + 2 (P-1), and P where L = 1.
TEST(SendDisjointPaths, SendPacketsTwoApartWhereProcessorsTakeTurns) {
  for (const char* text : {"ring:3", "ring:8", "ring:9", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:5",
                           "torus:3x3", "torus:4x4", "torus:5x5", "torus:6x6", "torus:7x7"}) {
    const BuiltMachine machine(text);
    for (Rank to = 1; to < machine.topology.processors(); ++to) {
      const std::vector<std::uint64_t> lengths = lengths_of_ways(machine, to);
      for (const std::uint64_t P : {1U, 2U, 5U}) {
        for (const std::uint64_t N : {lengths.size() * P, lengths.size() * (P + 1) + 1}) {
          std::vector<plain::PathOfPackets> paths;
          std::uint64_t steps = 0;
          for (std::size_t path = 0; path < lengths.size(); ++path) {
            paths.push_back({lengths[path], plain::cut(piece(N, lengths.size(), path), P)});
            steps = std::max(steps, lengths[path] == 1 ? P : lengths[path] + 2 * (P - 1));
          }
          const plain::Counts plain = plain::in_turns(paths);
          EXPECT_EQ(plain.steps, steps);
          expect_run(machine, disjoint, PortModel::all, transfer(0, to, N, P),
                     {plain.steps, plain.longest_sum, plain.messages, plain.words}, Duplex::half_node);
        }
      }
    }
  }
}

TEST(SendDisjointPaths, HaveTheCountsOfThePaperOnTheTorus) {
  for (Rank s = 3; s <= 6; ++s) {
    const BuiltMachine machine(square(s));
    for (Rank to = 1; to < s * s; ++to) {
      const auto displacement = [s](Rank a) { return std::min(a, s - a); };
      const auto lengths = lengths_of_table(s, displacement(to % s), displacement(to / s));
      for (const auto& [words, nu] : {std::pair(4U, 1U), std::pair(24U, 3U), std::pair(27U, 3U)}) {
        const Counts counts = along_paths(lengths, words, nu);
        EXPECT_EQ(counts.steps, nu - 1 + *std::max_element(lengths.begin(), lengths.end()));
        expect_run(machine, disjoint, PortModel::all, transfer(0, to, words, nu), counts);
      }
    }
    expect_run(machine, disjoint, PortModel::all, transfer(1, 1, 9, 2), {0, 0, 0, 0});
  }
}

// Lengths from the tables of saad-schultz-1988.md, Paths on grids, or by hand where they have no row: on 3x7 three
// paths take the three columns, and the fourth goes round in the other direction.
TEST(SendDisjointPaths, HaveTheCountsOfTheirPathsOnGrids) {
  struct Case {
    const char* machine;
    Rank from, to;
    std::vector<std::uint64_t> lengths;
  };
  for (const auto& [text, from, to, lengths] :
       {Case{"torus:5x7", 0, 2 * 7 + 3, {7, 7, 7, 7}}, Case{"torus:7x5", 3, 5 + 3, {1, 3, 5, 7}},
        Case{"torus:9x6", 0, 4 * 6, {8, 8, 8, 8}}, Case{"torus:5x5x6", 0, 30 + 12 + 3, {8, 8, 8, 8, 8, 8}},
        Case{"torus:5x5x6", 0, 12 + 2, {6, 6, 6, 6, 6, 6}}, Case{"torus:5x5x6", 7, 9, {2, 4, 4, 6, 6, 6}},
        Case{"torus:2x2", 0, 3, {2, 2}}, Case{"torus:2x5", 0, 7, {3, 3, 4}}, Case{"torus:3x7", 0, 7 + 2, {3, 3, 4, 6}},
        Case{"torus:1x6", 0, 2, {2, 4}}, Case{"mesh:4x5", 0, 19, {7, 7}}, Case{"mesh:5x5", 6, 18, {6, 6, 6, 6}},
        Case{"mesh:2x6", 1, 4, {3, 5}}, Case{"mesh:3x3x3", 0, 26, {6, 6, 6}}, Case{"mesh:3x3x3", 0, 8, {4, 4, 6}},
        Case{"mesh:1x7", 2, 5, {3}}, Case{"path:9", 2, 7, {5}}}) {
    SCOPED_TRACE(text);
    const BuiltMachine machine(text);
    for (const std::uint64_t nu : {1U, 3U}) {
      for (const std::uint64_t words : {lengths.size() * nu, 5 * lengths.size() * nu + 4}) {
        const Counts counts = along_paths(lengths, words, nu);
        EXPECT_EQ(counts.steps, nu - 1 + lengths.back());
        expect_run(machine, disjoint, PortModel::all, transfer(from, to, words, nu), counts);
      }
    }
    const std::uint64_t all = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
    // Enough packets that every path is used: S + 1 - its links each.
    const std::uint64_t packets = lengths.size() * (lengths.back() + 3) - all;
    const std::uint64_t steps = lengths.back() + 2;
    std::uint64_t messages = 0;
    for (const std::uint64_t hops : lengths) messages += hops * (steps + 1 - hops);
    expect_run(machine, balanced, PortModel::all, transfer(from, to, 2 * packets, packets),
               {steps, 2 * steps, messages, 2 * messages});
  }
}

TEST(Send, IsBoundedByTheLinksOfBothEnds) {
  const auto bound = [](const char* text, Rank from, Rank to) {
    return lockstep::bound(disjoint, text, transfer(from, to, 60), model_of(PortModel::all));
  };
  EXPECT_EQ(bound("mesh:4x5", 0, 7), Bound(3, 30));
  EXPECT_EQ(bound("mesh:4x5", 7, 1), Bound(2, 20));
  EXPECT_EQ(bound("mesh:5x5", 6, 18), Bound(4, 15));
  EXPECT_EQ(bound("torus:2x7", 0, 3), Bound(3, 20));
  EXPECT_EQ(bound("path:70", 0, 69), Bound(69, 69));
}

TEST(Send, GoesToTheLowestOfTheFarthestByDefault) {
  for (const char* text :
       {"hypercube:0", "hypercube:4", "ring:1", "ring:2", "ring:8", "ring:9", "torus:1x1", "torus:2x2", "torus:4x4",
        "torus:5x5", "torus:3x6", "torus:2x3x4", "mesh:1x1", "mesh:4x5", "mesh:2x3x4", "path:1", "path:7"}) {
    const BuiltMachine machine(text);
    for (Rank from = 0; from < machine.topology.processors(); ++from) {
      Settings settings;
      settings.source = from;
      machine.method(pipelined).resolve(machine.spec, {}, settings);
      const std::vector<Rank> distance = distances_from(machine.topology, from);
      EXPECT_EQ(*settings.destination, std::max_element(distance.begin(), distance.end()) - distance.begin());
      EXPECT_EQ(settings.words, 1U);
    }
  }
  Settings huge;
  find_method(pipelined, "torus").resolve(parse_machine("torus:60000x60000"), {}, huge);
  EXPECT_EQ(huge.destination, std::uint64_t{60000} * 30000 + 30000);
}

// The next stricter model than the section's is refused.
TEST(Send, IsRefusedInModelsThatAreTooStrict) {
  const auto violation = [](const char* machine, std::string_view method, PortModel ports, Duplex duplex) {
    Settings settings;
    settings.packets = method == store_and_forward ? std::optional<std::uint64_t>() : 4;
    return broken_rule(method, machine, model_of(ports, duplex), settings);
  };
  for (const char* machine : {"hypercube:3", "ring:6", "torus:4x4"}) {
    EXPECT_EQ(violation(machine, pipelined, PortModel::one_strict, Duplex::full), ErrorKind::one_strict);
    EXPECT_EQ(violation(machine, disjoint, PortModel::one, Duplex::full), ErrorKind::send_limit);
  }
  EXPECT_EQ(violation("ring:6", balanced, PortModel::one, Duplex::full), ErrorKind::send_limit);
  // The ring's rule lets the source send both ways, but not the destination receive from both.
  for (const std::string_view method : {disjoint, balanced}) {
    EXPECT_EQ(violation("ring:6", method, PortModel::ring, Duplex::full), ErrorKind::receive_limit) << method;
  }
}

TEST(Send, CatchesEveryFault) {
  for (const auto& [text, method] :
       {std::pair("torus:5x5", disjoint), std::pair("hypercube:3", disjoint), std::pair("ring:6", balanced),
        std::pair("torus:5x5", balanced), std::pair("hypercube:3", balanced), std::pair("ring:6", pipelined),
        std::pair("mesh:3x4", pipelined), std::pair("torus:2x5", disjoint), std::pair("mesh:3x3x2", disjoint),
        std::pair("mesh:3x4", balanced), std::pair("path:5", balanced)}) {
    Settings settings;
    settings.packets = 3;
    settings.words = 31;
    expect_catches_faults(method, text, settings, {}, {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt});
  }
}

TEST(Send, IsBoundedByTheDistanceAndByWhatTheDestinationCanReceive) {
  const auto bound = [](const char* text, PortModel ports, const Settings& settings) {
    return lockstep::bound(pipelined, text, settings, model_of(ports));
  };
  EXPECT_EQ(bound("hypercube:4", PortModel::one, transfer(0, 7, 10)), Bound(3, 10));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, transfer(0, 7, 13)), Bound(3, 4));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, transfer(0, 15, 4)), Bound(4, 4));
  EXPECT_EQ(bound("hypercube:4", PortModel::one, transfer(3, 3, 9)), Bound(0, 0));
}

TEST(Send, NeedsMemoryForTheItemAndThePlan) {
  const Settings settings = resolved(disjoint, "hypercube:31", block_settings(most_words));
  EXPECT_GE(bytes_of(disjoint, "hypercube:31", settings), std::uint64_t{2} * most_words * 8);
}

TEST(Send, RefusesWhatItCannotDo) {
  EXPECT_EQ(refusal(pipelined, "hypercube:3", transfer(8, 0, 1)), "--source 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal(pipelined, "ring:5", transfer(0, 5, 1)), "--destination 5 is out of range: 0 to 4");
  EXPECT_EQ(refusal(pipelined, "ring:5", transfer(0, 4, 0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(pipelined, "ring:5", transfer(0, 4, 3, 4)),
            "--packets 4 is out of range: 1 to 3, as every packet has at least one of the 3 words");
  EXPECT_EQ(refusal(pipelined, "ring:5", transfer(0, 4, 3, 0)),
            "--packets 0 is out of range: 1 to 3, as every packet has at least one of the 3 words");
  EXPECT_EQ(refusal(disjoint, "hypercube:3", transfer(0, 4, 2)), "--words 2 is out of range: 3 to 2147483648");
  EXPECT_EQ(refusal(disjoint, "hypercube:3", transfer(0, 4, 8, 3)),
            "--packets 3 is out of range: 1 to 2, as every packet of 3 parts has at least one of the 8 words");
  EXPECT_EQ(refusal(balanced, "ring:5", transfer(0, 4, 3, 4)),
            "--packets 4 is out of range: 1 to 3, as every packet has at least one of the 3 words");
  EXPECT_EQ(refusal(disjoint, "torus:2x2", transfer(0, 3, 1)), "--words 1 is out of range: 2 to 2147483648");
  EXPECT_EQ(refusal(disjoint, "mesh:2000x2000", transfer(1, 2, 8)),
            "mesh:2000x2000 is too large to look for disjoint paths between these ranks: up to 1048576 processors are "
            "searched");
  EXPECT_EQ(refusal(disjoint, "hypercube:3", transfer(5, 5, 1)), "");
  EXPECT_THROW(find_method(pipelined, "rh"), InputError);
  EXPECT_THROW(find_method(balanced, "switch"), InputError);
}

}  // namespace
}  // namespace lockstep::send_test
