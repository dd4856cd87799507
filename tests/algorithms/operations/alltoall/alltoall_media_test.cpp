// Total exchanges on bus, shared memory and switch against Saad & Schultz 1988, (3.42) and section 3.5(a) and (f)
// (saad-schultz-1988.md, Bus, Shared memory, Switch).
#include "media_runs.hpp"

namespace lockstep::alltoall_media_test {
namespace {

using namespace media_runs;

constexpr std::string_view direct = "alltoall/direct";
constexpr std::string_view kstar_a_cycle = "alltoall/direct-kstar";
constexpr std::string_view exchange = "alltoall/exchange";

// saad-schultz-1988.md, Bus: S = k, W = k (k-1) b, M = k, V = k (k-1) b.
SpecCounts bus_counts(std::uint64_t k, std::uint64_t b) {
  return k == 1 ? nothing : SpecCounts{k, k * (k - 1) * b, k, k * (k - 1) * b};
}

// saad-schultz-1988.md, Bus: S = ceil(k (k-1) / kstar), W = S b, M = k (k-1), V = k (k-1) b.
SpecCounts kstar_counts(std::uint64_t k, std::uint64_t kstar, std::uint64_t b) {
  const std::uint64_t S = divided_up(k * (k - 1), kstar);
  return {S, S * b, k * (k - 1), k * (k - 1) * b};
}

// saad-schultz-1988.md, Shared memory: S = 2 R(k), W = 2 R(k) (k-1) b, M = 2 k, V = 2 k (k-1) b.
SpecCounts memory_counts(std::uint64_t k, std::uint64_t kstar, std::uint64_t b) {
  const std::uint64_t R = divided_up(k, kstar);
  return k == 1 ? nothing : SpecCounts{2 * R, 2 * R * (k - 1) * b, 2 * k, 2 * k * (k - 1) * b};
}

// saad-schultz-1988.md, Switch: S = n, W = n (k/2) b, M = n k, V = n k (k/2) b; twice the steps in half duplex
// (saad-schultz-1985.md, MTADEA).
SpecCounts exchange_counts(std::uint64_t k, std::uint64_t b, std::uint64_t f = 1) {
  const std::uint64_t n = log2_up(k);
  return {f * n, f * n * (k / 2) * b, n * k, n * k * (k / 2) * b};
}

template <class CountsOf>
Report expect_exchanges(std::string_view method, const std::string& text, const Model& model, const CountsOf& counts) {
  const BuiltMachine machine(text);
  for (const std::uint64_t b : {1U, 2U}) expect_run(machine, method, model, block_settings(b), counts(b));
  return expect_run(machine, method, model, block_settings(5), counts(5));
}

TEST(AlltoallDirect, HasTheCountsOfThePaperOnABus) {
  for (std::uint64_t k = 1; k <= 16; ++k) {
    for (const std::uint64_t kstar : {std::uint64_t{1}, k}) {
      const Report report =
          expect_exchanges(direct, machine_text("bus", k, kstar), model_of(PortModel::one, Duplex::half_node, true),
                           [&](std::uint64_t b) { return bus_counts(k, b); });
      // The last processor holds its own blocks and those of all others before it sends its own.
      EXPECT_EQ(report.peak_words_held, 2 * (k - 1) * 5);
    }
  }
}

TEST(AlltoallDirect, HasTheCountsOfThePaperOnASharedMemory) {
  for (std::uint64_t k = 1; k <= 13; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      const Report report = expect_exchanges(direct, machine_text("shared", k, kstar), model_of(PortModel::one),
                                             [&](std::uint64_t b) { return memory_counts(k, kstar, b); });
      EXPECT_EQ(report.peak_words_held, (k - 1) * 5);
    }
  }
}

TEST(AlltoallDirect, GoesRoundTheBanksOfAMemory) {
  for (std::uint64_t k = 1; k <= 12; ++k) {
    for_some_banks(k, [&](std::uint64_t kstar, std::uint64_t banks) {
      const BankCounts all(k, kstar, banks);
      const Report report = expect_exchanges(direct, banks_text(k, kstar, banks),
                                             model_of(PortModel::one, Duplex::half_node), [&](std::uint64_t b) {
                                               if (k == 1) return nothing;
                                               return SpecCounts{all.steps(k), (all.groups * (k - 1) + all.read()) * b,
                                                                 all.messages(k), 2 * k * (k - 1) * b};
                                             });
      EXPECT_EQ(report.peak_words_held, (k - 1) * 5);
    });
  }
}

TEST(AlltoallDirect, RefusesMoreSlotsThanHaveNumbers) {
  EXPECT_EQ(refusal(direct, "shared:65536,kstar=1,banks=1", block_settings(1)), "");
  EXPECT_NE(refusal(direct, "shared:65536,kstar=2,banks=3", block_settings(1)).find("too many processors for a slot"),
            std::string::npos);
}

TEST(AlltoallDirectKstar, KeepsKstarUsersOfABusBusy) {
  for (std::uint64_t k = 1; k <= 13; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      const Report report = expect_exchanges(kstar_a_cycle, machine_text("bus", k, kstar), model_of(PortModel::one),
                                             [&](std::uint64_t b) { return kstar_counts(k, kstar, b); });
      EXPECT_EQ(report.peak_words_held, (k - 1) * 5);
    }
  }
}

