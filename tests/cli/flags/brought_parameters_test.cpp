// Parameters that a method of a program's own brings: flags, help, reports, completion and sweeps have them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "command_line.hpp"

namespace lockstep::test::brought_parameters_test {
namespace {

using Json = nlohmann::json;

/// Runs the command that has broadcast/round, on rings. Arguments are split at spaces.
Finished brought(const std::string& arguments) {
  std::istringstream words(arguments);
  return Running({std::istream_iterator<std::string>(words), {}}, Running::Outputs::pipes, {},
                 LOCKSTEP_BROUGHT_PARAMETERS)
      .finish();
}

const std::string run_round = "run --machine ring:5 --algorithm broadcast/round";

TEST(BroughtParameters, AreFlagsOfRun) {
  const Finished run = brought(run_round + " --pause 3 --way down --json -");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json report = Json::parse(run.out);
  EXPECT_EQ(report["algorithm"]["parameters"]["pause"], 3);
  EXPECT_EQ(report["algorithm"]["parameters"]["way"], "down");
  EXPECT_EQ(report["counted"]["steps"], 4);
  EXPECT_EQ(report["counted"]["cycles"], 4 * 4);  // three cycles of waiting and one with a message, for four senders
  EXPECT_NE(brought("run --help").out.find("--pause N"), std::string::npos);
}

TEST(BroughtParameters, HaveTheirDefaultsInReports) {
  const Json report = Json::parse(brought(run_round + " --json -").out);
  EXPECT_EQ(report["algorithm"]["parameters"]["pause"], 0);
  EXPECT_EQ(report["algorithm"]["parameters"]["way"], "up");
  EXPECT_EQ(report["counted"]["cycles"], 4);
}

TEST(BroughtParameters, AreRefusedInOneLine) {
  expect_refused(brought(run_round + " --pause 10"), {"--pause 10 is out of range: 0 to 9"});
  expect_refused(brought(run_round + " --pause x"), {"--pause"});
  expect_refused(brought(run_round + " --way dwon"), {"--way 'dwon' is not one of up, down; did you mean 'down'?"});
  expect_refused(brought("run --machine ring:5 --algorithm broadcast/one-way --pause 1"),
                 {"--pause is not a parameter of broadcast/one-way"});
}

TEST(BroughtParameters, AreListedAndCompleted) {
  const std::string list = brought("list algorithms broadcast/round").out;
  EXPECT_NE(list.find("--pause"), std::string::npos) << list;
  EXPECT_NE(list.find("cycles that every processor waits (default 0)"), std::string::npos) << list;
  const std::string flags = brought("completion words " + run_round + " --pau").out;
  EXPECT_EQ(flags.substr(0, 7), "--pause") << flags;
  const std::string ways = brought("completion words " + run_round + " --way d").out;
  EXPECT_EQ(ways.substr(0, 4), "down") << ways;
}

TEST(BroughtParameters, AreListedWithTypeRangeDefaultAndChoices) {
  const Json listed = Json::parse(brought("list algorithms broadcast/round --json").out)["algorithms"];
  ASSERT_EQ(listed.size(), 1U);
  std::map<std::string, Json> parameters;
  for (const Json& parameter : listed[0]["parameters"]) parameters[parameter["name"]] = parameter;
  const Json& pause = parameters["pause"];
  EXPECT_EQ(pause["type"], "number");
  EXPECT_EQ(pause["least"], 0);
  EXPECT_EQ(pause["most"], 9);
  EXPECT_EQ(pause["default_value"], 0);
  EXPECT_EQ(pause["choices"], Json());
  const Json& way = parameters["way"];
  EXPECT_EQ(way["type"], "choice");
  EXPECT_EQ(way["choices"], (Json{"up", "down"}));
  EXPECT_EQ(way["default_value"], "up");
  EXPECT_EQ(way["least"], Json());
  const Json& root = parameters["root"];  // of all broadcasts: only the type is known
  EXPECT_EQ(root["type"], "rank");
  EXPECT_EQ(root["most"], Json());
  EXPECT_EQ(root["default_value"], Json());
}

/// Runs the command with one more parameter, of that name.
Finished with_another(const std::string& name, const std::vector<std::string>& arguments) {
  return Running(
             arguments, Running::Outputs::pipes, [name] { setenv("LOCKSTEP_BROUGHT", name.c_str(), 1); },
             LOCKSTEP_BROUGHT_PARAMETERS)
      .finish();
}

TEST(BroughtParameters, NamedAsAnotherFlagAreRefusedInOneLine) {
  for (const std::string name : {"threads", "machine", "json", "quiet", "help"}) {
    expect_refused(with_another(name, {"list"}),
                   {"method \"broadcast/round\" brings --" + name + ": lockstep run has another flag --" + name});
  }
  // A flag of one command only.
  expect_refused(with_another("vary", {"run", "--machine", "ring:5"}),
                 {"method \"broadcast/round\" brings --vary: lockstep sweep has another flag --vary"});
  EXPECT_EQ(with_another("stride", {"list"}).exit_code, 0);
}

TEST(BroughtParameters, AreSwept) {
  const Finished sweep =
      brought("sweep --operation broadcast --machine ring:5 --vary pause=0..2 --by steps --jsonl - --ports one");
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  std::vector<Json> pauses;
  for (const std::string& line : lines(sweep.out)) {
    const Json row = Json::parse(line);
    if (row["algorithm"] == "broadcast/round") pauses.push_back(row["parameters"]["pause"]);
  }
  EXPECT_EQ(pauses, (std::vector<Json>{0, 1, 2})) << sweep.out;
}

}  // namespace
}  // namespace lockstep::test::brought_parameters_test
