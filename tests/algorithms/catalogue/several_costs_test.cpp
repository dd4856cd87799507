// Every method of the catalogue that does not read the costs has, in one run under several costs, the times, bit by
// bit, of runs under each alone, and the same counts, data and measures under all.
#include <vector>

#include "built_machine.hpp"
#include "catalogue_cases.hpp"

namespace lockstep::several_costs_of_methods_test {
namespace {

using Times = std::vector<double>;

/// Odd numbers, so that sums in another order differ in their last bits.
const std::vector<CostModel> costs{
    {.beta = 3, .tau = 0.5},
    {.beta = 0.1, .tau = 0.7, .copy_cost = 0.3, .flop = 0.9, .scan_cost = 0.05},
    {.beta = 1000.1, .tau = 1.0 / 3, .copy_cost = 0.01, .flop = 0, .scan_cost = 7},
    {.beta = 0, .tau = 5.3, .copy_cost = 11.7, .flop = 0.3},
    {.beta = 77, .tau = 1e-9, .copy_cost = 0.2, .flop = 31, .scan_cost = 0.7},
};

Times times_of(const Report& report) {
  return {report.time_synchronous, report.time_asynchronous, report.time_arithmetic};
}

/// The counts, data and measures of a run, without its times.
std::string results_of(const Outcome& outcome) {
  Report report = outcome.report;
  report.time_synchronous = report.time_asynchronous = report.time_arithmetic = 0;
  std::string text = std::to_string(report.digest()) + " " + std::to_string(outcome.data_digest) + outcome.wrong;
  for (const Measure& measure : outcome.measures) {
    text.append(" ").append(measure.name).append("=").append(std::to_string(measure.value));
  }
  return text;
}

/// Those that may share a run.
std::vector<Case> sharing_cases() {
  std::vector<Case> all = catalogue_cases();
  std::erase_if(all, [](const Case& one) { return one.method->reads_costs || parse_machine(one.machine).medium; });
  return all;
}

class SeveralCostsOf : public testing::TestWithParam<Case> {};

TEST_P(SeveralCostsOf, AreThoseOfRunsApart) {
  const Method& method = *GetParam().method;
  const BuiltMachine machine(GetParam().machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  for (const PortModel ports : port_models_on(method, machine.spec.family)) {
    SCOPED_TRACE(name(ports));
    Model model = method.defaults;
    model.ports = ports;
    model.cost = costs.front();
    Settings settings = required_settings(method);
    try {
      method.resolve(machine.spec, model, settings);
    } catch (const InputError&) {
      continue;  // not under that port model
    }
    const auto run = [&](const CostModel& cost, const std::vector<CostModel>& others) {
      model.cost = cost;
      RunOptions options;
      options.other_costs = others;
      return method.run({.machine = machine.spec,
                         .topology = machine.topology,
                         .model = model,
                         .settings = settings,
                         .executor = *executor,
                         .options = options});
    };
    const Outcome together = run(costs.front(), {costs.begin() + 1, costs.end()});
    std::vector<Times> times{times_of(together.report)};
    for (const ModelledTimes& one : together.report.other_times) {
      times.push_back({one.synchronous, one.asynchronous, one.arithmetic});
    }
    std::vector<Times> apart;
    for (const CostModel& cost : costs) {
      const Outcome alone = run(cost, {});
      apart.push_back(times_of(alone.report));
      EXPECT_EQ(results_of(alone), results_of(together));
    }
    EXPECT_EQ(times, apart);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, SeveralCostsOf, testing::ValuesIn(sharing_cases()), test_name);

}  // namespace
}  // namespace lockstep::several_costs_of_methods_test
