// broadcast/both-ways: the item reaches both ends of a path by the predicted counts, in every model.
#include <gtest/gtest.h>

#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {

extern const Method broadcast_both_ways_method;

namespace {

const Method& method = broadcast_both_ways_method;

/// Runs the method with the item at that root.
Outcome run_from(std::uint64_t root, const std::string& machine, const Model& model) {
  const MachineSpec spec = parse_machine(machine);
  const Topology topology = build(spec);
  const auto executor = make_executor(ExecutorKind::sequential);
  Settings settings;
  settings.words = 3;
  settings.root = root;
  method.resolve(spec, model, settings);
  return method.run({spec, topology, model, settings, *executor, {}, {}});
}

TEST(BothWays, TakesTheStepsOfTheLongerSide) {
  // Steps on a path of seven from the roots 0 to 6: with one port the middle serves one side after the other.
  const std::vector<std::uint64_t> by_one_port{6, 5, 4, 4, 4, 5, 6};
  const std::vector<std::uint64_t> by_both{6, 5, 4, 3, 4, 5, 6};
  for (const PortModel ports : method.port_models) {
    for (std::uint64_t root = 0; root < 7; ++root) {
      const Outcome outcome = run_from(root, "path:7", {.ports = ports, .duplex = method.strictest_duplex});
      EXPECT_EQ(outcome.wrong, "");
      EXPECT_EQ(outcome.report.steps, (ports == PortModel::all ? by_both : by_one_port)[root]) << root;
      EXPECT_EQ(outcome.report.messages, 6U);
      EXPECT_EQ(outcome.report.words, 6U * 3U);
    }
  }
}

TEST(BothWays, PredictsWhatIsCountedAndMeetsItsBound) {
  for (const std::string machine : {"path:1", "path:2", "path:5", "path:6"}) {
    const MachineSpec spec = parse_machine(machine);
    for (const PortModel ports : method.port_models) {
      const Model model{.ports = ports};
      for (std::uint64_t root = 0; root < spec.processors; ++root) {
        SCOPED_TRACE(machine + " from " + std::to_string(root));
        Settings settings;
        settings.words = 3;
        settings.root = root;
        const Prediction predicted = method.predict(spec, model, settings);
        const Report counted = run_from(root, machine, model).report;
        EXPECT_EQ(predicted.steps->value, counted.steps);
        EXPECT_EQ(predicted.messages->value, counted.messages);
        EXPECT_EQ(predicted.words->value, counted.words);
        EXPECT_EQ(predicted.longest_sum->value, counted.longest_sum);
        EXPECT_EQ(lower_bound(method, spec, model, settings).steps, counted.steps);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
