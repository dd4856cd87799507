// Methods of one machine on another: all of them run and are verified, faults are noticed, and the host's counts equal
// those of a plain simulation of the paths.
#include <algorithm>
#include <map>
#include <set>

#include "carried_run.hpp"
#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep::carried_test {
namespace {

using Result = CarriedMachine::Result;

/// The method's own rules with each of its port models under which messages can be carried.
std::vector<Model> models(const Method& method, const Embedding& embedding) {
  std::vector<Model> all;
  for (const PortModel ports : method.port_models) {
    Model model = method.defaults;
    model.ports = ports;
    model.cost.beta = 3;
    model.cost.tau = 0.5;
    model.cost.flop = 0.125;
    try {
      Carrier::refuse_rules(embedding, model);
      all.push_back(model);
    } catch (const InputError&) {
    }
  }
  return all;
}

/// Every method of the guest's family that accepts it, with the required settings.
template <class Visit>
void for_methods(const CarriedMachine& machine, const Visit& visit) {
  const MachineSpec& guest = *machine.embedded.machine;
  for (const Method* method : catalogue()) {
    if (std::ranges::find(method->families, guest.family) == method->families.end()) continue;
    const Settings settings = required_settings(*method);
    if (!accepts(*method, guest, settings)) continue;
    if (plans_all(*method) && guest.processors > 16) continue;
    visit(*method, settings);
  }
}

std::string text_of(const CarriedMachine& machine, const Method& method, const Model& model) {
  return std::string(method.name) + " of " + machine.embedded.guest + " on " + machine.embedded.host.text + ", " +
         std::string(name(model.ports));
}

/// The error of a run with this fault; empty if none is noticed.
std::string noticed(const CarriedMachine& machine, const Method& method, const Model& model, const Settings& settings,
                    const Fault& fault) {
  try {
    return machine.run(method, model, settings, fault).outcome.wrong;
  } catch (const RunError& error) {
    return error.what();
  }
}

TEST(Carried, EveryMethodOfTheHypercubeRunsOnReducedHypercubes) {
  for (const auto& [k, n] : {std::pair{0U, 0U}, {1U, 0U}, {1U, 1U}, {2U, 1U}, {2U, 2U}}) {
    if (sanitized && n == 2) continue;  // 64 processors
    const CarriedMachine machine = emulated(k, n);
    std::size_t methods = 0;
    for_methods(machine, [&](const Method& method, const Settings& settings) {
      ++methods;
      const std::vector<Model> all = models(method, machine.embedded);
      EXPECT_FALSE(all.empty()) << method.name;
      for (const Model& model : all) {
        SCOPED_TRACE(text_of(machine, method, model));
        const Result result = machine.run(method, model, settings);
        EXPECT_EQ(result.outcome.wrong, "");
        EXPECT_EQ(result.carried.problem, "");
        EXPECT_LE(result.carried.dilation, 2 * n + 1);
        const Report& report = result.outcome.report;
        EXPECT_GE(report.steps, result.carried.guest_steps);
        EXPECT_GE(report.steps, result.bound.steps.value_or(0));
        EXPECT_GE(report.longest_sum, result.bound.longest_sum.value_or(0));
        expect_kept(result.predicted, report, model.cost);
        EXPECT_EQ(result.outcome.data_digest,
                  BuiltMachine(machine.embedded.guest).run(method.name, model, settings).data_digest);
      }
    });
    EXPECT_GT(methods, n == 0 ? 20U : 30U);
  }
}

TEST(Carried, FaultsAreNoticed) {
  const CarriedMachine machine = emulated(1, 1);
  for_methods(machine, [&](const Method& method, const Settings& settings) {
    const std::vector<Model> all = models(method, machine.embedded);
    if (all.empty()) return;
    const Model& model = all.front();
    SCOPED_TRACE(text_of(machine, method, model));
    std::uint64_t transfers = 0;
    bool done = false;
    EXPECT_EQ(noticed(machine, method, model, settings, {FaultKind::drop, ~std::uint64_t{0}, &done, &transfers}), "");
    for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt}) {
      for (const std::uint64_t transfer : std::set<std::uint64_t>{0, transfers / 2, transfers - 1}) {
        if (transfers == 0 || (kind != FaultKind::corrupt && sends_copies(method))) continue;
        done = false;  // a message without words cannot be corrupted
        const std::string caught = noticed(machine, method, model, settings, {kind, transfer, &done});
        EXPECT_EQ(done, !caught.empty()) << "fault " << static_cast<int>(kind) << " in transfer " << transfer;
      }
    }
  });
}

