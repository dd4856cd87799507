// Every method of the catalogue on machines whose processors are divided over processes: data, counts, times and errors
// are those of one process, in each of them.
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "../../sanitized.hpp"
#include "../../threaded_processes.hpp"
#include "divided_case.hpp"
#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::divided_runs_test {
namespace {

class DividedRuns : public testing::TestWithParam<Case> {};

TEST_P(DividedRuns, ComeToTheSameInEveryProcess) {
  const DividedCase one(GetParam());
  std::vector<Settings> variants = one.variants();
  if (sanitized) variants.erase(variants.begin() + 1, variants.end());
  for (const Settings& settings : variants) {
    const Result whole = one.run(settings, nullptr);
    ASSERT_EQ(whole.error + whole.outcome.wrong, "");
    std::mt19937 random(1);
    for (const unsigned processes : {2U, 3U}) {
      std::vector<std::uint32_t> owners(one.processors());
      for (std::uint32_t& owner : owners) owner = static_cast<std::uint32_t>(random() % processes);
      for (const Placement& placement : {Placement(one.processors(), processes), Placement(owners, processes)}) {
        std::vector<Result> results(processes);
        const auto thrown = test::ThreadedProcesses(processes).run([&](Processes& own) {
          const Division division{own, placement};
          results[own.own()] = one.run(settings, &division);
          if (!results[own.own()].error.empty()) throw std::runtime_error(results[own.own()].error);
        });
        for (const Result& result : results) {
          EXPECT_TRUE(are_equal(result, whole)) << processes << " processes: " << result << "\n  one: " << whole;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DividedRuns, testing::ValuesIn(divided_cases(sanitized ? 16 : 64)), test_name);

/// The error found in each of two processes that hold half of a square each, 0 and 1, and 2 and 3, if a bit of the last
/// message in the first delivery by `sender` is inverted.
std::vector<std::string> found_by_both(const std::string& name, unsigned sender) {
  const MachineSpec machine = parse_machine("hypercube:2");
  const Topology topology = build(machine);
  const Method& method = find_method(name, machine.family);
  const Model model = method.defaults;
  Settings settings = required_settings(method);
  method.resolve(machine, model, settings);
  const Placement placement(4, 2);
  std::atomic<bool> is_done{false};
  constexpr std::size_t header = 12;
  const auto invert = [&](unsigned from, unsigned, Bytes bytes) {
    if (from == sender && bytes.size() > header && !is_done.exchange(true)) bytes.back() ^= std::byte{1};
    return std::vector<Bytes>{std::move(bytes)};
  };
  std::vector<std::string> found(2);
  const auto thrown = test::ThreadedProcesses(2, invert).run([&](Processes& own) {
    const Division division{own, placement};
    const auto executor = make_executor(ExecutorKind::sequential);
    found[own.own()] = method
                           .run({.machine = machine,
                                 .topology = topology,
                                 .model = model,
                                 .settings = settings,
                                 .executor = *executor,
                                 .options = {.name = name},
                                 .division = &division})
                           .wrong;
  });
  for (const std::exception_ptr& one : thrown) {
    EXPECT_NO_THROW({
      if (one) std::rethrow_exception(one);
    });
  }
  return found;
}

// Only processors of one process hold or have received the wrong data; both processes report it in the same words.
TEST(DividedVerdicts, AreThoseOfAllProcesses) {
  struct Fault {
    const char* method;
    unsigned sender;
    std::string text;
  };
  for (const auto& [method, sender, text] :
       {Fault{"broadcast/sbt", 0, "rank 3 holds 1 words of 1, the first 0 right"},
        Fault{"reduce/tree", 1, "rank 0 holds a result of 1 words of 1, the first 0 right"},
        Fault{"scan/cube", 0, "rank 3 holds a result of 1 words of 1, the first 0 right"}}) {
    EXPECT_EQ(found_by_both(method, sender), (std::vector<std::string>{text, text})) << method;
  }
}

}  // namespace
}  // namespace lockstep::divided_runs_test
