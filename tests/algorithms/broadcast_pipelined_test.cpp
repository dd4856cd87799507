// The broadcasts in packets against Saad & Schultz (saad-schultz-1985.md, Pipelined broadcast; saad-schultz-1988.md,
// Ring broadcast, Axis broadcast, Two streams, Two phases), and the sequential allgathers that repeat them
// (saad-schultz-1985.md, Sequential broadcasts; saad-schultz-1988.md, Torus sequential broadcasts).
#include <gtest/gtest.h>

#include <set>

#include "built_machine.hpp"

namespace lockstep {
namespace {

/// S, W, M, V and sends.
struct Counts {
  std::uint64_t steps, longest_sum, messages, words, sends;
};

Settings item(std::uint64_t words, std::uint64_t packets, std::uint64_t root) {
  Settings settings = item_settings(words, root);
  settings.packets = packets;
  return settings;
}

Settings blocks(std::uint64_t words, std::uint64_t packets) {
  Settings settings;
  settings.words = words;
  settings.packets = packets;
  return settings;
}

void expect_run(const BuiltMachine& machine, std::string_view method, Duplex duplex, const Settings& settings,
                const Counts& counts) {
  SCOPED_TRACE(machine.spec.text + " " + std::string(method) + " root " + std::to_string(settings.root.value_or(0)) +
               ", words " + std::to_string(*settings.words) + ", packets " + std::to_string(*settings.packets));
  Model model = machine.method(method).defaults;
  model.duplex = duplex;
  const Outcome outcome = machine.run(method, model, settings);
  const Report& report = outcome.report;
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(report.steps, counts.steps);
  EXPECT_EQ(report.cycles, counts.steps);
  EXPECT_EQ(report.longest_sum, counts.longest_sum);
  EXPECT_EQ(report.messages, counts.messages);
  EXPECT_EQ(report.words, counts.words);
  EXPECT_EQ(report.sends, counts.sends);
  const Prediction predicted = machine.method(method).predict(machine.spec, model, settings);
  EXPECT_EQ(predicted.steps.value().value, counts.steps);
  EXPECT_EQ(predicted.longest_sum.value().value, counts.longest_sum);
  EXPECT_EQ(predicted.messages.value().value, counts.messages);
  EXPECT_EQ(predicted.words.value().value, counts.words);
}

std::uint64_t longest_packet(std::uint64_t words, std::uint64_t packets) { return (words + packets - 1) / packets; }

constexpr std::pair<std::uint64_t, std::uint64_t> sizes[] = {{1, 1}, {4, 1}, {6, 3}, {7, 3}, {5, 5}};

// S = n+nu-1, W = (n-1) ceil(m/nu) + m, M = (k-1) nu, V = (k-1) m, sends = nu 2^(n-1) (n >= 1).
TEST(BroadcastSbtPipelined, has_the_counts_of_the_paper) {
  for (std::uint64_t n = 0; n <= 7; ++n) {
    const BuiltMachine machine("hypercube:" + std::to_string(n));
    const std::uint64_t k = std::uint64_t{1} << n;
    for (const std::uint64_t root : std::set<std::uint64_t>{0, k - 1, k / 3}) {
      for (const auto& [m, nu] : sizes) {
        Counts counts{n + nu - 1, (n - 1) * longest_packet(m, nu) + m, (k - 1) * nu, (k - 1) * m, nu * k / 2};
        if (n == 0) counts = {};
        expect_run(machine, "broadcast/sbt-pipelined", Duplex::half_link, item(m, nu, root), counts);
      }
    }
  }
}

// 0.5 with L = k-1, and both ways with L = floor(k/2); the root's two sends are one multicast.
TEST(BroadcastRoundTheRing, has_the_counts_of_the_paper) {
  for (std::uint64_t k = 1; k <= 9; ++k) {
    const BuiltMachine machine("ring:" + std::to_string(k));
    for (const std::uint64_t root : std::set<std::uint64_t>{0, k - 1, k / 2}) {
      for (const auto& [N, nu] : sizes) {
        Counts one_way{nu + k - 2, (k - 2) * longest_packet(N, nu) + N, (k - 1) * nu, (k - 1) * N, (k - 1) * nu};
        Counts two_way{nu - 1 + k / 2, (k / 2 - 1) * longest_packet(N, nu) + N, (k - 1) * nu, (k - 1) * N,
                       (k > 2 ? k - 2 : k - 1) * nu};
        if (k == 1) one_way = two_way = {};
        expect_run(machine, "broadcast/one-way", Duplex::half_link, item(N, nu, root), one_way);
        expect_run(machine, "broadcast/two-way", Duplex::half_link, item(N, nu, root), two_way);
      }
    }
  }
}

// Processors that send: in the column the root and those that are not its ends or have rows to feed, in the rows all
// but the ends.
std::uint64_t senders_on_axes(std::uint64_t s) {
  const std::uint64_t ends = s == 1 ? 0 : s == 2 ? 1 : 2;  // of a ring both ways
  const std::uint64_t column = s == 1 ? 0 : s;             // each feeds its row
  return column + (s - 1 - ends) * s;
}

class OnSquareTori : public testing::TestWithParam<std::uint64_t> {
 protected:
  const std::uint64_t s = GetParam();
  const std::uint64_t k = s * s;
  const std::uint64_t h = s / 2;
  const BuiltMachine machine{"torus:" + std::to_string(s) + "x" + std::to_string(s)};
  const std::set<std::uint64_t> roots{0, k - 1, k / 2};
};

// S = nu-1+2h, W = (2h-1) ceil(N/nu) + N, M = (k-1) nu, V = (k-1) N.
TEST_P(OnSquareTori, axis_has_the_counts_of_the_paper) {
  for (const std::uint64_t root : roots) {
    for (const auto& [N, nu] : sizes) {
      Counts counts{nu - 1 + 2 * h, (2 * h - 1) * longest_packet(N, nu) + N, (k - 1) * nu, (k - 1) * N,
                    senders_on_axes(s) * nu};
      if (s == 1) counts = {};
      expect_run(machine, "broadcast/axis", Duplex::half_link, item(N, nu, root), counts);
    }
  }
}

// S = 2 (nu-1+h), W = 2 ((h-1) ceil(N/nu) + N), M = (k-1) nu, V = (k-1) N. A ring of s both ways has s - 2 senders (1
// for s = 2), in the column and in each row.
TEST_P(OnSquareTori, two_phase_has_the_counts_of_the_paper) {
  const std::uint64_t senders = s <= 2 ? s - 1 : s - 2;
  for (const std::uint64_t root : roots) {
    for (const auto& [N, nu] : sizes) {
      Counts counts{2 * (nu - 1 + h), 2 * ((h - 1) * longest_packet(N, nu) + N), (k - 1) * nu, (k - 1) * N,
                    (s + 1) * senders * nu};
      if (s == 1) counts = {};
      expect_run(machine, "broadcast/two-phase", Duplex::half_link, item(N, nu, root), counts);
    }
  }
}

// late: S = max(nu-1+2h, 2nu-1+h), half-link; handback: S = max(nu-1+2h, nu+1+h), full. M = 2 (k-1) nu = sends,
// V = (k-1) N; if 2 nu divides N, W = S N / (2 nu).
TEST_P(OnSquareTori, two_streams_have_the_counts_of_the_paper) {
  for (const std::uint64_t root : roots) {
    for (const std::uint64_t nu : {1U, 2U, 3U, 7U}) {
      for (const std::uint64_t z : {1U, 3U}) {
        const std::uint64_t N = 2 * nu * z;
        const std::uint64_t messages = 2 * (k - 1) * nu;
        std::uint64_t steps = std::max(nu - 1 + 2 * h, nu + 1 + h);
        Counts handback{steps, steps * z, messages, (k - 1) * N, messages};
        steps = std::max(nu - 1 + 2 * h, 2 * nu - 1 + h);
        Counts late{steps, steps * z, messages, (k - 1) * N, messages};
        if (s == 1) handback = late = {};
        expect_run(machine, "broadcast/two-streams", Duplex::full, item(N, nu, root), handback);
        expect_run(machine, "broadcast/two-streams-late", Duplex::half_link, item(N, nu, root), late);
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

TEST_P(OnSquareTori, two_streams_predict_packets_that_are_not_alike) {
  if (s == 1) return;
  for (const auto& [N, nu] : {std::pair(9U, 1U), std::pair(9U, 4U), std::pair(13U, 5U), std::pair(30U, 4U)}) {
    const std::uint64_t messages = 2 * (k - 1) * nu;
    const std::uint64_t levels = std::max(2 * h, h + 2);
    expect_run(machine, "broadcast/two-streams", Duplex::full, item(N, nu, k / 3),
               {nu - 1 + levels, longest_of_streams(N, nu, levels, 0), messages, (k - 1) * N, messages});
    expect_run(machine, "broadcast/two-streams-late", Duplex::half_link, item(N, nu, k / 3),
               {std::max(nu - 1 + 2 * h, 2 * nu - 1 + h), longest_of_streams(N, nu, 2 * h, h), messages, (k - 1) * N,
                messages});
  }
}

INSTANTIATE_TEST_SUITE_P(sides, OnSquareTori, testing::Range(std::uint64_t{1}, std::uint64_t{8}));

// S = k (L+nu-1), W = k ((L-1) ceil(m/nu) + m), M = k (k-1) nu, V = k (k-1) m with L = n on the cube, 2h on the torus.
TEST(AllgatherSequential, has_the_counts_of_the_paper) {
  const auto expect_counts = [](const BuiltMachine& machine, std::uint64_t k, std::uint64_t hops,
                                std::uint64_t senders) {
    for (const auto& [m, nu] : sizes) {
      Counts counts{k * (hops + nu - 1), k * ((hops - 1) * longest_packet(m, nu) + m), k * (k - 1) * nu,
                    k * (k - 1) * m, k * senders * nu};
      if (k == 1) counts = {};
      expect_run(machine, "allgather/sequential", Duplex::half_link, blocks(m, nu), counts);
    }
  };
  for (std::uint64_t n = 0; n <= 4; ++n) {
    const std::uint64_t k = std::uint64_t{1} << n;
    expect_counts(BuiltMachine("hypercube:" + std::to_string(n)), k, n, k / 2);
  }
  for (std::uint64_t s = 1; s <= 4; ++s) {
    const std::string side = std::to_string(s);
    expect_counts(BuiltMachine("torus:" + side + "x" + side), s * s, s / 2 * 2, senders_on_axes(s));
  }
}

struct Strictness {
  const char* method;
  const char* machine;
  Duplex legal;  ///< the strictest; the next stricter one is refused
};

TEST(BroadcastsInPackets, are_refused_in_models_that_are_too_strict) {
  const auto violation = [](const char* text, std::string_view method, const Model& model) {
    const BuiltMachine machine(text);
    Settings settings;
    settings.packets = 3;
    try {
      machine.run(method, model, settings);
    } catch (const RunError& error) {
      EXPECT_TRUE(error.is_violation()) << error.what();
      return error.kind();
    }
    ADD_FAILURE() << method;
    return ErrorKind::exception;
  };
  for (const auto& [method, machine, legal] : {Strictness{"broadcast/sbt-pipelined", "hypercube:4", Duplex::half_link},
                                               Strictness{"broadcast/one-way", "ring:6", Duplex::half_link},
                                               Strictness{"broadcast/two-way", "ring:6", Duplex::half_link},
                                               Strictness{"broadcast/axis", "torus:4x4", Duplex::half_link},
                                               Strictness{"broadcast/two-phase", "torus:4x4", Duplex::half_link},
                                               Strictness{"broadcast/two-streams", "torus:4x4", Duplex::full},
                                               Strictness{"broadcast/two-streams-late", "torus:4x4", Duplex::half_link},
                                               Strictness{"allgather/sequential", "hypercube:3", Duplex::half_link},
                                               Strictness{"allgather/sequential", "torus:4x4", Duplex::half_link}}) {
    SCOPED_TRACE(method);
    Model model = BuiltMachine(machine).method(method).defaults;
    model.duplex = legal == Duplex::full ? Duplex::half_link : Duplex::half_node;
    EXPECT_EQ(violation(machine, method, model), legal == Duplex::full ? ErrorKind::half_link : ErrorKind::half_node);
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
TEST(BroadcastsInPackets, need_no_multicast_with_all_ports) {
  const auto sends = [](const char* text, std::string_view method) {
    const BuiltMachine machine(text);
    return machine.run(method, model_of(PortModel::all, Duplex::half_link), item(6, 3, 1)).report.sends;
  };
  EXPECT_EQ(sends("hypercube:4", "broadcast/sbt-pipelined"), 15U * 3);
  EXPECT_EQ(sends("torus:4x4", "broadcast/axis"), 15U * 3);
}

// Two packets that change places are seen, as are all other faults.
TEST(BroadcastsInPackets, catch_every_fault) {
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
    std::uint64_t swaps_seen = 0;
    for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt, FaultKind::swap}) {
      for (std::uint64_t index = 0; index < messages; ++index) {
        std::string caught;
        try {
          caught = machine.run(method, model, settings, Fault{kind, index}).wrong;
        } catch (const RunError& error) {
          caught = error.what();
        }
        if (kind == FaultKind::swap) {
          swaps_seen += caught.empty() ? 0 : 1;  // the others change equal packets
        } else {
          EXPECT_NE(caught, "") << method << ", fault " << static_cast<int>(kind) << " in transfer " << index;
        }
      }
    }
    EXPECT_GT(swaps_seen, 0U) << method;
  }
}

// Section 7's L: n, k-1, floor(k/2), 2h, h for each of two phases, 2h for two streams of N/2 words.
TEST(BroadcastsInPackets, come_in_the_packets_of_section_7) {
  const auto packets = [](const char* text, std::string_view method, std::uint64_t words) {
    const MachineSpec spec = parse_machine(text);
    Settings settings;
    settings.words = words;
    find_method(method, spec.family).resolve(spec, {}, settings);
    return settings.packets.value();
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

TEST(BroadcastsInPackets, are_bounded_by_the_diameter) {
  const auto steps = [](const char* text, std::string_view method) {
    const MachineSpec spec = parse_machine(text);
    const Method& entry = find_method(method, spec.family);
    return entry.lower_bound(spec, entry.defaults, item(2, 1, 0)).steps.value();
  };
  EXPECT_EQ(steps("hypercube:5", "broadcast/sbt-pipelined"), 5U);
  EXPECT_EQ(steps("ring:9", "broadcast/one-way"), 4U);
  EXPECT_EQ(steps("ring:9", "broadcast/two-way"), 4U);
  EXPECT_EQ(steps("torus:5x5", "broadcast/axis"), 4U);
  EXPECT_EQ(steps("torus:5x5", "broadcast/two-phase"), 4U);
  EXPECT_EQ(steps("torus:5x5", "broadcast/two-streams"), 4U);
  EXPECT_EQ(steps("torus:5x5", "allgather/sequential"), 4U);
}

TEST(BroadcastsInPackets, need_memory_for_every_item) {
  for (const auto& [text, method] :
       {std::pair("hypercube:31", "broadcast/sbt-pipelined"), std::pair("ring:4000000000", "broadcast/two-way"),
        std::pair("torus:60000x60000", "broadcast/two-streams"), std::pair("hypercube:31", "allgather/sequential")}) {
    const MachineSpec spec = parse_machine(text);
    const Method& entry = find_method(method, spec.family);
    EXPECT_EQ(entry.bytes(spec, entry.defaults, item(most_words, 1, 0)), ~std::uint64_t{0}) << method;
  }
}

TEST(BroadcastsInPackets, refuse_what_they_cannot_do) {
  EXPECT_EQ(refusal("broadcast/sbt-pipelined", "hypercube:3", item(4, 5, 0)),
            "--packets 5 is out of range: 1 to 4, as every packet has at least one of the 4 words");
  EXPECT_EQ(refusal("broadcast/sbt-pipelined", "hypercube:3", item(4, 0, 0)),
            "--packets 0 is out of range: 1 to 4, as every packet has at least one of the 4 words");
  EXPECT_EQ(refusal("broadcast/sbt-pipelined", "hypercube:3", item(4, 2, 8)), "--root 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal("broadcast/sbt-pipelined", "hypercube:3", item(0, 1, 0)),
            "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal("broadcast/two-way", "ring:3", item(1, 2, 0)),
            "--packets 2 is out of range: 1 to 1, as every packet has at least one of the 1 word");
  for (const char* method : {"broadcast/axis", "broadcast/two-phase", "broadcast/two-streams",
                             "broadcast/two-streams-late", "allgather/sequential"}) {
    EXPECT_EQ(refusal(method, "torus:3x4", {}), "torus:3x4 is not a square: SxS is wanted, e.g. torus:4x4");
    EXPECT_EQ(refusal(method, "torus:3x3x3", {}), "torus:3x3x3 is not a square: SxS is wanted, e.g. torus:4x4");
    EXPECT_EQ(refusal(method, "torus:3x3", {}), "");
  }
  EXPECT_EQ(refusal("broadcast/two-streams", "torus:3x3", item(1, 1, 0)), "--words 1 is out of range: 2 to 2147483648");
  EXPECT_EQ(refusal("broadcast/two-streams", "torus:3x3", item(5, 3, 0)),
            "--packets 3 is out of range: 1 to 2, as every packet of 2 parts has at least one of the 5 words");
  EXPECT_EQ(refusal("broadcast/two-streams-late", "torus:3x3", item(5, 3, 0)),
            "--packets 3 is out of range: 1 to 2, as every packet of 2 parts has at least one of the 5 words");
  EXPECT_EQ(refusal("allgather/sequential", "hypercube:2", blocks(3, 4)),
            "--packets 4 is out of range: 1 to 3, as every packet has at least one of the 3 words");
  EXPECT_THROW(find_method("broadcast/one-way", "torus"), InputError);
}

}  // namespace
}  // namespace lockstep
