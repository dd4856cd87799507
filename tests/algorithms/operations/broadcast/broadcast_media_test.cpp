// Broadcasts on bus, shared memory and switch against Saad & Schultz 1988, (3.15), (3.23) and section 3.2(a)
// (saad-schultz-1988.md, Bus, Shared memory, Switch).
#include <set>

#include "media_runs.hpp"

namespace lockstep::broadcast_media_test {
namespace {

using namespace media_runs;

constexpr std::string_view direct = "broadcast/direct";
constexpr std::string_view doubling = "broadcast/doubling";
constexpr std::string_view by_kstar = "broadcast/doubling-kstar";

// saad-schultz-1988.md, Bus: S = 1, W = N, M = 1, V = N.
SpecCounts bus_counts(std::uint64_t k, std::uint64_t N) { return k == 1 ? nothing : SpecCounts{1, N, 1, N}; }

// saad-schultz-1988.md, Shared memory: S = 1 + R(k-1), W = S N, M = k, V = k N.
SpecCounts memory_counts(std::uint64_t k, std::uint64_t kstar, std::uint64_t N) {
  const std::uint64_t S = 1 + divided_up(k - 1, kstar);
  return k == 1 ? nothing : SpecCounts{S, S * N, k, k * N};
}

// saad-schultz-1988.md, Switch: S = ceil(log2 k), W = S N, M = k-1, V = (k-1) N.
SpecCounts doubling_counts(std::uint64_t k, std::uint64_t N) {
  return {log2_up(k), log2_up(k) * N, k - 1, (k - 1) * N};
}

/// From the lowest, a middle and the highest root with several words; every processor holds the item at the end.
template <class CountsOf>
void expect_broadcasts(std::string_view method, const std::string& text, const std::vector<Model>& models,
                       const CountsOf& counts) {
  const BuiltMachine machine(text);
  const Rank k = machine.topology.processors();
  for (const Rank root : std::set<Rank>{0, k / 3, k - 1}) {
    for (const std::uint64_t N : {1U, 2U, 7U}) {
      for (const Model& model : models) {
        const Report report = expect_run(machine, method, model, item_settings(N, root), counts(N));
        EXPECT_EQ(report.peak_words_held, N);
        EXPECT_EQ(report.busiest_link_words, 0U);
      }
    }
  }
}

TEST(BroadcastDirect, IsHeardByAllInOneTransactionOfABus) {
  const std::vector<Model> models{model_of(PortModel::one, Duplex::full, true),
                                  model_of(PortModel::one, Duplex::half_node, true)};
  for (std::uint64_t k = 1; k <= 20; ++k) {
    for (const std::uint64_t kstar : {std::uint64_t{1}, k}) {
      expect_broadcasts(direct, machine_text("bus", k, kstar), models,
                        [&](std::uint64_t N) { return bus_counts(k, N); });
    }
  }
}

TEST(BroadcastDirect, IsReadFromAMemoryByKstarACycle) {
  for (std::uint64_t k = 1; k <= 13; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      expect_broadcasts(direct, machine_text("shared", k, kstar), {model_of(PortModel::one)},
                        [&](std::uint64_t N) { return memory_counts(k, kstar, N); });
    }
  }
}

/// Greedy: all copies are read, and all holders that may write do so. C is the most reads at a time.
SpecCounts bank_counts(std::uint64_t k, std::uint64_t kstar, std::uint64_t banks, std::uint64_t N) {
  if (k == 1) return nothing;
  std::uint64_t steps = 1;
  std::uint64_t copies = 1;
  std::uint64_t most = 0;
  for (std::uint64_t holders = 1; holders < k; ++steps) {
    const std::uint64_t readers = std::min(copies, k - holders);
    copies += std::min({holders, kstar - copies, banks - copies});
    holders += readers;
    most = std::max(most, readers);
  }
  return {steps, steps * N, k - 1 + most, (k - 1 + most) * N};
}

TEST(BroadcastDirect, DoublesCopiesInTheBanksOfAMemory) {
  for (std::uint64_t k = 1; k <= 21; ++k) {
    for_some_banks(k, [&](std::uint64_t kstar, std::uint64_t banks) {
      const BuiltMachine machine(banks_text(k, kstar, banks));
      const Rank root = static_cast<Rank>(k / 3);
      for (const std::uint64_t N : {1U, 5U}) {
        const Report report = expect_run(machine, direct, model_of(PortModel::one, Duplex::half_node),
                                         item_settings(N, root), bank_counts(k, kstar, banks, N));
        EXPECT_EQ(report.peak_words_held, N);
      }
    });
  }
}

// saad-schultz-1988.md, Memory banks: 1 + q + ceil((k - 2^q)/P), typed for k = 16.
TEST(BroadcastDirect, TakesStepsByKstarAndBanks) {
  for (const auto& [kstar, banks, steps, messages] :
       {std::tuple(1U, 16U, 16U, 16U), std::tuple(16U, 1U, 16U, 16U), std::tuple(2U, 16U, 9U, 17U),
        std::tuple(3U, 16U, 7U, 18U), std::tuple(16U, 4U, 6U, 19U), std::tuple(5U, 7U, 6U, 20U),
        std::tuple(16U, 8U, 5U, 23U), std::tuple(16U, 16U, 5U, 23U)}) {
    const SpecCounts counts{steps, 3 * steps, messages, 3 * messages};
    expect_run(BuiltMachine(banks_text(16, kstar, banks)), direct, model_of(PortModel::one), item_settings(3, 0),
               counts);
  }
}

// saad-schultz-1988.md, Bus: S = ceil(log2 k) up to k = 2^q, then q + ceil((k - 2^q)/kstar), W = S N, M = k - 1, V = M
// N.
TEST(BroadcastDoublingKstar, FindsAsManyAsTheBusTakes) {
  const std::vector<Model> models{model_of(PortModel::one), model_of(PortModel::one, Duplex::half_node)};
  for (std::uint64_t k = 1; k <= 20; ++k) {
    for (std::uint64_t kstar = 1; kstar <= k; ++kstar) {
      const std::uint64_t steps = BusTree(k, kstar).steps;
      expect_broadcasts(by_kstar, machine_text("bus", k, kstar), models, [&](std::uint64_t N) {
        return SpecCounts{steps, steps * N, k - 1, (k - 1) * N};
      });
    }
  }
  for (const auto& [k, kstar, steps] :
       {std::tuple(16U, 1U, 15U), std::tuple(16U, 2U, 8U), std::tuple(16U, 3U, 6U), std::tuple(16U, 4U, 5U),
        std::tuple(16U, 5U, 5U), std::tuple(16U, 8U, 4U), std::tuple(16U, 16U, 4U), std::tuple(33U, 32U, 6U)}) {
    expect_run(BuiltMachine(machine_text("bus", k, kstar)), by_kstar, model_of(PortModel::one), item_settings(2, 0),
               {steps, 2 * steps, k - 1, 2 * (k - 1)});
  }
}

TEST(BroadcastDirect, IsCopiedByTheElementsOfANetworkInOnePass) {
  const std::vector<Model> models{model_of(PortModel::one, Duplex::full, true),
                                  model_of(PortModel::one, Duplex::half_node, true)};
  for (const std::string family : {"omega", "inverse-omega", "indirect-cube"}) {
    for (std::uint64_t k = 1; k <= 64; k *= 2) {
      expect_broadcasts(direct, machine_text(family, k), models, [&](std::uint64_t N) { return bus_counts(k, N); });
    }
    EXPECT_EQ(violation(direct, machine_text(family, 4), model_of(PortModel::one), item_settings(2, 1)),
              "broadcast/direct: cycle 0, rank 1, peers 0, 2 and 3: one send to several processors (no multicast)");
  }
  EXPECT_THROW(find_method(direct, "switch"), InputError);
  EXPECT_THROW(find_method(direct, "data-manipulator"), InputError);
}

TEST(BroadcastDirect, NeedsMulticastOnABus) {
  EXPECT_EQ(violation(direct, "bus:4", model_of(PortModel::one), item_settings(2, 1)),
            "broadcast/direct: cycle 0, rank 1, peers 0, 2 and 3: one send to several processors (no multicast)");
  EXPECT_EQ(violation(direct, "bus:2", model_of(PortModel::one), item_settings(2, 1)), "");
}

TEST(BroadcastDoubling, HasTheCountsOfThePaperForAnyNumberOfProcessors) {
  const std::vector<Model> models{model_of(PortModel::one), model_of(PortModel::one, Duplex::half_link),
                                  model_of(PortModel::one, Duplex::half_node)};
  for (std::uint64_t k = 1; k <= 33; ++k) {
    expect_broadcasts(doubling, machine_text("switch", k), models,
                      [&](std::uint64_t N) { return doubling_counts(k, N); });
  }
}

TEST(BroadcastDoubling, PassesAllNetworksFromEveryRoot) {
  for (const std::string& family : networks) {
    for (std::uint64_t k = 1; k <= 32; k *= 2) {
      const BuiltMachine machine(machine_text(family, k));
      for (Rank root = 0; root < k; ++root) {
        expect_run(machine, doubling, model_of(PortModel::one), item_settings(3, root), doubling_counts(k, 3));
      }
    }
  }
}

// The words leave the root one a cycle, and the last takes the steps of a broadcast. On a bus with three users 1, 2 and
// 3 words are received in the first cycles, and three in every other, of 8 * 9.
TEST(BroadcastsOnMedia, AreBoundedByDoublingByTheUsersAndByTheLastWord) {
  const Model model = model_of(PortModel::one, Duplex::full, true);
  EXPECT_EQ(bound(direct, "bus:1", item_settings(9, 0), model), Bound(0, 0));
  EXPECT_EQ(bound(direct, "bus:9", item_settings(9, 0), model), Bound(1, 9));
  const Model no_multicast = model_of(PortModel::one);
  EXPECT_EQ(bound(by_kstar, "bus:1", item_settings(9, 0), no_multicast), Bound(0, 0));
  EXPECT_EQ(bound(by_kstar, "bus:9,kstar=3", item_settings(9, 0), no_multicast), Bound(4, 2 + (72 - 3) / 3));
  EXPECT_EQ(bound(by_kstar, "bus:9,kstar=9", item_settings(9, 0), no_multicast), Bound(4, 9 - 1 + 4));
  EXPECT_EQ(bound(by_kstar, "bus:9,kstar=3", item_settings(9, 0), model), Bound(1, 9));
  EXPECT_EQ(bound(doubling, "switch:1", item_settings(9, 0), model), Bound(0, 0));
  EXPECT_EQ(bound(doubling, "switch:9", item_settings(9, 0), model), Bound(4, 9 - 1 + 4));
  EXPECT_EQ(bound(direct, "omega:16", item_settings(9, 0), model), Bound(1, 9));
  // Where elements copy and multicast is allowed, one step is enough.
  EXPECT_EQ(bound(doubling, "omega:16", item_settings(1, 0), model), Bound(1, 1));
  EXPECT_EQ(bound(doubling, "omega:16", item_settings(1, 0), model_of(PortModel::one)), Bound(4, 4));
  EXPECT_EQ(bound(doubling, "data-manipulator:16", item_settings(1, 0), model), Bound(4, 4));
  // The root writes before the others read, two at a time.
  EXPECT_EQ(bound_as_given(direct, "shared:4,kstar=2", item_settings(1, 0), no_multicast), Bound(1 + 2, 1 + 2));
}

TEST(BroadcastsOnMedia, CatchFaults) {
  for (const std::string machine : {"bus:2", "bus:5", "omega:4", "inverse-omega:8", "indirect-cube:2",
                                    "shared:2,kstar=1", "shared:6,kstar=2", "shared:7,kstar=3,banks=4"}) {
    expect_catches_faults(direct, machine, item_settings(3, 1));
  }
  for (const std::string machine : {"switch:2", "switch:7", "omega:8"}) {
    expect_catches_faults(doubling, machine, item_settings(3, 1));
  }
  for (const std::string machine : {"bus:2", "bus:7,kstar=2", "bus:6,kstar=6"}) {
    expect_catches_faults(by_kstar, machine, item_settings(3, 1));
  }
  // One receiver gets a wrong word, the others the right one.
  EXPECT_EQ(
      BuiltMachine("bus:4")
          .run(direct, model_of(PortModel::one, Duplex::full, true), item_settings(3, 1), Fault{FaultKind::corrupt, 1})
          .wrong,
      "rank 2 holds 3 words of 3, the first 1 right");
}

TEST(BroadcastsOnMedia, HaveDefaultsAndLimits) {
  for (const auto& [method, text, multicast] :
       {std::tuple(direct, "bus:8", true), std::tuple(direct, "omega:8", true),
        std::tuple(direct, "shared:8,kstar=3", false), std::tuple(doubling, "switch:8", false),
        std::tuple(doubling, "omega:8", false), std::tuple(by_kstar, "bus:8,kstar=3", false)}) {
    SCOPED_TRACE(text);
    expect_defaults(method, parse_machine(text).family, PortModel::one, multicast);
    expect_words_from(1, method, text);
    expect_roots_to(7, method, text);
    // All share the root's item, which is compared with another.
    const std::uint64_t item = std::uint64_t{1} << 30;
    expect_bytes(method, text, item_settings(item / 8, 0), 2 * item, 2 * item + item / 100);
  }
}

}  // namespace
}  // namespace lockstep::broadcast_media_test
