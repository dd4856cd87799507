// Machines whose processors share a medium, as specifications, facts, pictures and topologies.
#include <gtest/gtest.h>

#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/omega.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::media_test {
namespace {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(parse_machine(text));
  } catch (const MachineSpecError& error) {
    return error.what();
  }
  return "";
}

void expect_complaint(const std::string& text, const std::string& rest) {
  EXPECT_EQ(complaint(text), "machine \"" + text + "\": " + rest);
}

TEST(MediaMachines, HoldTheirSizes) {
  const MachineSpec bus = parse_machine("bus:6");
  EXPECT_EQ(bus.parameters, (std::vector<std::uint64_t>{6, 1}));
  EXPECT_EQ(bus.processors, 6U);
  EXPECT_EQ(bus.ports, 0U);
  ASSERT_TRUE(bus.medium);
  EXPECT_EQ(bus.medium->kind, MediumKind::bus);
  EXPECT_EQ(bus.medium->users, 1U);
  EXPECT_EQ(parse_machine("bus:6,kstar=6").medium->users, 6U);
  const MachineSpec shared = parse_machine("shared:9,kstar=4");
  EXPECT_EQ(shared.medium->kind, MediumKind::memory);
  EXPECT_EQ(shared.medium->users, 4U);
  EXPECT_EQ(shared.medium->banks, 0U);
  const MachineSpec banks = parse_machine("shared:9,kstar=4,banks=16");
  EXPECT_EQ(banks.parameters, (std::vector<std::uint64_t>{9, 4, 16}));
  EXPECT_EQ(banks.medium->users, 4U);
  EXPECT_EQ(banks.medium->banks, 16U);
  EXPECT_EQ(parse_machine("switch:5").medium->kind, MediumKind::crossbar);
  EXPECT_EQ(parse_machine("switch:5").medium->network, nullptr);
  EXPECT_EQ(parse_machine("omega:16").medium->kind, MediumKind::crossbar);
  EXPECT_NE(parse_machine("omega:16").medium->network, nullptr);
  EXPECT_EQ(parse_machine("switch:4294967294").processors, 4294967294U);
  EXPECT_FALSE(parse_machine("ring:5").medium);
}

TEST(MediaMachines, RefuseWhatIsMalformed) {
  const std::string write_bus = "; write bus:K[,kstar=S], K from 1 up, S from 1 to K (1 if not given), e.g. bus:8";
  const std::string write_shared =
      "; write shared:K,kstar=S[,banks=B], K from 1 up, S from 1 to K, B from 1 up (no bank is ever in use if not "
      "given), e.g. shared:8,kstar=2";
  const std::string order = "after K come kstar=S and, where a bank serves one at a time, banks=B";
  expect_complaint("bus:0", "K is 0" + write_bus);
  expect_complaint("bus:", "K is missing" + write_bus);
  expect_complaint("bus:4,kstar=0", "kstar is 0" + write_bus);
  expect_complaint("bus:4,kstar=5", "kstar is 5, more than the 4 processors" + write_bus);
  expect_complaint("bus:4,kstar=", "kstar is missing" + write_bus);
  expect_complaint("bus:4,kstar=-1", "kstar is \"-1\", not a plain whole number" + write_bus);
  expect_complaint("bus:4,2", "after K comes kstar=S and nothing else" + write_bus);
  expect_complaint("bus:4,kstar=2,kstar=2", "after K comes kstar=S and nothing else" + write_bus);
  expect_complaint("shared:4", "kstar is missing" + write_shared);
  expect_complaint("shared:4,2", order + write_shared);
  expect_complaint("shared:4,banks=2", order + write_shared);
  expect_complaint("shared:4,kstar=2,2", order + write_shared);
  expect_complaint("shared:4,kstar=2,banks=2,", order + write_shared);
  expect_complaint("shared:4,kstar=2,banks=0", "banks is 0" + write_shared);
  expect_complaint("shared:4,kstar=2,banks=", "banks is missing" + write_shared);
  expect_complaint("shared:4,kstar=2,banks=x", "banks is \"x\", not a plain whole number" + write_shared);
  expect_complaint("bus:4,kstar=2,banks=2", "after K comes kstar=S and nothing else" + write_bus);
  expect_complaint("shared:4,kstar=5", "kstar is 5, more than the 4 processors" + write_shared);
  expect_complaint("switch:4x4", "K is \"4x4\", not a plain whole number; write switch:K, K from 1 up, e.g. switch:8");
  for (const std::string family : {"omega", "inverse-omega", "indirect-cube", "data-manipulator"}) {
    const std::string write = "; write " + family + ":K, K a power of two, e.g. " + family + ":8";
    for (const std::string k : {"3", "6", "4294967294"}) {
      expect_complaint(family + ":" + k, "K is " + k + ", not a power of two" + write);
    }
    expect_complaint(family + ":0", "K is 0" + write);
  }
  expect_complaint(
      "product:ring:3*bus:4",
      "factor 2 is a bus, which has no links to multiply; write product:F*F*.., factors any machines with links, "
      "but no products, e.g. product:ring:5*complete:4*hypercube:2");
}

