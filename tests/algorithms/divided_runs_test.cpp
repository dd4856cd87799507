// Every method of the catalogue on machines of links whose processors are divided over processes: data, counts, times
// and what is wrong are those of one process, in all of them.
#include <gtest/gtest.h>

#include <random>

#include "../sanitized.hpp"
#include "../threaded_processes.hpp"
#include "catalogue_cases.hpp"
#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

/// What a run comes to.
struct Result {
  Outcome outcome{};
  std::string error{};

  friend std::ostream& operator<<(std::ostream& out, const Result& result) {
    return out << result.error << result.outcome.wrong << ", " << result.outcome.report.messages << " messages, "
               << result.outcome.report.time_asynchronous << ", digests " << result.outcome.report.digest() << ' '
               << result.outcome.data_digest;
  }
};

bool are_equal(const Result& a, const Result& b) {
  const auto are_alike = [](const Measure& one, const Measure& other) {
    return one.name == other.name && one.value == other.value;
  };
  return a.error == b.error && a.outcome.wrong == b.outcome.wrong && a.outcome.data_digest == b.outcome.data_digest &&
         a.outcome.report.digest() == b.outcome.report.digest() &&
         std::ranges::equal(a.outcome.measures, b.outcome.measures, are_alike);
}

class DividedRuns : public testing::TestWithParam<Case> {
 protected:
  const Method& method() const { return *GetParam().method; }

  Result run(const Settings& settings, const Division* division) const {
    const auto executor = make_executor(ExecutorKind::sequential);
    Result result;
    try {
      result.outcome = method().run({.machine = machine_,
                                     .topology = topology_,
                                     .model = model_,
                                     .settings = settings,
                                     .executor = *executor,
                                     .options = {.name = "test"},
                                     .division = division});
    } catch (const std::exception& error) {
      result.error = error.what();
    }
    return result;
  }

  void expect_the_same(const Settings& settings) const {
    const Result whole = run(settings, nullptr);
    ASSERT_EQ(whole.error + whole.outcome.wrong, "");
    std::mt19937 random(1);
    for (const unsigned processes : {2U, 3U}) {
      std::vector<std::uint32_t> owners(topology_.processors());
      for (std::uint32_t& owner : owners) owner = static_cast<std::uint32_t>(random() % processes);
      for (const Placement& placement : {Placement(topology_.processors(), processes), Placement(owners, processes)}) {
        std::vector<Result> results(processes);
        const auto thrown = test::ThreadedProcesses(processes).run([&](Processes& own) {
          const Division division{own, placement};
          results[own.own()] = run(settings, &division);
          if (!results[own.own()].error.empty()) throw std::runtime_error(results[own.own()].error);
        });
        for (const Result& result : results) {
          EXPECT_TRUE(are_equal(result, whole)) << processes << " processes: " << result << "\n  one: " << whole;
        }
      }
    }
  }

  MachineSpec machine_ = parse_machine(GetParam().machine);
  Topology topology_ = build(machine_);
  Model model_ = method().defaults;
};

TEST_P(DividedRuns, ComeToTheSameInEveryProcess) {
  Settings settings = required_settings(method());
  if (takes(method(), "root")) settings.root = topology_.processors() - 1;
  const Settings given = settings;
  method().resolve(machine_, model_, settings);
  expect_the_same(settings);

  // Blocks that are long enough to be shared, also beyond the cut.
  Settings with_long_blocks = given;
  if (takes(method(), "words") && !given.words) {
    with_long_blocks.words = 2 * Block::most_copied * *settings.words;
    if (accepts(method(), machine_, with_long_blocks)) {
      method().resolve(machine_, model_, with_long_blocks);
      expect_the_same(with_long_blocks);
    }
  }

  // What is judged on the way, too, where an operator may absorb what is wrong.
  Settings that_absorbs = given;
  that_absorbs.operator_name = "min";
  if (takes(method(), "operator") && accepts(method(), machine_, that_absorbs)) {
    method().resolve(machine_, model_, that_absorbs);
    expect_the_same(that_absorbs);
  }
}

std::vector<Case> cases() {
  std::vector<Case> all = catalogue_cases();
  std::erase_if(all, [](const Case& one) {
    const MachineSpec machine = parse_machine(one.machine);
    return machine.medium || machine.processors < 2 || machine.processors > (sanitized ? 16 : 64);
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, DividedRuns, testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace lockstep