// In a subgraph every message has a link, so all counts and the synchronous time are the guest's own.
TEST(Carried, MethodsOfGridsCountOnTheCubeWhatTheyCountOnTheGrid) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"torus:4x4", "hypercube:4"}, {"torus:2x2", "hypercube:2"}, {"torus:4x8", "hypercube:5"},
      {"torus:6x4", "hypercube:5"}, {"mesh:3x5", "hypercube:5"},  {"mesh:4x4", "hypercube:4"},
      {"ring:1", "hypercube:0"},    {"ring:2", "hypercube:1"},    {"ring:8", "hypercube:3"},
      {"ring:6", "hypercube:3"},    {"path:7", "hypercube:3"},    {"path:1", "hypercube:0"},
      {"ccc:4", "rh:2,2"},          {"ring:8", "rh:1,1"},         {"path:20", "rh:3,1"},
      {"ring:12", "mesh:3x4"},      {"path:7", "torus:2x4"},      {"hypercube:3", "torus:2x4"},
      {"mesh:2x3", "torus:3x3"}};
  for (const auto& [guest, host] : all) {
    const CarriedMachine machine(guest, host);
    const BuiltMachine own(guest);
    for_methods(machine, [&](const Method& method, const Settings& settings) {
      for (const Model& model : models(method, machine.embedded)) {
        SCOPED_TRACE(text_of(machine, method, model));
        const Result result = machine.run(method, model, settings);
        EXPECT_EQ(result.outcome.wrong, "");
        EXPECT_EQ(result.carried.problem, "");
        const Report& report = result.outcome.report;
        const Outcome right = own.run(method.name, model, settings);
        EXPECT_EQ(result.outcome.data_digest, right.data_digest);
        EXPECT_EQ(report.messages, right.report.messages);
        EXPECT_EQ(report.words, right.report.words);
        EXPECT_EQ(report.copied_words, right.report.copied_words);
        EXPECT_EQ(report.busiest_link_words, right.report.busiest_link_words);
        if (model.multicast && model.ports != PortModel::all)
          continue;  // a send on several ports becomes several sends here
        EXPECT_EQ(report.steps, right.report.steps);
        EXPECT_EQ(report.cycles, right.report.cycles);
        EXPECT_EQ(report.longest_sum, right.report.longest_sum);
        EXPECT_EQ(report.startups, right.report.startups);
        EXPECT_EQ(report.operations, right.report.operations);
        EXPECT_NEAR(report.time_synchronous, right.report.time_synchronous, 1e-9 * right.report.time_synchronous);
        EXPECT_EQ(longest_of_each_cycle(report), longest_of_each_cycle(right.report));
        ASSERT_EQ(report.phases.size(), right.report.phases.size());
        for (std::size_t i = 0; i < report.phases.size(); ++i) {
          EXPECT_EQ(report.phases[i].name, right.report.phases[i].name);
          EXPECT_EQ(report.phases[i].steps, right.report.phases[i].steps);
          EXPECT_EQ(report.phases[i].messages, right.report.phases[i].messages);
        }
        EXPECT_LE(result.carried.congestion, 1U);
        EXPECT_LE(result.carried.dilation, 1U);
        expect_kept(result.predicted, report, model.cost);
      }
    });
  }
}

/// Adds up what an observer sees of the host's links.
struct SeenHops final : RunObserver {
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
  std::set<Cycle> cycles;
  double last = 0;
  Rank place_of_root = no_rank;

  void barrier(MovingMessages& hops) override {
    cycles.insert(hops.cycle());
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const MovingMessage hop = hops.message(i);
      ++messages;
      words += hop.words;
      last = std::max(last, hop.arrival);
      if (place_of_root == no_rank) place_of_root = hop.from;
    }
  }
};

