// The alltoall methods of Saad & Schultz, whose blocks travel together: sequential-gather, exchange and rotated-sbt on
// the hypercube (saad-schultz-1985.md, SMG, MTADEA; saad-schultz-1988.md, Hypercube), rotate-drop on the ring
// (saad-schultz-1988.md, Ring alltoall) and two-phase on the torus (saad-schultz-1988.md, Torus alltoall).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "total_exchange.hpp"

namespace lockstep::alltoall_bundles_test {
namespace {

/// The bound for blocks of 3 words.
Bound bound(std::string_view name, const std::string& text, PortModel ports, Duplex duplex) {
  return bound_as_given(name, text, block_settings(3), model_of(ports, duplex));
}

constexpr PortModel all_port_models[] = {PortModel::one, PortModel::one_strict, PortModel::all};
constexpr Duplex all_duplexes[] = {Duplex::full, Duplex::half_link, Duplex::half_node};

class AlltoallOnCubes : public testing::TestWithParam<unsigned> {
 protected:
  const std::uint64_t n = GetParam();
  const std::uint64_t k = std::uint64_t{1} << n;
  const BuiltMachine machine{cube(n)};
};

// saad-schultz-1985.md, SMG: S = k n, W = k (k-1) b, M = k (k-1), V = k n (k/2) b.
TEST_P(AlltoallOnCubes, GathersInSequenceWithTheCountsOfThePaperInEveryModel) {
  for (const PortModel ports : all_port_models) {
    for (const Duplex duplex : all_duplexes) {
      for (const std::uint64_t b : {1, 3}) {
        const Report report = expect_run(machine, "alltoall/sequential-gather", model_of(ports, duplex),
                                         block_settings(b), {k * n, k * (k - 1) * b, k * (k - 1), k * n * (k / 2) * b});
        // Rank 0 when half of the blocks for rank 1 have met there: the blocks that it gathered for itself, its own for
        // the others, and k/2 blocks on their way.
        EXPECT_EQ(report.peak_words_held, n == 0 ? 0 : (k - 1 + k - 2 + k / 2) * b);
      }
    }
  }
}

// saad-schultz-1985.md, MTADEA: S = f n, W = f n (k/2) b, M = n k, V = n k (k/2) b, with f = 1 in full duplex and 2 in
// half.
TEST_P(AlltoallOnCubes, ExchangesWithTheCountsOfThePaperInEveryModel) {
  for (const PortModel ports : all_port_models) {
    for (const Duplex duplex : all_duplexes) {
      const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
      for (const std::uint64_t b : {1, 3}) {
        expect_run(machine, "alltoall/exchange", model_of(ports, duplex), block_settings(b),
                   {.steps = f * n,
                    .longest_sum = f * n * (k / 2) * b,
                    .messages = n * k,
                    .words = n * k * (k / 2) * b,
                    .peak_words_held = n == 0 ? 0 : (k - 1 + (f - 1) * (k / 2)) * b,
                    .busiest_link_words = n == 0 ? 0 : k / 2 * b,
                    .message_words = k / 2 * b});
      }
    }
  }
}

// saad-schultz-1988.md, Hypercube: S = f n, W = f n (k/2) ceil(b/n), M = n^2 k, V = n k (k/2) b.
TEST_P(AlltoallOnCubes, RotatesSlicesWithTheCountsOfThePaper) {
  for (const Duplex duplex : all_duplexes) {
    const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
    for (const std::uint64_t b : {n, n + 1, 2 * n, 3 * n + 2}) {
      if (b == 0) continue;
      const std::uint64_t slice = n == 0 ? 0 : (b + n - 1) / n;
      const Report report =
          expect_run(machine, "alltoall/rotated-sbt", model_of(PortModel::all, duplex), block_settings(b),
                     {f * n, f * n * (k / 2) * slice, n * n * k, n * k * (k / 2) * b});
      EXPECT_LE(report.busiest_link_words, n == 0 ? 0 : k / 2 * b);
      EXPECT_EQ(report.peak_words_held, n == 0 ? 0 : (k - 1) * b + (f - 1) * (k / 2) * b);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, AlltoallOnCubes, testing::Range(0U, 7U));

// saad-schultz-1988.md, Ring alltoall: S = k-1, W = k (k-1)/2 b, M = k (k-1), V = k W.
TEST(AlltoallRotateDrop, HasTheCountsOfThePaper) {
  for (std::uint64_t k = 1; k <= 20; ++k) {
    const BuiltMachine machine("ring:" + std::to_string(k));
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const std::uint64_t b : {1, 3}) {
        const std::uint64_t W = k * (k - 1) / 2 * b;
        std::vector<Duplex> duplexes{Duplex::full};
        // both directions of one link (saad-schultz-1985.md, Small machines)
        if (k != 2) duplexes.push_back(Duplex::half_link);
        for (const Duplex duplex : duplexes) {
          const Report report = expect_run(machine, "alltoall/rotate-drop", model_of(ports, duplex), block_settings(b),
                                           {.steps = k - 1,
                                            .longest_sum = W,
                                            .messages = k * (k - 1),
                                            .words = k * W,
                                            .peak_words_held = (k - 1) * b,
                                            .busiest_link_words = W});
          EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
        }
      }
    }
  }
}

// saad-schultz-1988.md, Torus alltoall: S = 2 (s-1), W = s^2 (s-1) b, M = 2 k (s-1), V = k W.
TEST(AlltoallTwoPhase, HasTheCountsOfTheSpec) {
  for (std::uint64_t s = 1; s <= 7; ++s) {
    const BuiltMachine machine(square(s));
    const std::uint64_t k = s * s;
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const std::uint64_t b : {1, 3}) {
        const std::uint64_t W = s * s * (s - 1) * b;
        std::vector<Duplex> duplexes{Duplex::full};
        if (s != 2) duplexes.push_back(Duplex::half_link);
        for (const Duplex duplex : duplexes) {
          expect_run(machine, "alltoall/two-phase", model_of(ports, duplex), block_settings(b),
                     {.steps = 2 * (s - 1),
                      .longest_sum = W,
                      .messages = 2 * k * (s - 1),
                      .words = k * W,
                      .peak_words_held = (k - 1) * b,
                      .busiest_link_words = W / 2});
        }
      }
    }
  }
}

