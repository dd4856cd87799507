// Allgathers on bus, shared memory and switch against Saad & Schultz 1988, (3.26), (3.27), (3.34) and (3.35)
// (saad-schultz-1988.md, Bus, Shared memory, Switch).
#include "media_runs.hpp"

namespace lockstep::allgather_media_test {
namespace {

using namespace media_runs;

constexpr std::string_view direct = "allgather/direct";
constexpr std::string_view doubling = "allgather/doubling";
constexpr std::string_view daisy_chain = "allgather/daisy-chain";

// saad-schultz-1988.md, Bus: S = k, W = k m, M = k, V = k m.
SpecCounts bus_counts(std::uint64_t k, std::uint64_t m) { return k == 1 ? nothing : SpecCounts{k, k * m, k, k * m}; }

// saad-schultz-1988.md, Shared memory: S = 2 R(k), W = R(k) k m, M = 2 k, V = k^2 m.
SpecCounts memory_counts(std::uint64_t k, std::uint64_t kstar, std::uint64_t m) {
  const std::uint64_t R = divided_up(k, kstar);
  return k == 1 ? nothing : SpecCounts{2 * R, R * k * m, 2 * k, k * k * m};
}

// saad-schultz-1988.md, Switch: S = k-1, W = (k-1) m, M = k (k-1), V = k (k-1) m.
SpecCounts daisy_counts(std::uint64_t k, std::uint64_t m) { return {k - 1, (k - 1) * m, k * (k - 1), k * (k - 1) * m}; }

// saad-schultz-1988.md, Switch: S = ceil(log2 k), W = (k-1) m, M = k S, V = k (k-1) m.
SpecCounts doubling_counts(std::uint64_t k, std::uint64_t m) {
  return {log2_up(k), (k - 1) * m, k * log2_up(k), k * (k - 1) * m};
}

template <class CountsOf>
void expect_allgathers(std::string_view method, const std::string& text, const Model& model, const CountsOf& counts) {
  const BuiltMachine machine(text);
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    const Report report = expect_run(machine, method, model, block_settings(m), counts(m));
    EXPECT_EQ(report.peak_words_held, machine.spec.processors * m);
  }
}

TEST(AllgatherDirect, HasTheCountsOfThePaperOnABus) {
  for (std::uint64_t k = 1; k <= 20; ++k) {
    for (const std::uint64_t kstar : {std::uint64_t{1}, k}) {
      expect_allgathers(direct, machine_text("bus", k, kstar), model_of(PortModel::one, Duplex::half_node, true),
                        [&](std::uint64_t m) { return bus_counts(k, m); });
    }
  }
}

TEST(AllgatherDirect, HasTheCountsOfThePaperOnASharedMemory) {
  for (std::uint64_t k = 1; k <= 13; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      expect_allgathers(direct, machine_text("shared", k, kstar), model_of(PortModel::one),
                        [&](std::uint64_t m) { return memory_counts(k, kstar, m); });
    }
  }
}

TEST(AllgatherDirect, GoesRoundTheBanksOfAMemory) {
  for (std::uint64_t k = 1; k <= 14; ++k) {
    for_some_banks(k, [&](std::uint64_t kstar, std::uint64_t banks) {
      const BankCounts all(k, kstar, banks);
      expect_allgathers(direct, banks_text(k, kstar, banks), model_of(PortModel::one, Duplex::half_node),
                        [&](std::uint64_t m) {
                          if (k == 1) return nothing;
                          return SpecCounts{all.steps(k), (all.groups + all.read()) * m, all.messages(k), k * k * m};
                        });
    });
  }
  // kstar = banks = 1: as without banks. kstar = banks = k: k - 2 steps more than without, the same words.
  expect_run(BuiltMachine(banks_text(6, 1, 1)), direct, model_of(PortModel::one), block_settings(2),
             memory_counts(6, 1, 2));
  expect_run(BuiltMachine(banks_text(6, 6, 6)), direct, model_of(PortModel::one), block_settings(2), {6, 12, 36, 72});
}

TEST(AllgatherDirect, NeedsMulticastOnABus) {
  EXPECT_EQ(violation(direct, "bus:3", model_of(PortModel::one), block_settings(2)),
            "allgather/direct: cycle 0, rank 0, peers 1 and 2: one send to several processors (no multicast)");
  EXPECT_EQ(violation(direct, "bus:2", model_of(PortModel::one), block_settings(2)), "");
}

TEST(AllgatherOverASwitch, HasTheCountsOfThePaper) {
  for (std::uint64_t k = 1; k <= 20; ++k) {
    expect_allgathers(daisy_chain, machine_text("switch", k), model_of(PortModel::one),
                      [&](std::uint64_t m) { return daisy_counts(k, m); });
    expect_allgathers(doubling, machine_text("switch", k), model_of(PortModel::one),
                      [&](std::uint64_t m) { return doubling_counts(k, m); });
  }
}

