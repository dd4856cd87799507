// `lockstep info --processes`: the cut, the data of one process, and the model of the time, whose arithmetic is
// repeated here.
#include "machine/processes_info.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_line.hpp"

namespace lockstep::test::processes_info_test {
namespace {

using Json = nlohmann::json;

Json divided(const std::string& arguments) {
  const Finished info = lockstep("info " + arguments + " --json -");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  return Json::parse(info.out)["divided"];
}

TEST(ProcessesInfo, TellsWhatIsCutOfMachinesOfAnySize) {
  const Json torus = divided("torus:4096x4096 --processes 4");
  EXPECT_EQ(torus["processes"], 4);
  EXPECT_EQ(torus["partition"], "block");
  EXPECT_EQ(torus["processors_most"], 4096 * 1024);
  EXPECT_EQ(torus["cut"]["links"], 4 * 4096);  // a row of links from every slab to the next
  EXPECT_EQ(torus["cut"]["of_links"], 2 * 4096 * 4096);
  EXPECT_EQ(torus["cut"]["links_of_one"], 2 * 4096);
  EXPECT_EQ(torus["cut"]["neighbours"], 2);
  EXPECT_EQ(torus["cut"]["is_estimated"], false);
  const Json cube = divided("hypercube:31 --processes 1024");
  EXPECT_EQ(cube["cut"]["links"], (std::uint64_t{10} << 30));  // ten bits, 2^30 links each
  EXPECT_EQ(cube["cut"]["links_of_one"], 10 << 21);
  EXPECT_EQ(cube["cut"]["neighbours"], 10);
  const Json gray = divided("mesh:3x3 --processes 3 --partition gray");
  EXPECT_EQ(gray["partition"], "gray");
  EXPECT_EQ(gray["cut"]["links"], 6);
  EXPECT_EQ(divided("rh:15,4 --processes 8")["cut"]["is_estimated"], true);
  EXPECT_TRUE(Json::parse(lockstep("info ring:4 --json -").out)["divided"].is_null());
}

TEST(ProcessesInfo, OneProcessHoldsItsShareAndAMap) {
  const auto whole = Json::parse(lockstep("info hypercube:10 --json -").out)["memory"]["bytes"].get<std::uint64_t>();
  EXPECT_EQ(divided("hypercube:10 --processes 1")["bytes"], whole);
  EXPECT_EQ(divided("hypercube:10 --processes 4")["bytes"], whole / 4);
  EXPECT_EQ(divided("hypercube:10 --processes 4 --partition gray")["bytes"], whole / 4 + 8 * 1024);
  EXPECT_EQ(divided("hypercube:10 --processes 1 --partition gray")["bytes"], whole);
}

TEST(ProcessesInfo, PredictsByTheModel) {
  const cli::machine::ProcessCosts costs{
      .message = 1e-7, .crossing = 3e-7, .exchange = 2e-6, .agreement = 5e-6, .byte = 1e-9, .measured_between = 2};
  const Cut cut{.links = 30, .links_of_one = 20, .neighbours = 2, .processors_most = 26};
  // 3 processes with at most 26 of 76 processors: 1e6 messages of 4 words in 50 cycles; of 100 links 20 end in one.
  const double inside = 1e6 * 26 / 76 * 1e-7;
  const double crossing = 1e6 * 20 / 100;
  const double wire = crossing / 2 * (28 + 4 * 8) * 1e-9;
  const double cycles = 50 * (2 * 2e-6 + 2 * 5e-6);  // reductions over 3 take two rounds
  EXPECT_DOUBLE_EQ(
      cli::machine::predicted_seconds(costs, {.messages = 1e6, .words = 4e6, .cycles = 50}, 76, 100, cut, 3),
      inside + crossing * 3e-7 + wire + cycles);
  const Cut none{.processors_most = 76};
  EXPECT_DOUBLE_EQ(
      cli::machine::predicted_seconds(costs, {.messages = 1e6, .words = 4e6, .cycles = 50}, 76, 100, none, 1), 0.1);
}

TEST(ProcessesInfo, PredictsTheRunOfAMethod) {
  // 2^10 - 1 messages in one process: only their own time counts.
  const Json alone = divided("hypercube:10 --processes 1 --algorithm broadcast/sbt --message-time 1e-3");
  EXPECT_EQ(alone["predicted"]["algorithm"], "broadcast/sbt");
  EXPECT_DOUBLE_EQ(alone["predicted"]["run_seconds"], 1.023);
  EXPECT_EQ(alone["costs"]["message_seconds"], 1e-3);
  EXPECT_EQ(alone["costs"]["measured_between"], 1);
  const Json measured = divided("hypercube:10 --processes 2 --algorithm broadcast/sbt --words 100");
  EXPECT_GT(measured["costs"]["message_seconds"], 0.0);
  EXPECT_GT(measured["predicted"]["run_seconds"], 0.0);
  EXPECT_GT(measured["predicted"]["full_cycle_seconds"], measured["predicted"]["idle_cycle_seconds"]);
  EXPECT_TRUE(divided("hypercube:4 --processes 2")["predicted"]["run_seconds"].is_null());
}

TEST(ProcessesInfo, IsForPeopleToo) {
  const std::string text =
      lockstep("info torus:12x12 --processes 3 --algorithm broadcast/axis --message-time 4e-8").out;
  for (const char* row :
       {"processes         3 (block), of up to 48 processors each\n",
        "cut               36 links, 12.5% of all; at one process up to 24, to 2 others\n", "memory of one     ",
        "costs             40 ns a message (as given), ", "those of the wire assumed",
        "predicted         with one thread each: ", "broadcast/axis: "}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << text;
  }
}

TEST(ProcessesInfo, RefusesInOneLine) {
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {"ring:4 --processes 0", "--processes '0' is out of range: 1 to 65536"},
           {"ring:4 --processes 65537", "--processes '65537' is out of range: 1 to 65536"},
           {"bus:4 --processes 2", "--processes shows which links are cut, and bus:4 has none"},
           {"ring:4 --partition gray", "--partition needs --processes"},
           {"ring:4 --algorithm broadcast/axis", "--algorithm needs --processes"},
           {"ring:4 --message-time 1e-9", "--message-time needs --processes"},
           {"ring:4 --processes 2 --words 3", "--words needs --algorithm"},
           {"ring:4 --processes 2 --partition grey",
            "--partition 'grey' is not one of block, gray, metis; did you mean 'gray'?"},
           {"ring:4 --processes 2 --algorithm broadcast/sbt", "broadcast/sbt"},
           {"ring:4 --processes 2 --status", "--processes shows a divided machine; leave out --status"},
           {"hypercube:4 --processes 2 --embed ring:4", "--processes shows a divided machine; leave out --embed"},
           {"ring:4 --processes 2 --dot -", "--processes shows a table or goes into --json, not into a graph"},
           {"hypercube:31 --processes 2 --partition metis", "--partition metis "}}) {
    const Finished info = lockstep("info " + arguments);
    EXPECT_EQ(info.exit_code, 2) << arguments;
    EXPECT_EQ(info.out, "") << arguments;
    ASSERT_EQ(lines(info.err).size(), 1U) << info.err;
    EXPECT_NE(info.err.find(said), std::string::npos) << info.err;
  }
}

}  // namespace
}  // namespace lockstep::test::processes_info_test