// A message swapped with one of another row still reaches its column there, and its row afterwards.
TEST(AlltoallTwoPhase, SeesEveryMessageThatComesToAnother) {
  expect_catches_faults("alltoall/two-phase", "torus:3x3", block_settings(2), model_of(PortModel::one),
                        {FaultKind::swap});
}

// "Bound with four ports: W >= s floor(s^2/4) b/2" (3.11). Steps: the diameter, and with one port ceil(log2 k).
TEST(AlltoallTwoPhase, IsBoundedByTheStepsAndByTheWordsOfTheSpec) {
  const auto torus = [](std::uint64_t s, PortModel ports, Duplex duplex) {
    return bound("alltoall/two-phase", square(s), ports, duplex);
  };
  for (const std::uint64_t s : {3U, 4U, 5U}) {
    EXPECT_EQ(torus(s, PortModel::all, Duplex::full), Bound(2 * (s / 2), (s * (s * s / 4) * 3 + 1) / 2));
    const auto doublings = static_cast<std::uint64_t>(std::bit_width(s * s - 1));
    EXPECT_EQ(torus(s, PortModel::one, Duplex::full), Bound(std::max(2 * (s / 2), doublings), 2 * s * (s * s / 4) * 3));
  }
  EXPECT_EQ(torus(2, PortModel::all, Duplex::full), Bound(2, 6));
  EXPECT_EQ(torus(1, PortModel::all, Duplex::full), Bound(0, 0));
}

