// Scatters and gathers on bus, shared memory and switch against Saad & Schultz 1988, (3.36), (3.37) and (3.41)
// (saad-schultz-1988.md, Bus, Shared memory, Switch). A gather has the counts of the scatter, in time reversed.
#include <numeric>
#include <set>

#include "data_directory.hpp"
#include "media_runs.hpp"

namespace lockstep::scatter_media_test {
namespace {

using namespace media_runs;

// saad-schultz-1988.md, Bus: S = k-1, W = (k-1) m, M = k-1, V = (k-1) m.
SpecCounts bus_counts(std::uint64_t k, std::uint64_t m) { return {k - 1, (k - 1) * m, k - 1, (k - 1) * m}; }

// saad-schultz-1988.md, Bus: S = 1, W = (k-1) m, M = 1, V = (k-1) m.
SpecCounts one_message_counts(std::uint64_t k, std::uint64_t m) {
  return k == 1 ? nothing : SpecCounts{1, (k - 1) * m, 1, (k - 1) * m};
}

// saad-schultz-1988.md, Shared memory: S = 1 + R(k-1), W = (k-1) m + R(k-1) m, M = k, V = 2 (k-1) m.
SpecCounts memory_counts(std::uint64_t k, std::uint64_t kstar, std::uint64_t m) {
  const std::uint64_t R = divided_up(k - 1, kstar);
  return k == 1 ? nothing : SpecCounts{1 + R, (k - 1) * m + R * m, k, 2 * (k - 1) * m};
}

// saad-schultz-1988.md, Switch: S = n, W = (k-1) m, M = k-1, V = n (k/2) m.
SpecCounts shift_counts(std::uint64_t k, std::uint64_t m) {
  return {log2_up(k), (k - 1) * m, k - 1, log2_up(k) * (k / 2) * m};
}

template <class CountsOf>
void expect_from_some_roots(const std::vector<std::string>& methods, const std::string& text, const Model& model,
                            const CountsOf& counts) {
  const BuiltMachine machine(text);
  const Rank k = machine.topology.processors();
  for (const std::string& method : methods) {
    for (const Rank root : std::set<Rank>{0, k / 3, k - 1}) {
      for (const std::uint64_t m : {1U, 2U, 5U}) {
        const Report report = expect_run(machine, method, model, item_settings(m, root), counts(m));
        EXPECT_EQ(report.peak_words_held, k * m);
      }
    }
  }
}

TEST(ScatterDirect, HasTheCountsOfThePaperOnABus) {
  for (std::uint64_t k = 1; k <= 20; ++k) {
    for (const std::uint64_t kstar : {std::uint64_t{1}, k}) {
      expect_from_some_roots({"scatter/direct", "gather/direct"}, machine_text("bus", k, kstar),
                             model_of(PortModel::one, Duplex::half_node),
                             [&](std::uint64_t m) { return bus_counts(k, m); });
      expect_from_some_roots({"scatter/direct-one-message"}, machine_text("bus", k, kstar),
                             model_of(PortModel::one, Duplex::half_node, true),
                             [&](std::uint64_t m) { return one_message_counts(k, m); });
    }
  }
}

TEST(ScatterDirect, HasTheCountsOfThePaperOnASharedMemory) {
  for (std::uint64_t k = 1; k <= 13; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      expect_from_some_roots({"scatter/direct", "gather/direct"}, machine_text("shared", k, kstar),
                             model_of(PortModel::one), [&](std::uint64_t m) { return memory_counts(k, kstar, m); });
    }
  }
}

TEST(ScatterDirect, HasAsManyReadersAsBanksOfAMemory) {
  for (std::uint64_t k = 1; k <= 11; ++k) {
    for_some_banks(k, [&](std::uint64_t kstar, std::uint64_t banks) {
      expect_from_some_roots({"scatter/direct", "gather/direct"}, banks_text(k, kstar, banks),
                             model_of(PortModel::one, Duplex::half_node),
                             [&](std::uint64_t m) { return memory_counts(k, std::min(kstar, banks), m); });
    });
  }
}

// saad-schultz-1988.md, Bus: S as for the broadcast, W = (k-1) m, M = k - 1, V = m for each hop of a block.
TEST(ScatterDoublingKstar, TakesNoMoreWordsAndFewerStepsThanDirect) {
  for (std::uint64_t k = 1; k <= 20; ++k) {
    for (std::uint64_t kstar = 1; kstar <= k; ++kstar) {
      const BusTree tree(k, kstar);
      const std::uint64_t hops = std::accumulate(tree.depths.begin(), tree.depths.end(), std::uint64_t{0});
      for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
        expect_from_some_roots({"scatter/doubling-kstar", "gather/doubling-kstar"}, machine_text("bus", k, kstar),
                               model_of(PortModel::one, duplex), [&](std::uint64_t m) {
                                 return SpecCounts{tree.steps, (k - 1) * m, k - 1, hops * m};
                               });
      }
    }
  }
}

