// --ports ring: methods that the rule of Saad & Schultz 1988, 2(c), allows on rings have the counts of the sections,
// and those that it forbids are refused (saad-schultz-1988.md, Ring rule).
#include "lockstep/algorithms/port_models.hpp"
#include "method_run.hpp"

namespace lockstep::ring_rule_test {
namespace {

std::string ring(std::uint64_t k) { return "ring:" + std::to_string(k); }

bool is_for_rings(const Method& method) {
  return std::ranges::find(method.families, std::string_view("ring")) != method.families.end();
}

bool is_meant_on_ring_for(const Method& method, PortModel ports) {
  const std::vector<PortModel> models = port_models_on(method, "ring");
  return std::ranges::find(models, ports) != models.end();
}

TEST(RingRule, IsForRingsAlone) {
  EXPECT_TRUE(has_ring_rule("ring"));
  for (const std::string_view family : {"path", "torus", "hypercube", "switch"}) EXPECT_FALSE(has_ring_rule(family));
  const Method& method = find_method("send/pipelined", "torus");
  for (const PortModel ports : port_models_on(method, "torus")) EXPECT_NE(ports, PortModel::ring);
  EXPECT_EQ(port_models_on(method, "ring"), method.port_models);
}

// All runs that are legal with one port are legal under the rule; it adds two sends, which need no multicast.
TEST(RingRule, AllowsWhatOnePortAllowsWithTheSameCounts) {
  for (const Method* method : catalogue()) {
    if (!is_for_rings(*method) || !is_meant_on_ring_for(*method, PortModel::one)) continue;
    EXPECT_TRUE(is_meant_on_ring_for(*method, PortModel::ring)) << method->name;
    for (std::uint64_t k = 1; k <= 9; ++k) {
      if (!refusal(method->name, ring(k), {}).empty()) continue;  // for an even number of processors
      const BuiltMachine machine(ring(k));
      SCOPED_TRACE(std::string(method->name) + " on " + ring(k));
      Model one = model_of(PortModel::one, Duplex::full, method->defaults.multicast);
      const Model by_rule = model_of(PortModel::ring);
      const Outcome expected = machine.run(method->name, one, {});
      const Outcome outcome = machine.run(method->name, by_rule, {});
      EXPECT_EQ(outcome.wrong, "");
      EXPECT_EQ(outcome.report.steps, expected.report.steps);
      EXPECT_EQ(outcome.report.longest_sum, expected.report.longest_sum);
      EXPECT_EQ(outcome.report.messages, expected.report.messages);
      EXPECT_EQ(outcome.report.words, expected.report.words);
      expect_kept(machine.predict(method->name, by_rule, {}), outcome.report, by_rule.cost);
    }
  }
}

// saad-schultz-1988.md, Ring scatter: S = floor(k/2) = D, W = D m; S is equal to the bound, as the root may send two
// messages a step, and so is W if k is odd; else the block of the farthest could be divided between the links. A gather
// brings one message a step, and those of S steps are of 2 S processors, the root included.
TEST(RingRule, AllowsTheScatterBothWays) {
  for (std::uint64_t k = 1; k <= 12; ++k) {
    const std::uint64_t D = k / 2;
    const std::uint64_t E = k - 1 - D;
    const std::uint64_t root_links = k == 2 ? 1 : 2;
    const std::uint64_t hops = (D * (D + 1) + E * (E + 1)) / 2;
    for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
      const Model model = model_of(PortModel::ring, duplex);
      expect_run(BuiltMachine(ring(k)), "scatter/two-way", model, item_settings(3, k / 3),
                 {.steps = D, .longest_sum = 3 * D, .messages = hops, .words = 3 * hops});
      EXPECT_EQ(bound("scatter/two-way", ring(k), item_settings(3, 0), model),
                Bound(D, (3 * (k - 1) + root_links - 1) / root_links));
    }
    EXPECT_EQ(bound("gather/two-way", ring(k), item_settings(3, 0), model_of(PortModel::ring)),
              Bound(k == 1 ? 0 : (k + 1) / 2, 3 * (k - 1)));
  }
}

// With as many packets as --ports one with multicast uses, L = floor(k/2) hops.
TEST(RingRule, AllowsTheBroadcastBothWaysWithoutMulticast) {
  for (std::uint64_t k = 2; k <= 9; ++k) {
    expect_run(BuiltMachine(ring(k)), "broadcast/two-way", model_of(PortModel::ring), packet_settings(6, 3, k - 1),
               {.steps = k / 2 + 2, .longest_sum = 2 * (k / 2 + 2), .messages = 3 * (k - 1), .words = 6 * (k - 1)});
  }
}

TEST(RingRule, RefusesMethodsInWhichAProcessorReceivesTwice) {
  const Model model = model_of(PortModel::ring);
  for (const std::string_view method : {"gather/two-way", "send/disjoint-paths", "send/disjoint-paths-balanced"}) {
    EXPECT_FALSE(is_meant_on_ring_for(find_method(method, "ring"), PortModel::ring)) << method;
    Settings settings;
    if (method != "gather/two-way") settings.packets = 9;
    for (const std::uint64_t k : {3U, 5U, 8U}) {
      EXPECT_EQ(broken_rule(method, ring(k), model, settings), ErrorKind::receive_limit) << method << " on " << k;
    }
  }
  EXPECT_EQ(violation("gather/two-way", "ring:5", model)
                .find("gather/two-way: cycle 0, rank 0, ports 0 and 1: 2 "
                      "messages sent to one processor in one cycle"),
            0U);
}

}  // namespace
}  // namespace lockstep::ring_rule_test