TEST(AlltoallBundles, NameWhatBreaksAModelThatDoesNotFit) {
  EXPECT_EQ(violation("alltoall/rotate-drop", "ring:5", model_of(PortModel::one_strict)),
            "alltoall/rotate-drop: cycle 0, rank 0, port 1: received there, but sent on port 0 in the same cycle "
            "(port model one-strict: both on one port)");
  EXPECT_EQ(violation("alltoall/rotate-drop", "ring:5", model_of(PortModel::one, Duplex::half_node)),
            "alltoall/rotate-drop: cycle 0, rank 0, port 1: received there, but sent on port 0 in the same cycle "
            "(duplex half-node: either send or receive)");
  EXPECT_EQ(violation("alltoall/rotate-drop", "ring:2", model_of(PortModel::one, Duplex::half_link)),
            "alltoall/rotate-drop: cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex "
            "half-link: one direction a cycle)");
  EXPECT_EQ(violation("alltoall/two-phase", "torus:3x3", model_of(PortModel::one_strict)),
            "alltoall/two-phase: cycle 0, rank 0, port 3: received there, but sent on port 2 in the same cycle "
            "(port model one-strict: both on one port)");
  EXPECT_EQ(violation("alltoall/two-phase", "torus:3x3", model_of(PortModel::one, Duplex::half_node)),
            "alltoall/two-phase: cycle 0, rank 0, port 3: received there, but sent on port 2 in the same cycle "
            "(duplex half-node: either send or receive)");
  EXPECT_EQ(violation("alltoall/two-phase", "torus:2x2", model_of(PortModel::one, Duplex::half_link)),
            "alltoall/two-phase: cycle 0, rank 0, port 2: sent and received over one link in one cycle (duplex "
            "half-link: one direction a cycle)");
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    const auto error = broken_rule(
        [&] { BuiltMachine("hypercube:3").run("alltoall/rotated-sbt", model_of(ports), block_settings(3)); });
    ASSERT_TRUE(error) << name(ports);
    EXPECT_EQ(error->kind(), ErrorKind::send_limit);
    EXPECT_EQ(error->cycle(), 0U);
  }
}

// "W >= n(k/2)b (full), n k b (half-node)" with one port (1.13); "(k/2)b resp. kb" with all ports (1.14).
// Steps: after n at the earliest one knows all; but not all can, if some have to send in that step, and two that
// exchange over one link take turns.
TEST(AlltoallBundles, AreBoundedOnCubesByTheStepsAndByTheWordsOfThePaper) {
  for (const std::string_view name : {"alltoall/sequential-gather", "alltoall/exchange", "alltoall/rotated-sbt"}) {
    SCOPED_TRACE(name);
    for (const std::uint64_t n : {1U, 2U, 5U}) {
      const std::uint64_t k = std::uint64_t{1} << n;
      const std::string text = cube(n);
      for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
        EXPECT_EQ(bound(name, text, ports, Duplex::full), Bound(n, n * (k / 2) * 3));
        EXPECT_EQ(bound(name, text, ports, Duplex::half_node), Bound(n + 1, n * k * 3));
      }
      const std::uint64_t in_turns = std::max<std::uint64_t>(n, 2);
      EXPECT_EQ(bound(name, text, PortModel::one, Duplex::half_link), Bound(in_turns, n == 1 ? 6 : n * (k / 2) * 3));
      EXPECT_EQ(bound(name, text, PortModel::all, Duplex::full), Bound(n, k / 2 * 3));
      EXPECT_EQ(bound(name, text, PortModel::all, Duplex::half_link), Bound(in_turns, k * 3));
      EXPECT_EQ(bound(name, text, PortModel::all, Duplex::half_node), Bound(n + 1, k * 3));
    }
    EXPECT_EQ(bound(name, "hypercube:0", PortModel::all, Duplex::full), Bound(0, 0));
  }
}