TEST(ScatterShift, HasTheCountsOfThePaperInEveryModel) {
  for (std::uint64_t k = 1; k <= 64; k *= 2) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      expect_from_some_roots({"scatter/shift", "gather/shift"}, machine_text("switch", k),
                             model_of(PortModel::one, duplex), [&](std::uint64_t m) { return shift_counts(k, m); });
    }
  }
}

TEST(ScatterShift, PassesAllNetworksFromEveryRoot) {
  for (const std::string& family : networks) {
    for (std::uint64_t k = 1; k <= 32; k *= 2) {
      const BuiltMachine machine(machine_text(family, k));
      for (Rank root = 0; root < k; ++root) {
        for (const std::string_view method : {"scatter/shift", "gather/shift"}) {
          expect_run(machine, method, model_of(PortModel::one), item_settings(2, root), shift_counts(k, 2));
        }
      }
    }
  }
}

// "The root sends block root+d to node root+d, d = 1..k-1" and "message lengths in reverse order".
TEST(ScattersAndGathersOnMedia, AreEachOtherInReversedTime) {
  for (const auto& [method, text, expected] : {std::tuple("scatter/shift", "switch:16", Lengths{24, 12, 6, 3}),
                                               std::tuple("gather/shift", "switch:16", Lengths{3, 6, 12, 24}),
                                               std::tuple("scatter/direct", "shared:6,kstar=2", Lengths{15, 3, 3, 3}),
                                               std::tuple("gather/direct", "shared:6,kstar=2", Lengths{3, 3, 3, 15})}) {
    SCOPED_TRACE(method);
    const BuiltMachine machine(text);
    const Model& model = machine.method(method).defaults;
    expect_run(machine, method, model, item_settings(3, 5), {.longest = expected});
  }
}

TEST(ScatterDirectOneMessage, NeedsMulticast) {
  EXPECT_EQ(
      violation("scatter/direct-one-message", "bus:3", model_of(PortModel::one), item_settings(2, 2)),
      "scatter/direct-one-message: cycle 0, rank 2, peers 0 and 1: one send to several processors (no multicast)");
}

TEST(ScattersAndGathersOnMedia, AreBoundedAsThePaperSays) {
  const Settings settings = item_settings(3, 0);
  const Model one = model_of(PortModel::one);
  const Model multicast = model_of(PortModel::one, Duplex::full, true);
  for (const std::string_view method : {"scatter/direct", "scatter/direct-one-message", "gather/direct"}) {
    EXPECT_EQ(bound(method, "bus:1", settings, multicast), Bound(0, 0));
    EXPECT_EQ(bound(method, "bus:9", settings, one), Bound(8, 24));
    EXPECT_EQ(bound(method, "bus:9,kstar=3", settings, one), Bound(4, 24));
    EXPECT_EQ(bound(method, "bus:9", settings, multicast), Bound(method == "gather/direct" ? 8U : 1U, 24));
  }
  // Two steps give 3 or more holders, then 3 more a step.
  EXPECT_EQ(bound("scatter/doubling-kstar", "bus:12,kstar=3", settings, one), Bound(5, 33));
  EXPECT_EQ(bound("gather/doubling-kstar", "bus:12,kstar=3", settings, one), Bound(5, 33));
  for (const std::string_view method : {"scatter/shift", "gather/shift"}) {
    EXPECT_EQ(bound(method, "switch:1", settings, one), Bound(0, 0));
    EXPECT_EQ(bound(method, "omega:8", settings, one), Bound(3, 21));
    EXPECT_EQ(bound(method, "switch:8", settings, multicast), Bound(3, 21));
    EXPECT_EQ(bound(method, "omega:8", settings, multicast), Bound(method == "gather/shift" ? 3U : 1U, 21));
  }
}

