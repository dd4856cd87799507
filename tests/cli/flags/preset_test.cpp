// Costs of real machines: --preset and `lockstep list presets`. The numbers are typed from Johnsson & Ho: a start-up of
// 5 ms, 1 us a byte, packets of 1 KiB and 37 ms to copy 1024 numbers of 4 bytes.
#include <gtest/gtest.h>

#include <sstream>

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

/// The words of a text with one space between them.
std::string on_one_line(const std::string& text) {
  std::string result;
  std::istringstream words(text);
  for (std::string word; words >> word;) result += word + " ";
  return result;
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
  const std::string text = on_one_line(run.out);
  for (const std::string part :
       {"beta 0.005 a start-up, tau 4e-06 a word, packets of at most 256 words, 3.6e-05 a word copied",
        "preset ipsc: seconds; a word is a 4-byte floating-point number", "source: Johnsson & Ho, section 2",
        "modelled time in seconds synchronous 0.015012,"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << run.out;
  }
  const std::string plain = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt").out;
  EXPECT_EQ(plain.find("preset"), std::string::npos) << plain;
  EXPECT_EQ(plain.find("in seconds"), std::string::npos) << plain;
}

TEST(Preset, IsNamedInJsonAndCsvWithItsUnitAndSource) {
  const Json model = run_json("hypercube:3", "broadcast/sbt", "--preset nvlink-v100 --beta 1e-6")["model"];
  EXPECT_EQ(model["preset"], "nvlink-v100");
  EXPECT_EQ(model["time_unit"], "seconds");
  EXPECT_TRUE(model["costs_source"].get<std::string>().starts_with("TACCL (Shah et al., NSDI 2023)"));
  EXPECT_EQ(model["beta"], 1e-6);
  const Json plain = run_json("hypercube:3", "broadcast/sbt")["model"];
  for (const std::string name : {"preset", "time_unit", "costs_source"}) {
    ASSERT_TRUE(plain.contains(name)) << name;
    EXPECT_EQ(plain[name], nullptr) << name;
  }
  const std::string csv =
      lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --preset ipsc --quiet --csv -").out;
  EXPECT_NE(csv.find(",startup,preset,time_unit,costs_source,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",hop,ipsc,seconds,\"Johnsson & Ho,"), std::string::npos) << csv;
}

TEST(Preset, GivesTablesOfMethodsItsUnit) {
  const std::string compared = "compare --operation broadcast --machine hypercube:3 --predict";
  EXPECT_NE(lockstep(compared + " --preset tukey").out.find("; times in seconds\n"), std::string::npos);
  EXPECT_EQ(lockstep(compared).out.find("seconds"), std::string::npos);
}

TEST(Preset, IsRefusedIfThereIsNoneOfThatName) {
  const auto refused = [](const std::vector<std::string>& flags, const std::vector<std::string>& said) {
    std::vector<std::string> arguments{"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    expect_refused(lockstep(arguments), said);
  };
  refused({"--preset", "ipcs"}, {"--preset 'ipcs' is not one of ipsc", "did you mean 'ipsc'?"});
  refused({"--preset", "IPSC"},
          {"--preset 'IPSC' is not one of ipsc, tukey, ethernet-10g, ethernet-40g, infiniband-edr, infiniband-hdr, "
           "infiniband-gpu, nvlink-v100, nvswitch-v100, nvswitch-h100"});
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
                                 "--beta 0.005 --tau 4e-06 --max-packet 256 --copy-cost 3.6e-05\n",
                                 "nvswitch-h100: NVSwitch", "--beta 9.3625e-07 --tau 2e-11\n"}) {
    EXPECT_NE(list.out.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(list.out.find("broadcast/sbt"), std::string::npos);
}

TEST(Preset, IsListedAsJson) {
  const Json listed = Json::parse(lockstep("list presets --json -").out, nullptr, false);
  ASSERT_EQ(listed["presets"].size(), 10U);
  const Json& ipsc = listed["presets"][0];
  EXPECT_EQ(ipsc["name"], "ipsc");
  EXPECT_EQ(ipsc["machine"], "Intel iPSC");
  for (const auto& [name, value] : of_ipsc.items()) EXPECT_EQ(ipsc[name], value) << name;
  for (const Json& preset : listed["presets"]) {
    EXPECT_EQ(preset["time_unit"], "seconds") << preset["name"];
    EXPECT_TRUE(preset["units"].get<std::string>().starts_with("seconds; a word is ")) << preset["name"];
    EXPECT_FALSE(preset["source"].get<std::string>().empty()) << preset["name"];
  }
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