// "With both directions W >= floor(k^2/4) b/2" (2.7); with one port a processor sends one message a cycle.
// Then what one sends has reached 2 S processors after S steps, itself included. In half duplex two take turns.
TEST(AlltoallBundles, AreBoundedOnRingsByTheStepsAndByTheWordsOfThePaper) {
  const auto ring = [](std::uint64_t k, PortModel ports, Duplex duplex) {
    return bound("alltoall/rotate-drop", "ring:" + std::to_string(k), ports, duplex);
  };
  for (const std::uint64_t k : {3U, 5U, 8U}) {
    EXPECT_EQ(ring(k, PortModel::all, Duplex::full), Bound(k / 2, (k * k / 4 * 3 + 1) / 2));
    EXPECT_EQ(ring(k, PortModel::all, Duplex::half_link), Bound(std::max<std::uint64_t>(k / 2, 2), k * k / 4 * 3));
    EXPECT_EQ(ring(k, PortModel::one, Duplex::full), Bound((k + 1) / 2, k * k / 4 * 3));
    EXPECT_EQ(ring(k, PortModel::one, Duplex::half_link), Bound((k + 1) / 2, k * k / 4 * 3));
  }
  // Two senders: 5 * 6 * 3 hops, and 2 (k-1) messages of a gossip in one direction at a time, or two processors that
  // know all after 3 steps and three more.
  EXPECT_EQ(ring(5, PortModel::one, Duplex::half_node), Bound(3 + 2, 45));
  EXPECT_EQ(ring(2, PortModel::all, Duplex::full), Bound(1, 3));
  EXPECT_EQ(ring(2, PortModel::one, Duplex::half_link), Bound(2, 6));
  EXPECT_EQ(ring(1, PortModel::one, Duplex::full), Bound(0, 0));
}

TEST(AlltoallBundles, HaveDefaultsAndLimits) {
  for (const auto& [name, text, ports, words] :
       {std::tuple("alltoall/sequential-gather", "hypercube:3", PortModel::one, 1U),
        std::tuple("alltoall/exchange", "hypercube:3", PortModel::one, 1U),
        std::tuple("alltoall/rotated-sbt", "hypercube:3", PortModel::all, 3U),
        std::tuple("alltoall/rotated-sbt", "hypercube:0", PortModel::all, 1U),
        std::tuple("alltoall/rotate-drop", "ring:5", PortModel::one, 1U),
        std::tuple("alltoall/two-phase", "torus:3x3", PortModel::one, 1U)}) {
    const MachineSpec spec = parse_machine(text);
    expect_defaults(name, spec.family, ports);
    expect_words_from(words, name, text);
    EXPECT_THROW(find_method(name, "rh"), InputError);
    const std::uint64_t data = spec.processors * (spec.processors - 1) * 1000000 * 8;
    expect_bytes(name, text, block_settings(1000000), data, data + data / 100 + 10000);
  }
  const MachineSpec large = parse_machine("hypercube:31");
  for (const std::string_view name : {"alltoall/sequential-gather", "alltoall/exchange", "alltoall/rotated-sbt"}) {
    const Method& method = find_method(name, "hypercube");
    EXPECT_EQ(method.bytes(large, method.defaults, block_settings(most_words)), too_many_bytes);
    EXPECT_NO_THROW(method.predict(large, method.defaults, block_settings(most_words)));
    EXPECT_NO_THROW(lower_bound(method, large, method.defaults, block_settings(most_words)));
  }
}

TEST(AlltoallBundles, SeeFaultsInHalfDuplexToo) {
  for (const auto& [name, text, ports, words] :
       {std::tuple("alltoall/exchange", "hypercube:3", PortModel::one, 2U),
        std::tuple("alltoall/rotated-sbt", "hypercube:3", PortModel::all, 4U)}) {
    expect_catches_faults(name, text, block_settings(words), model_of(ports, Duplex::half_node));
  }
}

}  // namespace
}  // namespace lockstep::alltoall_bundles_test
