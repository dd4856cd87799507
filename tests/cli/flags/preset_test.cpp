// Costs of real machines: --preset and `lockstep list presets`. The numbers are typed from Johnsson & Ho: a start-up of
// 5 ms, 1 us a byte, packets of 1 KiB and 37 ms to copy 1024 numbers of 4 bytes.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::preset_test {
namespace {

using Json = nlohmann::json;

Json costs_of(const std::string& flags) {
  const Json model = run_json("hypercube:3", "broadcast/sbt", flags)["model"];
  Json costs;
  for (const std::string name : {"beta", "tau", "max_packet_words", "copy_cost"}) costs[name] = model[name];
  return costs;
}

const Json of_ipsc{{"beta", 5e-3}, {"tau", 4e-6}, {"max_packet_words", 256}, {"copy_cost", 3.6e-5}};

TEST(Preset, GivesAllCosts) { EXPECT_EQ(costs_of("--preset ipsc"), of_ipsc); }

TEST(Preset, LosesToFlagsBeforeAndAfterIt) {
  for (const auto& [flag, name, value] :
       {std::tuple("--beta", "beta", Json(2.0)), std::tuple("--tau", "tau", Json(0.0)),
        std::tuple("--max-packet", "max_packet_words", Json(7)), std::tuple("--copy-cost", "copy_cost", Json(0.25))}) {
    const std::string explicit_flag = std::string(flag) + " " + value.dump();
    Json expected = of_ipsc;
    expected[name] = value;
    EXPECT_EQ(costs_of(explicit_flag + " --preset ipsc"), expected) << explicit_flag;
    EXPECT_EQ(costs_of("--preset ipsc " + explicit_flag), expected) << explicit_flag;
  }
}

TEST(Preset, ChangesNeitherRulesNorData) {
  const Json plain = run_json("hypercube:3", "broadcast/sbt", "--words 600");
  const Json preset = run_json("hypercube:3", "broadcast/sbt", "--words 600 --preset ipsc");
  for (const std::string rule : {"ports", "multicast", "duplex"})
    EXPECT_EQ(preset["model"][rule], plain["model"][rule]);
  EXPECT_EQ(preset["counted"]["words"], plain["counted"]["words"]);
  EXPECT_EQ(preset["algorithm"], plain["algorithm"]);
}

// 600 words are 3 packets; 3 steps of 3 start-ups and 600 words.
TEST(Preset, IsWhatTheClocksGoBy) {
  const Json report = run_json("hypercube:3", "broadcast/sbt", "--words 600 --preset ipsc");
  EXPECT_EQ(report["counted"]["startups"], 7 * 3);
  const double time = 3 * (3 * 5e-3 + 600 * 4e-6);
  EXPECT_DOUBLE_EQ(report["modelled_time"]["synchronous"].get<double>(), time);
  EXPECT_DOUBLE_EQ(report["modelled_time"]["predicted"].get<double>(), time);
}

TEST(Preset, IsShownInTheReportForPeople) {
  const Finished run = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --preset ipsc");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(
      run.out.find("beta 0.005 a start-up, tau 4e-06 a word, packets of at most 256 words, 3.6e-05 a word copied"),
      std::string::npos)
      << run.out;
}

TEST(Preset, IsRefusedIfThereIsNoneOfThatName) {
  const auto refused = [](const std::vector<std::string>& flags, const std::vector<std::string>& said) {
    std::vector<std::string> arguments{"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    expect_refused(lockstep(arguments), said);
  };
  refused({"--preset", "ipcs"}, {"--preset 'ipcs' is not one of ipsc", "did you mean 'ipsc'?"});
  refused({"--preset", "IPSC"}, {"--preset 'IPSC' is not one of ipsc"});
  refused({"--preset", ""}, {"--preset '' is not one of ipsc"});
  refused({"--preset", "ip\nsc"}, {"--preset 'ip?sc' is not one of ipsc"});
  refused({"--preset"}, {"--preset needs a value"});
  refused({"--preset", "ipsc", "--preset", "ipsc"}, {"--preset is given 2 times"});
  expect_refused(lockstep("list preset"), {"machines, algorithms, presets", "did you mean 'presets'?"});
}

TEST(Preset, IsListed) {
  const Finished list = lockstep("list presets");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.err, "");
  for (const std::string part : {"ipsc: Intel iPSC", "seconds; a word is a 4-byte", "Johnsson & Ho",
                                 "--beta 0.005 --tau 4e-06 --max-packet 256 --copy-cost 3.6e-05\n"}) {
    EXPECT_NE(list.out.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(list.out.find("broadcast/sbt"), std::string::npos);
}

TEST(Preset, IsListedAsJson) {
  const Json listed = Json::parse(lockstep("list presets --json -").out, nullptr, false);
  ASSERT_EQ(listed["presets"].size(), 1U);
  const Json& ipsc = listed["presets"][0];
  EXPECT_EQ(ipsc["name"], "ipsc");
  EXPECT_EQ(ipsc["machine"], "Intel iPSC");
  for (const auto& [name, value] : of_ipsc.items()) EXPECT_EQ(ipsc[name], value) << name;
  for (const std::string text : {"units", "source"}) EXPECT_FALSE(ipsc[text].get<std::string>().empty()) << text;
  EXPECT_FALSE(listed.contains("machines") || listed.contains("algorithms"));
  EXPECT_EQ(Json::parse(lockstep("list --json presets").out, nullptr, false), listed);
  EXPECT_EQ(Json::parse(lockstep("list --json").out, nullptr, false)["presets"], listed["presets"]);
}

// saad-schultz-1985.md, ADEA, in packets of 256 words: messages of 600, 1200 and 2400 words need 3, 5 and 10.
TEST(Preset, LimitsPacketsOfMessagesThatAreNotAlikeAndTheirTimeIsPredictedToo) {
  const Json report = run_json("hypercube:3", "allgather/adea", "--words 600 --preset ipsc");
  EXPECT_NEAR(report["modelled_time"]["predicted"], 18 * 5e-3 + 4200 * 4e-6, 1e-12);
  EXPECT_EQ(report["modelled_time"]["predicted_kind"], "exact");
  EXPECT_EQ(report["problems"], Json::array());
}

}  // namespace
}  // namespace lockstep::test::preset_test