TEST(AlltoallOnABus, IsRefusedWhereTheModelIsStricter) {
  EXPECT_EQ(violation(direct, "bus:3", model_of(PortModel::one), block_settings(2)),
            "alltoall/direct: cycle 0, rank 0, peers 1 and 2: one send to several processors (no multicast)");
  // One user a cycle cannot send and receive; two can.
  const Model half = model_of(PortModel::one, Duplex::half_node);
  EXPECT_EQ(violation(kstar_a_cycle, "bus:3", half, block_settings(1)), "");
  EXPECT_EQ(violation(kstar_a_cycle, "bus:3,kstar=2", half, block_settings(1)),
            "alltoall/direct-kstar: cycle 0, rank 1, peer 0: received from there, but sent in the same cycle (duplex "
            "half-node: either send or receive)");
}

TEST(AlltoallExchange, HasTheCountsOfThePaperOverASwitch) {
  for (std::uint64_t k = 1; k <= 32; k *= 2) {
    for (const std::string family : {"switch", "omega", "inverse-omega", "indirect-cube", "data-manipulator"}) {
      expect_exchanges(exchange, machine_text(family, k), model_of(PortModel::one),
                       [&](std::uint64_t b) { return exchange_counts(k, b); });
      for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
        expect_exchanges(exchange, machine_text(family, k), model_of(PortModel::one, duplex),
                         [&](std::uint64_t b) { return exchange_counts(k, b, 2); });
      }
    }
  }
}

// The words of the paper. One message at a time: 2 (k-1), as all are to hear of all. Three at a time: what one sends
// has reached 1, 2, 4, 7 and 10 processors, so that three know all after 4 steps, and three more after every other. In
// half duplex half of them know all after 3 steps.
TEST(AlltoallsOnMedia, AreBoundedByGossipAndByTheirWords) {
  const Model model = model_of(PortModel::one);
  for (const std::string_view method : {direct, kstar_a_cycle}) {
    EXPECT_EQ(bound(method, "bus:1", block_settings(3), model), Bound(0, 0));
    EXPECT_EQ(bound(method, "bus:8", block_settings(3), model), Bound(2 * 7, 168));
    EXPECT_EQ(bound(method, "bus:8,kstar=3", block_settings(3), model), Bound(4 + 2, 56));
    EXPECT_EQ(bound(method, "bus:9,kstar=9", block_settings(3), model), Bound(4, 24));
  }
  EXPECT_EQ(bound(exchange, "switch:1", block_settings(3), model), Bound(0, 0));
  EXPECT_EQ(bound(exchange, "switch:8", block_settings(3), model), Bound(3, 21));
  EXPECT_EQ(bound(exchange, "omega:8", block_settings(3), model_of(PortModel::one, Duplex::half_node)),
            Bound(3 + 1, 42));
}

TEST(AlltoallsOnMedia, CatchFaults) {
  for (const std::string machine : {"bus:2", "bus:4", "shared:2,kstar=1", "shared:4,kstar=3"}) {
    expect_catches_faults(direct, machine, block_settings(3));
  }
  for (const std::string machine : {"bus:2", "bus:4,kstar=3"}) {
    expect_catches_faults(kstar_a_cycle, machine, block_settings(3));
  }
  for (const std::string machine : {"switch:2", "switch:4", "omega:4"}) {
    expect_catches_faults(exchange, machine, block_settings(3));
  }
  // One receiver gets a wrong word, the others the right one: the second transfer of the first transaction.
  EXPECT_EQ(
      BuiltMachine("bus:4")
          .run(direct, model_of(PortModel::one, Duplex::full, true), block_settings(3), Fault{FaultKind::corrupt, 1})
          .wrong,
      "rank 2 holds 3 words of the 3 from rank 0, the first 1 right");
}

TEST(AlltoallsOnMedia, HaveDefaultsAndLimits) {
  for (const auto& [method, text] :
       {std::pair(direct, "bus:8"), std::pair(direct, "shared:8,kstar=3"), std::pair(kstar_a_cycle, "bus:8,kstar=3"),
        std::pair(exchange, "switch:8"), std::pair(exchange, "omega:8")}) {
    SCOPED_TRACE(std::string(method) + " on " + text);
    const std::string family = parse_machine(text).family;
    expect_defaults(method, family, PortModel::one, method == direct && family == "bus");
    expect_words_from(1, method, text);
    const std::uint64_t all_blocks = std::uint64_t{8} * 7 * 8 * 1000000;
    expect_bytes(method, text, block_settings(1000000), all_blocks, all_blocks + all_blocks / 100);
  }
  EXPECT_EQ(refusal(exchange, "switch:6", block_settings(1)), "switch:6 has 6 processors; a power of two is needed");
  EXPECT_EQ(refusal(direct, "shared:65537,kstar=1", block_settings(1)),
            "shared:65537,kstar=1 has too many processors for a slot a pair: at most 65536");
  EXPECT_EQ(bytes_of(direct, "shared:65536,kstar=1", block_settings(most_words)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::alltoall_media_test
