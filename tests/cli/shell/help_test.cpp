// Help for newcomers, and --version.
#include <gtest/gtest.h>

#include <algorithm>

#include "command_line.hpp"

namespace lockstep::test::help_test {
namespace {

TEST(Help, TheCommandAloneShowsItsHelp) {
  const Finished bare = lockstep("");
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(bare.err, "");
  EXPECT_EQ(bare.out, lockstep("--help").out);
  for (const std::string word : {"run", "plan", "validate", "judge", "list", "info", "errata", "explain", "demo", "new",
                                 "completion", "--version", "lockstep run --machine hypercube:4"}) {
    EXPECT_NE(bare.out.find(word), std::string::npos) << word;
  }
}

TEST(Help, RunNamesEveryFlagAndItsDefault) {
  const Finished help = lockstep("run --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  for (const std::string word : {"--machine",       "--algorithm",
                                 "--multigraph",    "--edge-column",
                                 "--words",         "--root",
                                 "--packets",       "--source",
                                 "--destination",   "the farthest",
                                 "--order",         "--seed",
                                 "--schedule-seed", "--ports",
                                 "--multicast",     "--duplex",
                                 "--beta",          "--tau",
                                 "--max-packet",    "--copy-cost",
                                 "--flop",          "--scan-cost",
                                 "--stage-cost",    "--switching",
                                 "--hop-cost",      "--startup",
                                 "--preset",        "--matrix PxQ",
                                 "--transposed ",   "--packet-words",
                                 "--threads",       "--executor",
                                 "--repeat",        "--warmup",
                                 "--cycles",        "--json",
                                 "--csv",           "--quiet",
                                 "--max-cycles",    "runs before these",
                                 "--memory-limit",  "--force",
                                 "default 1",       "default: unlimited",
                                 "Examples:",       "lockstep run --machine rh:3,2 --algorithm broadcast/drbt"}) {
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
  }
}

TEST(Help, ItsExamplesWork) {
  std::size_t examples = 0;
  for (const std::string page :
       {"--help", "run --help", "reproduce --help", "list --help", "info --help", "explain --help"}) {
    for (const std::string& line : lines(lockstep(page).out)) {
      if (!line.starts_with("  lockstep ") || line.find('\'') != std::string::npos) continue;
      const Finished run = lockstep(line.substr(std::string("  lockstep ").size()));
      EXPECT_EQ(run.exit_code, 0) << line << "\n" << run.err;
      ++examples;
    }
  }
  EXPECT_GE(examples, 8U);
}

TEST(Help, ExplainsEveryCount) {
  const nlohmann::json counted = run_json("hypercube:3", "broadcast/sbt")["counted"];
  const std::string report = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt").out;
  EXPECT_NE(report.find("`lockstep run --help` explains them"), std::string::npos) << report;
  for (const std::string page : {"run --help", "validate --help"}) {
    const std::string help = lockstep(page).out;
    for (const auto& [name, value] : counted.items()) {
      std::string spaced = name;
      std::replace(spaced.begin(), spaced.end(), '_', ' ');
      EXPECT_NE(help.find("\n  " + spaced + " "), std::string::npos) << page << " does not explain " << spaced;
    }
    EXPECT_NE(help.find("optimal if it meets those of steps and longest sum"), std::string::npos) << help;
  }
}

TEST(Help, PlanSaysWhereTheScheduleGoes) {
  const Finished help = lockstep("plan --help");
  EXPECT_EQ(help.exit_code, 0);
  for (const std::string word : {"--machine", "--algorithm", "--output", "--schedules", "--tries", "Examples:"}) {
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
  }
}

// plan writes schedules of all collectives that move blocks, not only of total exchanges.
TEST(Help, PlanIsForEveryCollective) {
  for (const char* const command : {"--help", "plan --help"}) {
    EXPECT_NE(lockstep(command).out.find("Write the schedule of a collective operation to a file"), std::string::npos);
  }
}

TEST(Help, EverySubcommandHasAPage) {
  for (const std::string subcommand : {"judge", "list", "info", "errata", "explain", "validate"}) {
    const Finished help = lockstep(subcommand + " --help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Usage: lockstep " + subcommand), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("--json"), std::string::npos);
  }
}

TEST(Help, Version) {
  const Finished version = lockstep("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out, "lockstep 0.1.0\n");
}

}  // namespace
}  // namespace lockstep::test::help_test