TEST(AllgatherOverASwitch, PassesAllNetworks) {
  for (const std::string& family : networks) {
    for (std::uint64_t k = 1; k <= 32; k *= 2) {
      expect_allgathers(daisy_chain, machine_text(family, k), model_of(PortModel::one),
                        [&](std::uint64_t m) { return daisy_counts(k, m); });
      expect_allgathers(doubling, machine_text(family, k), model_of(PortModel::one),
                        [&](std::uint64_t m) { return doubling_counts(k, m); });
    }
  }
}

// In turns, as on a ring (saad-schultz-1988.md, Ring allgather).
TEST(AllgatherOverASwitch, TakesTurnsInHalfDuplex) {
  for (const std::string family : {"switch", "omega"}) {
    for (std::uint64_t k = 1; k <= 16; k = family == "omega" ? 2 * k : k + 1) {
      const std::uint64_t steps = k == 1 ? 0 : k % 2 == 0 ? 2 * (k - 1) : 2 * k;
      for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
        expect_allgathers(daisy_chain, machine_text(family, k), model_of(PortModel::one, duplex), [&](std::uint64_t m) {
          return SpecCounts{steps, steps * m, k * (k - 1), k * (k - 1) * m};
        });
      }
    }
  }
}

TEST(AllgatherOverASwitch, IsRefusedInHalfDuplex) {
  for (const std::string method : {"allgather/doubling"}) {
    EXPECT_EQ(violation(method, "switch:2", model_of(PortModel::one, Duplex::half_link), block_settings(1)),
              method +
                  ": cycle 0, rank 0, peer 1: received from there, but sent in the same cycle (duplex "
                  "half-link: either send or receive)");
    EXPECT_EQ(violation(method, "omega:1", model_of(PortModel::one, Duplex::half_node), block_settings(1)), "");
  }
}

// All send, kstar at a time, and a processor receives one message a step: in 1, 2, 3 and 4 steps it can hear of 2, 4, 8
// and 16, itself included, or of 2, 4, 7 and 10 if three send at a time.
TEST(AllgathersOnMedia, AreBoundedByDoublingByTheUsersAndByTheirWords) {
  const Model on_bus = model_of(PortModel::one, Duplex::full, true);
  EXPECT_EQ(bound(direct, "bus:1", block_settings(3), on_bus), Bound(0, 0));
  EXPECT_EQ(bound(direct, "bus:8", block_settings(3), on_bus), Bound(8, 24));
  EXPECT_EQ(bound(direct, "bus:8,kstar=3", block_settings(3), on_bus), Bound(4, 21));
  EXPECT_EQ(bound(direct, "bus:9,kstar=9", block_settings(3), on_bus), Bound(4, 24));
  for (const std::string_view method : {doubling, daisy_chain}) {
    EXPECT_EQ(bound(method, "switch:1", block_settings(3), model_of(PortModel::one)), Bound(0, 0));
    EXPECT_EQ(bound(method, "switch:9", block_settings(3), model_of(PortModel::one)), Bound(4, 24));
    EXPECT_EQ(bound(method, "omega:8", block_settings(3), model_of(PortModel::one)), Bound(3, 21));
  }
}

TEST(AllgathersOnMedia, CatchFaults) {
  for (const std::string machine : {"bus:2", "bus:4", "shared:2,kstar=1", "shared:4,kstar=3", "shared:4,kstar=1"}) {
    expect_catches_faults(direct, machine, block_settings(3));
  }
  for (const std::string_view method : {doubling, daisy_chain}) {
    for (const std::string machine : {"switch:2", "switch:5", "omega:4"}) {
      expect_catches_faults(method, machine, block_settings(3));
    }
  }
  // One receiver gets a wrong word, the others the right one: the third transfer of the first transaction.
  EXPECT_EQ(
      BuiltMachine("bus:4")
          .run(direct, model_of(PortModel::one, Duplex::full, true), block_settings(3), Fault{FaultKind::corrupt, 2})
          .wrong,
      "rank 3 holds 3 words of the 3 from rank 0, the first 1 right");
}

TEST(AllgathersOnMedia, HaveDefaultsAndLimits) {
  // Copies of all 8 blocks: in the collections, where a message is shared, and in the oracle; or at every processor.
  for (const auto& [method, text, multicast, copies] :
       {std::tuple(direct, "bus:8", true, 3U), std::tuple(direct, "shared:8,kstar=3", false, 3U),
        std::tuple(doubling, "switch:8", false, 9U), std::tuple(daisy_chain, "omega:8", false, 3U)}) {
    SCOPED_TRACE(text);
    expect_defaults(method, parse_machine(text).family, PortModel::one, multicast);
    expect_words_from(1, method, text);
    const std::uint64_t data = std::uint64_t{copies} * 8 * 8 * 1000000;
    expect_bytes(method, text, block_settings(1000000), data, data + data / 100);
  }
  EXPECT_EQ(bytes_of(direct, "shared:4294967294,kstar=4294967294", block_settings(most_words)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::allgather_media_test
