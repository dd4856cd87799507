// allreduce/direct, scan/direct, exscan/direct and barrier/direct against collectives.md, All at once: one step on a
// complete graph with all ports, p (p - 1) messages, or half as many for a scan.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "data_directory.hpp"
#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::direct_on_links_test {
namespace {

constexpr std::array combining{"allreduce/direct", "scan/direct", "exscan/direct"};

Settings with_operator(const std::string& name, std::uint64_t words) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  return settings;
}

std::string complete(std::uint64_t p) { return "complete:" + std::to_string(p); }

class DirectOnLinks : public testing::TestWithParam<const char*> {
 protected:
  static std::uint64_t messages(std::uint64_t p) {
    return std::string_view(GetParam()) == "allreduce/direct" ? p * (p - 1) : p * (p - 1) / 2;
  }
};

TEST_P(DirectOnLinks, TakesOneStep) {
  for (const std::uint64_t p : {1U, 2U, 3U, 4U, 7U, 12U}) {
    for (const std::uint64_t m : {1U, 5U}) {
      const std::uint64_t steps = p > 1 ? 1 : 0;
      expect_run(BuiltMachine(complete(p)), GetParam(), model_of(PortModel::all), with_operator("sum", m),
                 {.steps = steps,
                  .longest_sum = steps * m,
                  .messages = messages(p),
                  .words = messages(p) * m,
                  .message_words = m});
    }
  }
}

// Every operator, also those that do not commute: each rank combines in the order of the ranks.
TEST_P(DirectOnLinks, KeepsTheOrderOfTheRanks) {
  for (const std::uint64_t p : {1U, 2U, 3U, 6U, 9U}) {
    for (const Operator& op : operators()) {
      expect_run(BuiltMachine(complete(p)), GetParam(), model_of(PortModel::all),
                 with_operator(std::string(op.name), 2 * op.element_words),
                 {.steps = p > 1 ? 1U : 0U, .messages = messages(p)});
    }
  }
}

TEST_P(DirectOnLinks, CatchesFaults) {
  for (const char* name : {"sum", "min", "or", "concat"}) {
    expect_catches_faults(GetParam(), "complete:5", with_operator(name, 3), model_of(PortModel::all));
  }
  expect_catches_faults(GetParam(), "complete:4", with_operator("matrix2", 4), model_of(PortModel::all));
}

TEST_P(DirectOnLinks, BreaksTheRuleOfOnePort) {
  EXPECT_EQ(broken_rule(GetParam(), "complete:4", model_of(PortModel::one)), ErrorKind::send_limit);
}

INSTANTIATE_TEST_SUITE_P(All, DirectOnLinks, testing::ValuesIn(combining));

class DirectOnLinksFile : public DataDirectory {
 protected:
  std::string result(const std::string& method, const std::string& name, const std::string& input) const {
    Settings settings;
    settings.operator_name = name;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine("complete:5").run(method, model_of(PortModel::all), settings).wrong, "") << method;
    return text_of(path("out"));
  }
};

TEST_F(DirectOnLinksFile, ComesToWhatAPersonWould) {
  EXPECT_EQ(result("scan/direct", "sum", "1\n20\n300\n4000\n50000"), "1\n21\n321\n4321\n54321\n");
  EXPECT_EQ(result("exscan/direct", "concat", "a\nb\nc\nd\ne"), "a\nab\nabc\nabcd\n");
  EXPECT_EQ(result("allreduce/direct", "concat", "a\nb\nc\nd\ne"), "abcde\n");
}

// As many steps as there are different cycles in which processors arrive; the tokens have w words.
TEST(BarrierDirect, TakesAStepForEveryCycleOfArrivals) {
  for (const std::uint64_t p : {1U, 2U, 5U, 9U}) {
    const BuiltMachine machine(complete(p));
    for (const std::uint64_t last : {0U, 3U, 1000U}) {
      Settings settings;
      settings.arrivals = last;
      settings.words = 2;
      const std::vector<Cycle> arrived = barrier::arrivals(machine.spec, settings);
      const std::uint64_t steps = p > 1 ? std::set<Cycle>(arrived.begin(), arrived.end()).size() : 0;
      const std::uint64_t messages = p * (p - 1);
      const Report report =
          expect_run(machine, "barrier/direct", model_of(PortModel::all), settings,
                     {.longest_sum = 2 * steps, .messages = messages, .words = 2 * messages, .message_words = 2});
      EXPECT_EQ(report.steps, steps);
    }
  }
}

TEST(BarrierDirect, CatchesFaults) {
  Settings settings;
  expect_catches_faults("barrier/direct", "complete:5", settings, model_of(PortModel::all));
  settings.arrivals = 4;
  expect_catches_faults("barrier/direct", "complete:4", settings, model_of(PortModel::all));
}

}  // namespace
}  // namespace lockstep::direct_on_links_test
