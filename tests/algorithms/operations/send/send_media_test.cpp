// send/direct on bus, shared memory and switch against Saad & Schultz 1988, (3.1), (3.2) and section 3.1(f)
// (saad-schultz-1988.md, Bus, Shared memory, Switch).
#include "media_runs.hpp"

namespace lockstep::send_media_test {
namespace {

using namespace media_runs;

constexpr std::string_view direct = "send/direct";

Settings send_settings(std::uint64_t words, std::uint64_t source, std::uint64_t destination) {
  Settings settings = block_settings(words);
  settings.source = source;
  settings.destination = destination;
  return settings;
}

class SendDirect : public testing::TestWithParam<std::string> {};

// saad-schultz-1988.md, Bus, Switch: S = 1, W = N, M = 1, V = N. saad-schultz-1988.md, Shared memory: S = 2, W = 2 N, M
// = 2, V = 2 N. To itself nothing (saad-schultz-1985.md, Small machines).
TEST_P(SendDirect, HasTheCountsOfThePaperFromAnyoneToAnyone) {
  const BuiltMachine machine(GetParam());
  const std::uint64_t transfers = machine.spec.family == "shared" ? 2 : 1;
  for (Rank source = 0; source < machine.topology.processors(); ++source) {
    for (Rank destination = 0; destination < machine.topology.processors(); ++destination) {
      for (const std::uint64_t N : {1U, 4U}) {
        for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
          const SpecCounts counts{transfers, transfers * N, transfers, transfers * N};
          const Report report =
              expect_run(machine, direct, model_of(PortModel::one, duplex), send_settings(N, source, destination),
                         source == destination ? nothing : counts);
          EXPECT_EQ(report.peak_words_held, N);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Media, SendDirect,
                         testing::Values("bus:1", "bus:2", "bus:5,kstar=3", "shared:1,kstar=1", "shared:2,kstar=1",
                                         "shared:5,kstar=3", "shared:5,kstar=3,banks=1", "switch:1", "switch:2",
                                         "switch:5", "omega:1", "omega:8", "inverse-omega:8", "indirect-cube:4",
                                         "data-manipulator:16"));

TEST(SendDirectly, IsBoundedWhereOneMessageIsTheLeast) {
  for (const std::string machine : {"bus:4", "switch:4", "omega:4"}) {
    EXPECT_EQ(bound(direct, machine, send_settings(9, 1, 3), model_of(PortModel::one)), Bound(1, 9));
    EXPECT_EQ(bound(direct, machine, send_settings(9, 1, 1), model_of(PortModel::one)), Bound(0, 0));
  }
}

TEST(SendDirectly, CatchesFaults) {
  for (const std::string machine : {"bus:4", "shared:4,kstar=1", "switch:4", "omega:4"}) {
    expect_catches_faults(direct, machine, send_settings(3, 1, 3));
  }
}

TEST(SendDirectly, HasDefaultsAndLimits) {
  for (const std::string text : {"bus:4", "shared:4,kstar=1", "switch:4", "omega:4"}) {
    SCOPED_TRACE(text);
    expect_defaults(direct, parse_machine(text).family, PortModel::one);
    expect_words_from(1, direct, text);
    for (const auto& [source, destination] : {std::pair(0U, 1U), std::pair(1U, 0U), std::pair(3U, 0U)}) {
      Settings settings;
      settings.source = source;
      EXPECT_EQ(resolved(direct, text, settings).destination, destination);
    }
    EXPECT_EQ(refusal(direct, text, send_settings(1, 4, 0)), "--source 4 is out of range: 0 to 3");
    EXPECT_EQ(refusal(direct, text, send_settings(1, 0, 4)), "--destination 4 is out of range: 0 to 3");
    expect_bytes(direct, text, send_settings(1000000, 0, 1), 2U * 8 * 1000000, 5U * 8 * 1000000);
  }
  EXPECT_EQ(resolved(direct, "bus:1").destination, 0U);
}

}  // namespace
}  // namespace lockstep::send_media_test
