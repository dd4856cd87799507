// The broadcasts in packets against Saad & Schultz (saad-schultz-1985.md, Pipelined broadcast; saad-schultz-1988.md,
// Ring broadcast, Axis broadcast, Two streams, Two phases), and the sequential allgathers that repeat them
// (saad-schultz-1985.md, Sequential broadcasts; saad-schultz-1988.md, Torus sequential broadcasts).
#include <gtest/gtest.h>

#include <set>

#include "arithmetic.hpp"
#include "method_run.hpp"
#include "plain_turns.hpp"

namespace lockstep::broadcast_pipelined_test {
namespace {

Settings blocks(std::uint64_t words, std::uint64_t packets) {
  Settings settings = block_settings(words);
  settings.packets = packets;
  return settings;
}

void expect_run(const BuiltMachine& machine, std::string_view method, Duplex duplex, const Settings& settings,
                const SpecCounts& counts) {
  Model model = machine.method(method).defaults;
  model.duplex = duplex;
  lockstep::expect_run(machine, method, model, settings, counts);
}

constexpr std::pair<std::uint64_t, std::uint64_t> sizes[] = {{1, 1}, {4, 1}, {6, 3}, {7, 3}, {5, 5}};

// S = n+nu-1, W = (n-1) ceil(m/nu) + m, M = (k-1) nu, V = (k-1) m, sends = nu 2^(n-1) (n >= 1).
TEST(BroadcastSbtPipelined, HasTheCountsOfThePaper) {
  for (std::uint64_t n = 0; n <= 7; ++n) {
    const BuiltMachine machine(cube(n));
    const std::uint64_t k = std::uint64_t{1} << n;
    for (const std::uint64_t root : std::set<std::uint64_t>{0, k - 1, k / 3}) {
      for (const auto& [m, nu] : sizes) {
        SpecCounts counts{n + nu - 1, (n - 1) * divided_up(m, nu) + m, (k - 1) * nu, (k - 1) * m, nu * k / 2};
        if (n == 0) counts = nothing;
        expect_run(machine, "broadcast/sbt-pipelined", Duplex::half_link, packet_settings(m, nu, root), counts);
      }
    }
  }
}

// 0.5 with L = k-1, and in both directions with L = floor(k/2); the root's two sends are one multicast.
TEST(BroadcastRoundTheRing, HasTheCountsOfThePaper) {
  for (std::uint64_t k = 1; k <= 9; ++k) {
    const BuiltMachine machine("ring:" + std::to_string(k));
    for (const std::uint64_t root : std::set<std::uint64_t>{0, k - 1, k / 2}) {
      for (const auto& [N, nu] : sizes) {
        SpecCounts one_way{nu + k - 2, (k - 2) * divided_up(N, nu) + N, (k - 1) * nu, (k - 1) * N, (k - 1) * nu};
        SpecCounts two_way{nu - 1 + k / 2, (k / 2 - 1) * divided_up(N, nu) + N, (k - 1) * nu, (k - 1) * N,
                           (k > 2 ? k - 2 : k - 1) * nu};
        if (k == 1) one_way = two_way = nothing;
        expect_run(machine, "broadcast/one-way", Duplex::half_link, packet_settings(N, nu, root), one_way);
        expect_run(machine, "broadcast/two-way", Duplex::half_link, packet_settings(N, nu, root), two_way);
      }
    }
  }
}

// Processors that send: in the column the root and those that are not at its ends or have rows to feed, in the rows all
// but the ends.
std::uint64_t senders_on_axes(std::uint64_t s) {
  const std::uint64_t ends = s == 1 ? 0 : s == 2 ? 1 : 2;  // of a ring in both directions
  const std::uint64_t column = s == 1 ? 0 : s;             // each feeds its row
  return column + (s - 1 - ends) * s;
}

class OnSquareTori : public testing::TestWithParam<std::uint64_t> {
 protected:
  const std::uint64_t s = GetParam();
  const std::uint64_t k = s * s;
  const std::uint64_t h = s / 2;
  const BuiltMachine machine{square(s)};
  const std::set<std::uint64_t> roots{0, k - 1, k / 2};
};

// S = nu-1+2h, W = (2h-1) ceil(N/nu) + N, M = (k-1) nu, V = (k-1) N.
TEST_P(OnSquareTori, AxisHasTheCountsOfThePaper) {
  for (const std::uint64_t root : roots) {
    for (const auto& [N, nu] : sizes) {
      SpecCounts counts{nu - 1 + 2 * h, (2 * h - 1) * divided_up(N, nu) + N, (k - 1) * nu, (k - 1) * N,
                        senders_on_axes(s) * nu};
      if (s == 1) counts = nothing;
      expect_run(machine, "broadcast/axis", Duplex::half_link, packet_settings(N, nu, root), counts);
    }
  }
}

// S = 2 (nu-1+h), W = 2 ((h-1) ceil(N/nu) + N), M = (k-1) nu, V = (k-1) N. A ring of s in both directions has s - 2
// senders (1 for s = 2), in the column and in each row.
TEST_P(OnSquareTori, TwoPhaseHasTheCountsOfThePaper) {
  const std::uint64_t senders = s <= 2 ? s - 1 : s - 2;
  for (const std::uint64_t root : roots) {
    for (const auto& [N, nu] : sizes) {
      SpecCounts counts{2 * (nu - 1 + h), 2 * ((h - 1) * divided_up(N, nu) + N), (k - 1) * nu, (k - 1) * N,
                        (s + 1) * senders * nu};
      if (s == 1) counts = nothing;
      expect_run(machine, "broadcast/two-phase", Duplex::half_link, packet_settings(N, nu, root), counts);
    }
  }
}

// late: S = max(nu-1+2h, 2nu-1+h), half-link; handback: S = max(nu-1+2h, nu+1+h), full. M = 2 (k-1) nu = sends,
// V = (k-1) N; if 2 nu divides N, W = S N / (2 nu).
TEST_P(OnSquareTori, TwoStreamsHaveTheCountsOfThePaper) {
  for (const std::uint64_t root : roots) {
    for (const std::uint64_t nu : {1U, 2U, 3U, 7U}) {
      for (const std::uint64_t z : {1U, 3U}) {
        const std::uint64_t N = 2 * nu * z;
        const std::uint64_t messages = 2 * (k - 1) * nu;
        std::uint64_t steps = std::max(nu - 1 + 2 * h, nu + 1 + h);
        SpecCounts handback{steps, steps * z, messages, (k - 1) * N, messages};
        steps = std::max(nu - 1 + 2 * h, 2 * nu - 1 + h);
        SpecCounts late{steps, steps * z, messages, (k - 1) * N, messages};
        if (s == 1) handback = late = nothing;
        expect_run(machine, "broadcast/two-streams", Duplex::full, packet_settings(N, nu, root), handback);
        expect_run(machine, "broadcast/two-streams-late", Duplex::half_link, packet_settings(N, nu, root), late);
      }
    }
  }
}

// X is the first ceil(N/2) words; a packet of a tree of L levels is on some link in all of L steps.
std::uint64_t longest_of_streams(std::uint64_t N, std::uint64_t nu, std::uint64_t levels, std::uint64_t late_levels) {
  std::vector<std::uint64_t> longest;
  for (const std::uint64_t half : {(N + 1) / 2, N / 2}) {
    for (std::uint64_t packet = 0; packet < nu; ++packet) {
      const std::uint64_t size = half / nu + (packet < half % nu ? 1 : 0);
      const auto moves_in = [&](std::uint64_t step) {
        if (step >= longest.size()) longest.resize(step + 1);
        longest[step] = std::max(longest[step], size);
      };
      for (std::uint64_t level = 0; level < levels; ++level) moves_in(packet + level);
      for (std::uint64_t level = 0; level < late_levels; ++level) moves_in(nu + packet + level);
    }
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t words : longest) sum += words;
  return sum;
}

TEST_P(OnSquareTori, TwoStreamsPredictPacketsThatAreNotAlike) {
  if (s == 1) return;
  for (const auto& [N, nu] : {std::pair(9U, 1U), std::pair(9U, 4U), std::pair(13U, 5U), std::pair(30U, 4U)}) {
    const std::uint64_t messages = 2 * (k - 1) * nu;
    const std::uint64_t levels = std::max(2 * h, h + 2);
    expect_run(machine, "broadcast/two-streams", Duplex::full, packet_settings(N, nu, k / 3),
               {nu - 1 + levels, longest_of_streams(N, nu, levels, 0), messages, (k - 1) * N, messages});
    expect_run(machine, "broadcast/two-streams-late", Duplex::half_link, packet_settings(N, nu, k / 3),
               {std::max(nu - 1 + 2 * h, 2 * nu - 1 + h), longest_of_streams(N, nu, 2 * h, h), messages, (k - 1) * N,
                messages});
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, OnSquareTori, testing::Range(std::uint64_t{1}, std::uint64_t{8}));

// S = k (L+nu-1), W = k ((L-1) ceil(m/nu) + m), M = k (k-1) nu, V = k (k-1) m with L = n on the cube, 2h on the torus.
TEST(AllgatherSequential, HasTheCountsOfThePaper) {
  const auto expect_counts = [](const BuiltMachine& machine, std::uint64_t k, std::uint64_t hops,
                                std::uint64_t senders) {
    for (const auto& [m, nu] : sizes) {
      SpecCounts counts{k * (hops + nu - 1), k * ((hops - 1) * divided_up(m, nu) + m), k * (k - 1) * nu,
                        k * (k - 1) * m, k * senders * nu};
      if (k == 1) counts = nothing;
      expect_run(machine, "allgather/sequential", Duplex::half_link, blocks(m, nu), counts);
    }
  };
  for (std::uint64_t n = 0; n <= 4; ++n) {
    const std::uint64_t k = std::uint64_t{1} << n;
    expect_counts(BuiltMachine(cube(n)), k, n, k / 2);
  }
  for (std::uint64_t s = 1; s <= 4; ++s) {
    const std::string side = std::to_string(s);
    expect_counts(BuiltMachine("torus:" + side + "x" + side), s * s, s / 2 * 2, senders_on_axes(s));
  }
}

// Where processors take turns: L + 2 (nu-1) steps and (L-2) ceil(N/nu) + 2 N words for L >= 2 hops, nu and N for one,
// down a tree as along its longest path (saad-schultz-1985.md, Pipelines).
struct TurnCounts {
  std::uint64_t steps;
  std::uint64_t longest_sum;
};

TurnCounts turns_of(std::uint64_t hops, std::uint64_t N, std::uint64_t nu) {
  const plain::Counts path = plain::in_turns({{hops, plain::cut(N, nu)}});
  const TurnCounts turns = hops == 0   ? TurnCounts{0, 0}
                           : hops == 1 ? TurnCounts{nu, N}
                                       : TurnCounts{hops + 2 * (nu - 1), (hops - 2) * divided_up(N, nu) + 2 * N};
  EXPECT_EQ(path.steps, turns.steps);
  EXPECT_EQ(path.longest_sum, turns.longest_sum);
  return turns;
}

void expect_in_turns(const std::string& text, std::string_view method, std::uint64_t hops, std::uint64_t phases = 1) {
  const BuiltMachine machine(text);
  const std::uint64_t k = machine.spec.processors;
  for (const std::uint64_t root : std::set<std::uint64_t>{0, k - 1, k / 3}) {
    for (const auto& [N, nu] : sizes) {
      const TurnCounts turns = turns_of(hops, N, nu);
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        Model model = machine.method(method).defaults;
        model.ports = ports;
        model.duplex = Duplex::half_node;
        SCOPED_TRACE(text + ", " + std::string(method) + " from " + std::to_string(root));
        const Settings settings = packet_settings(N, nu, root);
        const Report report = machine.run(method, model, settings).report;
        EXPECT_EQ(report.steps, phases * turns.steps);
        EXPECT_EQ(report.longest_sum, phases * turns.longest_sum);
        EXPECT_EQ(report.messages, (k - 1) * nu);
        EXPECT_EQ(report.words, (k - 1) * N);
        expect_kept(machine.predict(method, model, settings), report, model.cost);
        expect_predicted(machine.predict(method, model, settings), counts_of(report));
      }
    }
  }
}

TEST(BroadcastsInPackets, AreTwoApartWhereProcessorsTakeTurns) {
  for (std::uint64_t n = 0; n <= 6; ++n) expect_in_turns(cube(n), "broadcast/sbt-pipelined", n);
  for (std::uint64_t k = 1; k <= 9; ++k) {
    const std::string ring = "ring:" + std::to_string(k);
    expect_in_turns(ring, "broadcast/one-way", k - 1);
    expect_in_turns(ring, "broadcast/two-way", k / 2);
  }
  for (std::uint64_t s = 1; s <= 7; ++s) {
    expect_in_turns(square(s), "broadcast/axis", s / 2 * 2);
    expect_in_turns(square(s), "broadcast/two-phase", s / 2, 2);
  }
}

TEST(AllgatherSequential, IsTwoApartWhereProcessorsTakeTurns) {
  for (const auto& [text, hops] :
       {std::pair("hypercube:0", 0U), std::pair("hypercube:1", 1U), std::pair("hypercube:3", 3U),
        std::pair("torus:2x2", 2U), std::pair("torus:3x3", 2U), std::pair("torus:4x4", 4U)}) {
    const BuiltMachine machine(text);
    const std::uint64_t k = machine.spec.processors;
    for (const auto& [m, nu] : sizes) {
      const TurnCounts turns = turns_of(hops, m, nu);
      Model model = machine.method("allgather/sequential").defaults;
      model.duplex = Duplex::half_node;
      expect_run(machine, "allgather/sequential", Duplex::half_node, blocks(m, nu),
                 {.steps = k * turns.steps,
                  .longest_sum = k * turns.longest_sum,
                  .messages = k * (k - 1) * nu,
                  .words = k * (k - 1) * m,
                  .sends = machine.run("allgather/sequential", model, blocks(m, nu)).report.sends});
    }
  }
}

struct Strictness {
  const char* method;
  const char* machine;
  Duplex legal;  ///< the strictest; the next stricter one is refused
};

TEST(BroadcastsInPackets, AreRefusedInModelsThatAreTooStrict) {
  const auto violation = [](const char* text, std::string_view method, const Model& model) {
    Settings settings;
    settings.packets = 3;
    return broken_rule(method, text, model, settings);
  };
  for (const auto& [method, machine, legal] : {Strictness{"broadcast/sbt-pipelined", "hypercube:4", Duplex::half_node},
                                               Strictness{"broadcast/one-way", "ring:6", Duplex::half_node},
                                               Strictness{"broadcast/two-way", "ring:6", Duplex::half_node},
                                               Strictness{"broadcast/axis", "torus:4x4", Duplex::half_node},
                                               Strictness{"broadcast/two-phase", "torus:4x4", Duplex::half_node},
                                               Strictness{"broadcast/two-streams", "torus:4x4", Duplex::full},
                                               Strictness{"broadcast/two-streams-late", "torus:4x4", Duplex::half_link},
                                               Strictness{"allgather/sequential", "hypercube:3", Duplex::half_node},
                                               Strictness{"allgather/sequential", "torus:4x4", Duplex::half_node}}) {
    SCOPED_TRACE(method);
    Model model = BuiltMachine(machine).method(method).defaults;
    model.duplex = legal == Duplex::full ? Duplex::half_link : Duplex::half_node;
    if (legal == Duplex::half_node) {
      EXPECT_EQ(violation(machine, method, model), std::nullopt);
    } else {
      EXPECT_EQ(violation(machine, method, model), legal == Duplex::full ? ErrorKind::half_link : ErrorKind::half_node);
    }
    model.duplex = Duplex::full;
    if (model.multicast) {
      model.multicast = false;
      EXPECT_EQ(violation(machine, method, model), ErrorKind::send_limit);
    } else if (model.ports == PortModel::all) {
      model.ports = PortModel::one;
      model.multicast = true;
      EXPECT_EQ(violation(machine, method, model), ErrorKind::send_limit);
    } else {
      model.ports = PortModel::one_strict;
      EXPECT_EQ(violation(machine, method, model), ErrorKind::one_strict);
    }
  }
}

// With all ports instead of multicast every message is a send.
TEST(BroadcastsInPackets, NeedNoMulticastWithAllPorts) {
  const auto sends = [](const char* text, std::string_view method) {
    const BuiltMachine machine(text);
    return machine.run(method, model_of(PortModel::all, Duplex::half_link), packet_settings(6, 3, 1)).report.sends;
  };
  EXPECT_EQ(sends("hypercube:4", "broadcast/sbt-pipelined"), 15U * 3);
  EXPECT_EQ(sends("torus:4x4", "broadcast/axis"), 15U * 3);
}

// Two swapped packets are noticed, as are all other faults.
TEST(BroadcastsInPackets, CatchEveryFault) {
  for (const auto& [text, method] :
       {std::pair("hypercube:2", "broadcast/sbt-pipelined"), std::pair("ring:5", "broadcast/one-way"),
        std::pair("ring:5", "broadcast/two-way"), std::pair("torus:3x3", "broadcast/axis"),
        std::pair("torus:5x5", "broadcast/two-phase"), std::pair("torus:3x3", "broadcast/two-streams"),
        std::pair("torus:3x3", "broadcast/two-streams-late"), std::pair("torus:2x2", "allgather/sequential")}) {
    const BuiltMachine machine(text);
    Settings settings;
    settings.packets = 3;
    settings.words = 11;
    const Model model = machine.method(method).defaults;
    const std::uint64_t messages = machine.run(method, model, settings).report.messages;
    expect_catches_faults(method, text, settings, {}, {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt});
    std::uint64_t swaps_seen = 0;
    for (std::uint64_t index = 0; index < messages; ++index) {
      const bool unseen = noticed(machine, method, model, settings, Fault{FaultKind::swap, index}).empty();
      swaps_seen += unseen ? 0 : 1;  // the others swap equal packets
    }
    EXPECT_GT(swaps_seen, 0U) << method;
  }
}

// Section 7's L: n, k-1, floor(k/2), 2h, h for each of two phases, 2h for two streams of N/2 words.
TEST(BroadcastsInPackets, ComeInThePacketsOfSection7) {
  const auto packets = [](const char* text, std::string_view method, std::uint64_t words) {
    return resolved(method, text, block_settings(words), Model{}).packets.value();
  };
  EXPECT_EQ(packets("hypercube:5", "broadcast/sbt-pipelined", 100), 20U);  // sqrt(4 * 100)
  EXPECT_EQ(packets("ring:17", "broadcast/one-way", 60), 30U);             // sqrt(15 * 60)
  EXPECT_EQ(packets("ring:10", "broadcast/two-way", 100), 20U);            // sqrt(4 * 100)
  EXPECT_EQ(packets("torus:5x5", "broadcast/axis", 12), 6U);               // sqrt(3 * 12)
  EXPECT_EQ(packets("torus:5x5", "broadcast/two-phase", 16), 4U);          // sqrt(1 * 16)
  EXPECT_EQ(packets("torus:5x5", "broadcast/two-streams", 24), 6U);        // sqrt(3 * 12)
  EXPECT_EQ(packets("hypercube:5", "allgather/sequential", 100), 20U);
  EXPECT_EQ(packets("torus:5x5", "allgather/sequential", 12), 6U);
  EXPECT_EQ(packets("hypercube:0", "broadcast/sbt-pipelined", 100), 1U);
  EXPECT_EQ(packets("hypercube:1", "broadcast/sbt-pipelined", 100), 1U);
  EXPECT_EQ(packets("torus:9x9", "broadcast/two-streams-late", 2), 1U);
}

// The diameter; with one port and no multicast, one-way, an item reaches 2 S processors of a ring in S steps; and in an
// allgather what a processor knows at most doubles, as it receives one message a step.
TEST(BroadcastsInPackets, AreBoundedByTheDiameterAndByGrowth) {
  const auto steps = [](const char* text, std::string_view method) {
    return bound(method, text, packet_settings(2, 1, 0), find_method(method, parse_machine(text).family).defaults)
        .first;
  };
  EXPECT_EQ(steps("hypercube:5", "broadcast/sbt-pipelined"), 5U);
  EXPECT_EQ(steps("ring:9", "broadcast/one-way"), 5U);
  EXPECT_EQ(steps("ring:9", "broadcast/two-way"), 4U);
  EXPECT_EQ(steps("torus:5x5", "broadcast/axis"), 4U);
  EXPECT_EQ(steps("torus:5x5", "broadcast/two-phase"), 4U);
  EXPECT_EQ(steps("torus:5x5", "broadcast/two-streams"), 4U);
  EXPECT_EQ(steps("torus:5x5", "allgather/sequential"), 5U);
}

TEST(BroadcastsInPackets, NeedMemoryForEveryItem) {
  for (const auto& [text, method] :
       {std::pair("hypercube:31", "broadcast/sbt-pipelined"), std::pair("ring:4000000000", "broadcast/two-way"),
        std::pair("torus:60000x60000", "broadcast/two-streams"), std::pair("hypercube:31", "allgather/sequential")}) {
    EXPECT_EQ(bytes_of(method, text, packet_settings(most_words, 2, 0)), too_many_bytes) << method;
  }
}

TEST(BroadcastsInPackets, RefuseWhatTheyCannotDo) {
  EXPECT_EQ(refusal("broadcast/sbt-pipelined", "hypercube:3", packet_settings(4, 5, 0)),
            "--packets 5 is out of range: 1 to 4, as every packet has at least one of the 4 words");
  EXPECT_EQ(refusal("broadcast/sbt-pipelined", "hypercube:3", packet_settings(4, 0, 0)),
            "--packets 0 is out of range: 1 to 4, as every packet has at least one of the 4 words");
  expect_words_from(1, "broadcast/sbt-pipelined", "hypercube:3");
  expect_roots_to(7, "broadcast/sbt-pipelined", "hypercube:3");
  EXPECT_EQ(refusal("broadcast/two-way", "ring:3", packet_settings(1, 2, 0)),
            "--packets 2 is out of range: 1 to 1, as every packet has at least one of the 1 word");
  EXPECT_EQ(refusal("broadcast/two-streams", "torus:3x3", packet_settings(1, 1, 0)),
            "--words 1 is out of range: 2 to 2147483648");
  EXPECT_EQ(refusal("broadcast/two-streams", "torus:3x3", packet_settings(5, 3, 0)),
            "--packets 3 is out of range: 1 to 2, as every packet of 2 parts has at least one of the 5 words");
  EXPECT_EQ(refusal("broadcast/two-streams-late", "torus:3x3", packet_settings(5, 3, 0)),
            "--packets 3 is out of range: 1 to 2, as every packet of 2 parts has at least one of the 5 words");
  EXPECT_EQ(refusal("allgather/sequential", "hypercube:2", blocks(3, 4)),
            "--packets 4 is out of range: 1 to 3, as every packet has at least one of the 3 words");
  EXPECT_THROW(find_method("broadcast/one-way", "torus"), InputError);
}

}  // namespace
}  // namespace lockstep::broadcast_pipelined_test