// The hops that an observer sees are those that the report counts, and the last arrives when the run ends.
TEST(Carried, ShowsTheHopsOfMessages) {
  const CarriedMachine machine("hypercube:3", "mesh:2x4");
  for (const char* name : {"broadcast/sbt", "alltoall/exchange", "allgather/adea"}) {
    const Method& method = machine.method(name);
    Model model = models(method, machine.embedded).front();
    Settings settings;
    if (std::string_view(name) == "broadcast/sbt") settings.root = 3;
    SeenHops seen;
    const Report report = machine.run(method, model, settings, {}, nullptr, &seen).outcome.report;
    EXPECT_EQ(seen.messages, report.messages) << name;
    EXPECT_EQ(seen.words, report.words) << name;
    EXPECT_EQ(seen.cycles.size(), report.steps) << name;
    EXPECT_EQ(*seen.cycles.rbegin() + 1, report.cycles) << name;
    EXPECT_NEAR(seen.last, report.time_asynchronous, 1e-9 * report.time_asynchronous) << name;
    if (settings.root) {
      EXPECT_EQ(seen.place_of_root, machine.embedded.place(3)) << name;
    }
  }
}

TEST(Carried, ComesToTheSameOnAllExecutors) {
  const CarriedMachine machine = emulated(2, 2);
  for (const char* name : {"alltoall/rotated-sbt", "barrier/tree", "sort/bitonic"}) {
    const Method& method = machine.method(name);
    const Model model = models(method, machine.embedded).front();
    const Result expected = machine.run(method, model, {});
    EXPECT_EQ(expected.outcome.wrong, "");
    for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::threads, ExecutorKind::seeded}) {
      const auto executor = make_executor(kind, kind == ExecutorKind::seeded ? 1 : 4, 7);
      const Result result = machine.run(method, model, {}, {}, executor.get());
      EXPECT_EQ(result.outcome.wrong, "") << name;
      EXPECT_EQ(result.outcome.report.digest(), expected.outcome.report.digest()) << name;
      EXPECT_EQ(result.outcome.data_digest, expected.outcome.data_digest) << name;
      EXPECT_EQ(result.carried.congestion, expected.carried.congestion) << name;
    }
  }
}

// The cycles in which a guest waits are cycles of the host: late arrivals at a barrier.
TEST(Carried, KeepsIdleCyclesAndPhases) {
  const CarriedMachine machine = emulated(1, 1);
  Settings late;
  late.arrivals = 100;
  const Result result = machine.run("barrier/tree", {}, late);
  EXPECT_EQ(result.outcome.wrong, "");
  const Report& report = result.outcome.report;
  EXPECT_GT(report.cycles, report.steps);
  ASSERT_EQ(report.phases.size(), 2U);
  EXPECT_EQ(report.phases[0].name, "arrival");
  EXPECT_EQ(report.phases[1].name, "release");
  EXPECT_EQ(report.phases[0].messages + report.phases[1].messages, report.messages);
  EXPECT_EQ(report.phases[0].steps + report.phases[1].steps, report.steps);
  EXPECT_EQ(report.per_cycle.back().cycle + 1, report.cycles);
}

TEST(Carried, RefusesRulesUnderWhichNothingIsRouted) {
  const auto refused = [](const CarriedMachine& machine, const Model& model) -> std::string {
    try {
      Carrier::refuse_rules(machine.embedded, model);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const CarriedMachine cube_on_rh = emulated(1, 1);
  EXPECT_EQ(refused(cube_on_rh, model_of(PortModel::one_strict)), "hypercube:3 on rh:1,1 is for --ports one and all");
  EXPECT_EQ(refused(cube_on_rh, model_of(PortModel::one, Duplex::half_link)),
            "hypercube:3 on rh:1,1 is for --duplex full: its messages are routed over links both ways");
  EXPECT_EQ(refused(cube_on_rh, model_of(PortModel::all)), "");
  const CarriedMachine ring_on_cube("ring:8", "hypercube:3");
  EXPECT_EQ(refused(ring_on_cube, model_of(PortModel::one_strict, Duplex::half_node)), "");
  EXPECT_EQ(refused(ring_on_cube, model_of(PortModel::one_strict, Duplex::full, true)),
            "ring:8 on hypercube:3 is for --ports one and all, or --multicast off");
}

}  // namespace
}  // namespace lockstep::carried_test