TEST(MediaMachines, HaveOneLinkAProcessor) {
  for (const std::string machine : {"bus:7", "shared:7,kstar=2", "switch:7", "omega:8", "inverse-omega:8",
                                    "indirect-cube:4", "data-manipulator:2"}) {
    SCOPED_TRACE(machine);
    const MachineSpec spec = parse_machine(machine);
    const MachineFacts known = facts(spec);
    EXPECT_EQ(known.processors, spec.processors);
    EXPECT_EQ(known.links, spec.processors);
    EXPECT_EQ(known.ports, 0U);
    EXPECT_EQ(known.degree_min, 1U);
    EXPECT_EQ(known.degree_max, 1U);
    EXPECT_EQ(known.bisection_width, std::nullopt);
  }
  EXPECT_EQ(facts(parse_machine("bus:7")).diameter, 1U);
  EXPECT_EQ(facts(parse_machine("bus:1")).diameter, 0U);
  EXPECT_EQ(facts(parse_machine("shared:7,kstar=2")).diameter, std::nullopt);
  EXPECT_EQ(facts(parse_machine("bus:7")).total_exchange_bound, std::nullopt);
  EXPECT_EQ(facts(parse_machine("switch:7")).total_exchange_bound, 6U);
  EXPECT_EQ(facts(parse_machine("omega:1")).total_exchange_bound, 0U);
}

TEST(MediaMachines, AreBuiltWithTheirMedium) {
  const Topology shared = shared_memory(9, 4);
  EXPECT_EQ(shared.name(), "shared:9,kstar=4");
  EXPECT_EQ(shared.processors(), 9U);
  EXPECT_EQ(shared.ports(), 0U);
  EXPECT_EQ(shared.links(), 0U);
  EXPECT_EQ(shared.medium()->users, 4U);
  EXPECT_NO_THROW(shared.verify());
  EXPECT_EQ(bus(5).medium()->users, 1U);
  EXPECT_EQ(bus(5, 3).medium()->users, 3U);
  EXPECT_EQ(crossbar_switch(6).medium()->network, nullptr);
  EXPECT_NE(omega_network(8).medium()->network, nullptr);
  EXPECT_FALSE(ring(5).medium());
}

TEST(MediaMachines, CopyWhereElementsOfTwoInputsDo) {
  EXPECT_FALSE(parse_machine("switch:8").medium->copies);
  EXPECT_TRUE(parse_machine("omega:8").medium->copies);
  EXPECT_TRUE(parse_machine("inverse-omega:8").medium->copies);
  EXPECT_TRUE(parse_machine("indirect-cube:8").medium->copies);
  EXPECT_FALSE(parse_machine("data-manipulator:8").medium->copies);
}

TEST(MediaMachines, HaveAStageForEveryBitOfALine) {
  for (const std::string family : {"omega", "inverse-omega", "indirect-cube", "data-manipulator"}) {
    for (unsigned n = 0; n <= 5; ++n) {
      const MachineSpec spec = parse_machine(family + ":" + std::to_string(1U << n));
      EXPECT_EQ(stages_of(*spec.medium, static_cast<Rank>(spec.processors)), n) << spec.text;
    }
  }
  EXPECT_EQ(stages_of(*parse_machine("switch:8").medium, 8), 0U);
  EXPECT_EQ(stages_of(*parse_machine("bus:8").medium, 8), 0U);
}

TEST(MediaMachines, ArePictured) {
  EXPECT_EQ(facts(parse_machine("bus:3")).picture,
            "bus:3\n"
            "   0   1   2\n"
            "   |   |   |\n"
            "===============  at most 1 at a time\n");
  EXPECT_EQ(facts(parse_machine("shared:64,kstar=8")).picture,
            "shared:4,kstar=4, a small relative of shared:64,kstar=8\n"
            "   0   1   2   3\n"
            "   |   |   |   |\n"
            "+-----------------+\n"
            "|     memory      |\n"
            "+-----------------+\n");
  EXPECT_EQ(facts(parse_machine("shared:5,kstar=2,banks=1")).picture,
            "shared:4,kstar=2,banks=1, a small relative of shared:5,kstar=2,banks=1\n"
            "   0   1   2   3\n"
            "   |   |   |   |\n"
            "+------------------+\n"
            "| memory in 1 bank |\n"
            "+------------------+\n");
  EXPECT_EQ(facts(parse_machine("omega:2")).picture,
            "omega:2\n"
            "   0   1\n"
            "   |   |\n"
            "+---------------+\n"
            "| Omega network |\n"
            "+---------------+\n");
  EXPECT_EQ(facts(parse_machine("data-manipulator:4")).picture,
            "data-manipulator:4\n"
            "   0   1   2   3\n"
            "   |   |   |   |\n"
            "+------------------+\n"
            "| data manipulator |\n"
            "+------------------+\n");
}

}  // namespace
}  // namespace lockstep::media_test
