// --methods of `compare`, `sweep` and `best`: which methods names and patterns select, and refusals.
#include <gtest/gtest.h>

#include <set>

#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"
#include "run/method_choice.hpp"

namespace lockstep::test::methods_test {
namespace {

using Names = std::set<std::string>;

/// Those of the operation that the names and patterns select.
Names selected(const std::string& operation, const std::string& patterns) {
  const auto all = cli::run::methods_of({.name = {}, .operation = operation, .machine = {}});
  Names names;
  for (const Method* method : cli::run::selected_methods(all, cli::run::method_patterns("--methods", patterns))) {
    names.emplace(own_name(*method));
  }
  return names;
}

/// Those of the operation of which `is_wanted` is true, found by themselves.
template <class IsWanted>
Names wanted(const std::string& operation, const IsWanted& is_wanted) {
  Names names;
  for (const Method* method : catalogue()) {
    const std::string name(own_name(*method));
    if (method->operation == operation && is_wanted(name)) names.insert(name);
  }
  return names;
}

TEST(Methods, ANameSelectsOneMethodWithOrWithoutItsOperation) {
  EXPECT_EQ(selected("allgather", "adea"), Names{"adea"});
  EXPECT_EQ(selected("allgather", "allgather/adea"), Names{"adea"});
  EXPECT_EQ(selected("allgather", "tea2,ADEA"), (Names{"adea", "tea2"}));
}

TEST(Methods, APatternSelectsEveryMethodThatItFits) {
  EXPECT_EQ(selected("broadcast", "*"), wanted("broadcast", [](const std::string&) { return true; }));
  const auto begins = [](const std::string& name) { return name.starts_with("scatter-"); };
  EXPECT_EQ(selected("broadcast", "scatter-*"), wanted("broadcast", begins));
  EXPECT_GE(selected("broadcast", "scatter-*").size(), 3U);
  EXPECT_EQ(selected("broadcast", "broadcast/scatter-*"), wanted("broadcast", begins));
  const auto ends = [](const std::string& name) { return name.ends_with("tree"); };
  EXPECT_EQ(selected("broadcast", "*tree"), wanted("broadcast", ends));
  EXPECT_EQ(selected("allgather", "tea?"), (Names{"tea1", "tea2"}));
  EXPECT_EQ(selected("allgather", "t*a*2"), Names{"tea2"});
  EXPECT_EQ(selected("allgather", "tea1*"), (Names{"tea1", "tea1-grouped"}));
}

TEST(Methods, APatternOfManyStarsTakesNoLongTime) {
  std::string pattern;
  for (int star = 0; star < 1000; ++star) pattern += "a*";
  EXPECT_THROW(selected("allgather", pattern + "zz"), InputError);
}

TEST(Methods, WhatSelectsNothingIsRefused) {
  const std::string compare = "compare --operation allgather --machine hypercube:3 --methods ";
  expect_refused(lockstep(compare + "adae"), {"no method of allgather is 'adae'", "did you mean 'adea'?"});
  expect_refused(lockstep(compare + "adea,xyz*"), {"no method of allgather fits 'xyz*'"});
  expect_refused(lockstep(compare + "adea,,tea2"), {"--methods 'adea,,tea2' lacks a name"});
  expect_refused(lockstep(compare + "adea,"), {"--methods 'adea,' lacks a name"});
  // A method of another operation is none of this one.
  expect_refused(lockstep(compare + "sbt-pipelined"), {"no method of allgather is 'sbt-pipelined'"});
}

TEST(Methods, CompareHasOnlyThese) {
  const Finished compared =
      lockstep("compare --operation allgather --machine hypercube:3 --methods adea,bfs* --predict --quiet --json -");
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  Names names;
  const nlohmann::json comparison = nlohmann::json::parse(compared.out);
  for (const auto& row : comparison["rows"]) names.insert(row["algorithm"]);
  EXPECT_EQ(names, (Names{"allgather/adea", "allgather/bfs-tree"}));
}

TEST(Methods, SweepHasOnlyThese) {
  const Finished swept = lockstep(
      "sweep --operation broadcast --machine hypercube:3 --methods msbt,sbt --vary words=1,64 --predict --quiet "
      "--jsonl -");
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const std::vector<std::string> rows = lines(swept.out);
  EXPECT_EQ(rows.size(), 4U);
  Names names;
  for (const std::string& row : rows) names.insert(nlohmann::json::parse(row)["algorithm"]);
  EXPECT_EQ(names, (Names{"broadcast/msbt", "broadcast/sbt"}));
}

TEST(Methods, BestChoosesAmongThese) {
  // Trees without pipelining lose against the packets of msbt for long messages, but it does not take part.
  const Finished best = lockstep(
      "best --operation broadcast --machine hypercube:6 --methods sbt --words 1..65536*4 --no-run --quiet --json -");
  ASSERT_EQ(best.exit_code, 0) << best.err;
  EXPECT_NE(best.out.find("broadcast/sbt"), std::string::npos);
  EXPECT_EQ(best.out.find("msbt"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::test::methods_test