TEST(ScattersAndGathersOnMedia, CatchFaults) {
  for (const std::string method : {"scatter/direct", "gather/direct"}) {
    for (const std::string machine : {"bus:2", "bus:5,kstar=2", "shared:2,kstar=1", "shared:5,kstar=2"}) {
      expect_catches_faults(method, machine, item_settings(3, 1));
    }
  }
  for (const std::string machine : {"bus:2", "bus:5"}) {
    expect_catches_faults("scatter/direct-one-message", machine, item_settings(3, 1));
  }
  for (const std::string method : {"scatter/doubling-kstar", "gather/doubling-kstar"}) {
    for (const std::string machine : {"bus:2", "bus:6,kstar=2", "bus:7,kstar=7"}) {
      expect_catches_faults(method, machine, item_settings(3, 1));
    }
  }
  for (const std::string method : {"scatter/shift", "gather/shift"}) {
    for (const std::string machine : {"switch:2", "switch:8", "omega:8"}) {
      expect_catches_faults(method, machine, item_settings(3, 1));
    }
  }
  // One receiver gets a wrong word, the others the right one.
  EXPECT_EQ(BuiltMachine("bus:4")
                .run("scatter/direct-one-message", model_of(PortModel::one, Duplex::full, true), item_settings(3, 1),
                     Fault{FaultKind::corrupt, 1})
                .wrong,
            "rank 2 holds 3 words of the 3 from rank 1, the first 1 right");
}

TEST(ScattersAndGathersOnMedia, HaveDefaultsAndLimits) {
  for (const auto& [method, text] :
       {std::pair("scatter/direct", "bus:8"), std::pair("gather/direct", "bus:8"),
        std::pair("scatter/direct-one-message", "bus:8"), std::pair("scatter/doubling-kstar", "bus:8,kstar=3"),
        std::pair("gather/doubling-kstar", "bus:8,kstar=3"), std::pair("scatter/direct", "shared:8,kstar=3"),
        std::pair("gather/direct", "shared:8,kstar=3"), std::pair("scatter/shift", "switch:8"),
        std::pair("gather/shift", "omega:8")}) {
    SCOPED_TRACE(std::string(method) + " on " + text);
    expect_defaults(method, parse_machine(text).family, PortModel::one,
                    std::string_view(method) == "scatter/direct-one-message");
    expect_words_from(1, method, text);
    expect_roots_to(7, method, text);
    const std::uint64_t data = std::uint64_t{8} * 1000000 * 8;
    expect_bytes(method, text, item_settings(1000000, 0), data, data + data / 100);
  }
  for (const std::string method : {"scatter/shift", "gather/shift"}) {
    EXPECT_EQ(refusal(method, "switch:6", item_settings(1, 0)), "switch:6 has 6 processors; a power of two is needed");
  }
}

class ScatterFilesOnMedia : public DataDirectory {};

TEST_F(ScatterFilesOnMedia, ComeOutAsTheyWentIn) {
  const std::string numbers = "1\n-2\n3\n4\n5\n6\n7\n9223372036854775807\n";
  Settings settings;
  settings.root = 2;
  settings.input = file("in.txt", numbers);
  settings.output = path("out.txt");
  for (const auto& [method, text] :
       {std::pair("scatter/direct", "bus:4"), std::pair("gather/direct", "bus:4"),
        std::pair("scatter/direct-one-message", "bus:4"), std::pair("scatter/doubling-kstar", "bus:4,kstar=2"),
        std::pair("gather/doubling-kstar", "bus:4,kstar=2"), std::pair("scatter/direct", "shared:4,kstar=2"),
        std::pair("gather/direct", "shared:4,kstar=2"), std::pair("scatter/shift", "switch:4"),
        std::pair("gather/shift", "omega:4")}) {
    SCOPED_TRACE(std::string(method) + " on " + text);
    const BuiltMachine machine(text);
    EXPECT_EQ(machine.run(method, machine.method(method).defaults, settings).wrong, "");
    EXPECT_EQ(text_of(path("out.txt")), numbers);
    std::filesystem::remove(path("out.txt"));
  }
}

}  // namespace
}  // namespace lockstep::scatter_media_test
