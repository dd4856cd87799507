// The JSON report: its field names are a contract.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::json_test {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

void expect_fields(const Json& object, const Names& names) {
  for (const std::string& name : names) EXPECT_TRUE(object.contains(name)) << name << " is missing";
}

TEST(Json, HasEveryFieldOfTheContract) {
  const Json report = run_json("hypercube:4", "broadcast/sbt");
  expect_fields(report,
                {"lockstep", "schema", "machine", "algorithm", "model", "counted", "predicted", "phases",
                 "longest_per_cycle", "per_cycle", "lower_bound", "modelled_time", "wall", "verified", "digest"});
  expect_fields(report["machine"], {"spec", "family", "processors", "links", "degree_min", "degree_max", "diameter"});
  expect_fields(report["algorithm"], {"name", "operation", "source", "parameters"});
  expect_fields(report["model"],
                {"ports", "duplex", "multicast", "beta", "tau", "max_packet_words", "copy_cost", "flop", "scan_cost",
                 "stage_cost", "switching", "hop_cost", "startup", "preset", "time_unit", "costs_source"});
  expect_fields(report["counted"],
                {"cycles", "steps", "messages", "sends", "words", "longest_sum", "startups", "busiest_link_words",
                 "peak_words_held", "copied_words", "operations", "scanned_blocks"});
  for (const std::string count : {"steps", "messages", "words", "longest_sum"}) {
    expect_fields(report["predicted"][count], {"value", "kind", "formula"});
  }
  expect_fields(report["predicted"], {"startups", "copied_words", "operations", "scanned_blocks"});
  expect_fields(report["lower_bound"], {"steps", "longest_sum", "steps_ratio", "longest_sum_ratio", "steps_optimal",
                                        "longest_sum_optimal", "optimal", "time"});
  expect_fields(report["modelled_time"], {"synchronous", "asynchronous", "arithmetic", "predicted", "predicted_kind",
                                          "predicted_asynchronous", "closed_form"});
  expect_fields(report["wall"], {"setup_s", "run_s", "verify_s", "arithmetic_s", "messages_per_s", "ns_per_message",
                                 "peak_rss_bytes", "estimated_bytes", "estimated_s", "threads", "executor"});
}

TEST(Json, NamesANumberOfPorts) {
  const Json report = run_json("complete:9", "allgather/doubling", "--ports 2");
  EXPECT_EQ(report["model"]["ports"], "2");
  EXPECT_EQ(report["counted"]["steps"], 2);
  EXPECT_EQ(run_json("complete:9", "allgather/doubling", "--ports 1")["model"]["ports"], "one");
}

TEST(Json, SaysWhatWasRun) {
  const Json report = run_json("hypercube:4", "broadcast/sbt",
                               "--root 0b1010 --words 5 --ports all --multicast on --duplex half-link --beta 5e-3 "
                               "--tau 1e-6 --max-packet 2 --copy-cost 0.5 --scan-cost 0.125 "
                               "--threads 2 --executor threads");
  EXPECT_EQ(report["lockstep"], "0.1.0");
  EXPECT_EQ(report["machine"], (Json{{"spec", "hypercube:4"},
                                     {"family", "hypercube"},
                                     {"processors", 16},
                                     {"links", 32},
                                     {"degree_min", 4},
                                     {"degree_max", 4},
                                     {"diameter", 4}}));
  EXPECT_EQ(report["algorithm"]["operation"], "broadcast");
  EXPECT_EQ(
      report["algorithm"]["parameters"],
      (Json{{"words", 5}, {"root", 10}, {"group", nullptr}, {"input", nullptr}, {"output", nullptr}, {"seed", 1}}));
  EXPECT_EQ(report["model"], (Json{{"ports", "all"},
                                   {"duplex", "half-link"},
                                   {"multicast", true},
                                   {"beta", 5e-3},
                                   {"tau", 1e-6},
                                   {"max_packet_words", 2},
                                   {"copy_cost", 0.5},
                                   {"flop", 0.0},
                                   {"scan_cost", 0.125},
                                   {"stage_cost", 0.0},
                                   {"switching", "store-and-forward"},
                                   {"hop_cost", 0.0},
                                   {"startup", "hop"},
                                   {"preset", nullptr},
                                   {"time_unit", nullptr},
                                   {"costs_source", nullptr}}));
  EXPECT_EQ(report["counted"]["startups"], 15 * 3);  // 5 words are 3 packets of at most 2
  EXPECT_EQ(report["wall"]["threads"], 2);
  EXPECT_EQ(report["wall"]["executor"], "threads");
}

TEST(Json, HasTheMeasuresOfTheMethod) {
  EXPECT_EQ(run_json("rh:1,1", "barrier/tree")["measures"],
            (Json{{"last_arrival", 0}, {"first_release", 5}, {"last_release", 10}}));
}

/// A bound without its arguments.
Json figures(Json bound) {
  bound.erase("steps_argument");
  bound.erase("longest_sum_argument");
  return bound;
}

TEST(Json, ComparesTheRunWithItsBound) {
  EXPECT_EQ(figures(run_json("torus:4x3", "alltoall/product", "--words 3")["lower_bound"]),
            (Json{{"steps", 20},
                  {"longest_sum", 60},
                  {"steps_ratio", 1.0},
                  {"longest_sum_ratio", 1.0},
                  {"steps_optimal", true},
                  {"longest_sum_optimal", true},
                  {"optimal", true},
                  {"time", {{"value", 80.0}, {"formula", "S beta + V tau"}}}}));
  EXPECT_EQ(figures(run_json("mesh:3x2", "alltoall/product")["lower_bound"]),
            (Json{{"steps", 9},
                  {"longest_sum", 9},
                  {"steps_ratio", 11.0 / 9},
                  {"longest_sum_ratio", 11.0 / 9},
                  {"steps_optimal", false},
                  {"longest_sum_optimal", false},
                  {"optimal", false},
                  {"time", {{"value", 18.0}, {"formula", "S beta + V tau"}}}}));
  EXPECT_EQ(figures(run_json("ring:1", "alltoall/factor")["lower_bound"]),
            (Json{{"steps", 0},
                  {"longest_sum", 0},
                  {"steps_ratio", nullptr},
                  {"longest_sum_ratio", nullptr},
                  {"steps_optimal", true},
                  {"longest_sum_optimal", true},
                  {"optimal", true},
                  {"time", {{"value", 0.0}, {"formula", "S beta + V tau"}}}}));
  const Json argued = run_json("complete:16", "broadcast/bine", "--words 64")["lower_bound"];
  EXPECT_EQ(argued["steps_argument"], "log2 of 16 processors, one port");
  EXPECT_EQ(argued["longest_sum_argument"], "64 words from rank 0, 1 a step, each 4 steps");
}

TEST(Json, IsOptimalOnlyWhereStepsAndLongestSumMeetTheirBounds) {
  // saad-schultz-1985.md, ADEA: n steps are the diameter, and with one port no processor can receive k - 1 blocks in
  // fewer words.
  const Json both = run_json("hypercube:4", "allgather/adea")["lower_bound"];
  EXPECT_EQ(both["steps_optimal"], true);
  EXPECT_EQ(both["longest_sum_optimal"], true);
  EXPECT_EQ(both["optimal"], true);
  // With all ports a processor could receive n blocks at once.
  const Json steps_only = run_json("hypercube:4", "allgather/adea", "--ports all")["lower_bound"];
  EXPECT_EQ(steps_only["steps_optimal"], true);
  EXPECT_EQ(steps_only["longest_sum_optimal"], false);
  EXPECT_EQ(steps_only["optimal"], false);
}

TEST(Json, SaysWhichVersionOfItsFieldsItHas) {
  EXPECT_EQ(run_json("hypercube:3", "broadcast/sbt")["schema"], 1);
  const std::string validate = std::string("validate ") + LOCKSTEP_SCHEDULE + " --machine path:3 --ports all --json";
  for (const std::string& document : std::vector<std::string>{
           "list --json", "list presets --json", "info ring:5 --json",
           "plan --machine path:3 --algorithm alltoall/factor",
           "run --machine hypercube:6 --algorithm broadcast/sbt --max-cycles 2 --json", validate}) {
    EXPECT_EQ(Json::parse(lockstep(document).out, nullptr, false)["schema"], 1) << document;
  }
}

TEST(Json, NamesTheScheduleOfEachFactor) {
  EXPECT_EQ(run_json("product:star:3*path:3*shuffle-exchange:2", "alltoall/product")["algorithm"]["parameters"],
            (Json{{"words", 1}, {"schedules", "cayley,factor,greedy"}, {"seed", 1}}));
}

TEST(Json, DefaultsOfTheModelAreTheMethods) {
  const Json model = run_json("rh:2,1", "broadcast/drbt")["model"];
  EXPECT_EQ(model, (Json{{"ports", "one"},
                         {"duplex", "full"},
                         {"multicast", false},
                         {"beta", 1.0},
                         {"tau", 1.0},
                         {"max_packet_words", nullptr},
                         {"copy_cost", 0.0},
                         {"flop", 0.0},
                         {"scan_cost", 0.0},
                         {"stage_cost", 0.0},
                         {"switching", "store-and-forward"},
                         {"hop_cost", 0.0},
                         {"startup", "hop"},
                         {"preset", nullptr},
                         {"time_unit", nullptr},
                         {"costs_source", nullptr}}));
}

TEST(Json, FieldsWithoutAValueAreNull) {
  const Json report = run_json("hypercube:0", "broadcast/sbt");
  EXPECT_EQ(report["longest_per_cycle"], nullptr);
  EXPECT_EQ(report["per_cycle"], nullptr);
  EXPECT_EQ(report["wall"]["messages_per_s"], nullptr);
  EXPECT_EQ(report["wall"]["ns_per_message"], nullptr);
  // The method does not predict these.
  for (const std::string count : {"startups", "copied_words"}) EXPECT_EQ(report["predicted"][count], nullptr) << count;
  for (const std::string time : {"predicted_asynchronous", "closed_form"}) {
    EXPECT_EQ(report["modelled_time"][time], nullptr) << time;
  }
  EXPECT_EQ(report["lower_bound"]["time"]["formula"], "S beta + V tau");
}

TEST(Json, CyclesGiveTheLongestMessageOfEach) {
  const Json report = run_json("hypercube:4", "broadcast/sbt", "--cycles --words 6");
  EXPECT_EQ(report["longest_per_cycle"], (Json{6, 6, 6, 6}));
}

// saad-schultz-1985.md, Broadcast: in cycle j the 2^j holders send, after all have been visited in cycle 0; in the last
// cycle they find that they have finished.
TEST(Json, CyclesGiveTheWholeTable) {
  const Json table = run_json("hypercube:3", "broadcast/sbt", "--cycles --words 6")["per_cycle"];
  ASSERT_EQ(table.size(), 4U) << table;
  for (std::size_t cycle = 0; cycle < table.size(); ++cycle) {
    const std::uint64_t holders = std::uint64_t{1} << cycle;
    const std::uint64_t senders = cycle < 3 ? holders : 0;
    EXPECT_EQ(table[cycle], (Json{{"cycle", cycle},
                                  {"messages", senders},
                                  {"words", 6 * senders},
                                  {"longest", cycle < 3 ? 6 : 0},
                                  {"visited", cycle == 0 ? 8 : holders}}));
  }
  const Finished shown = lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --cycles --words 6");
  const auto rows = lines(shown.out.substr(shown.out.find("     cycle")));
  EXPECT_EQ(rows.size(), 1 + table.size());
}

TEST(Json, PredictedTimeIsStepsBetaAndLongestSumTau) {
  const Json report = run_json("ring:8", "alltoall/factor", "--beta 3 --tau 2 --words 5");
  EXPECT_EQ(report["modelled_time"]["predicted"], 16 * 3 + 16 * 5 * 2);
}

TEST(Json, PredictedTimeCountsTheStartUpsOfLimitedPackets) {
  const std::string costs = "--words 5 --max-packet 2 --beta 8 --tau 2";  // a message costs 3 * 8 + 5 * 2 = 34
  const Json broadcast = run_json("hypercube:4", "broadcast/sbt", costs)["modelled_time"];
  EXPECT_EQ(broadcast["predicted"], 4 * 34);
  EXPECT_EQ(broadcast["synchronous"], 4 * 34);
  EXPECT_EQ(run_json("rh:3,2", "broadcast/drbt", costs)["modelled_time"]["predicted"], 14 * 34);
  EXPECT_EQ(run_json("ring:8", "alltoall/factor", costs)["modelled_time"]["predicted"], 16 * 34);
  EXPECT_EQ(run_json("torus:4x3", "alltoall/product", costs)["modelled_time"]["predicted"], 20 * 34);
}

TEST(Json, RepeatedRunsGiveAllSamplesAndTheirSpread) {
  const Json wall = run_json("hypercube:5", "broadcast/sbt", "--repeat 6 --warmup 2")["wall"];
  EXPECT_EQ(wall["repeats"], 6);
  EXPECT_EQ(wall["warmup"], 2);
  ASSERT_EQ(wall["samples_s"].size(), 6U);
  const auto samples = wall["samples_s"].get<std::vector<double>>();
  EXPECT_EQ(wall["run_min_s"], *std::ranges::min_element(samples));
  EXPECT_LE(wall["run_min_s"], wall["run_q1_s"]);
  EXPECT_LE(wall["run_q1_s"], wall["run_s"]);
  EXPECT_LE(wall["run_s"], wall["run_q3_s"]);
  EXPECT_EQ(wall["run_low_s"], wall["run_min_s"]);  // of six runs the interval is all
  EXPECT_EQ(wall["run_high_s"], *std::ranges::max_element(samples));
  EXPECT_TRUE(run_json("hypercube:5", "broadcast/sbt", "--repeat 5")["wall"]["run_low_s"].is_null());
  const Json host = run_json("hypercube:3", "broadcast/sbt")["host"];
  EXPECT_GE(host["cores"], 1);
  EXPECT_TRUE(host["compiler"].get<std::string>().find("++ ") != std::string::npos) << host;
  EXPECT_EQ(run_json("hypercube:5", "broadcast/sbt", "--repeat 4")["digest"],
            run_json("hypercube:5", "broadcast/sbt")["digest"]);
}

TEST(Json, WithoutAFileItGoesToStandardOutput) {
  for (const std::string where : {"--json --machine hypercube:3 --algorithm broadcast/sbt",
                                  "--machine hypercube:3 --algorithm broadcast/sbt --json"}) {
    const Finished run = lockstep("run " + where);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Json::parse(run.out, nullptr, false)["machine"]["spec"], "hypercube:3") << where;
  }
}

TEST(Json, GoesToAFileBesideTheHumanReport) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("report.json");
  write_file(file, "what was there before, and longer than nothing");
  const Finished run = lockstep("run --machine torus:3x3 --algorithm alltoall/product --json " + file);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("verified"), std::string::npos);
  // dimakopoulos.md, Products: n sum T_i/n_i = 9 (2/3 + 2/3)
  EXPECT_EQ(Json::parse(read_file(file))["counted"]["steps"], 12);
  EXPECT_EQ(directory.files(), Names{"report.json"}) << "something was left beside it";
}

TEST(Json, GoesThroughALinkAndToAPipe) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("report.json");
  write_file(file, "what was there before");
  std::filesystem::create_symlink(file, directory.file("link"));
  EXPECT_EQ(lockstep("info ring:5 --json " + directory.file("link")).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link")));
  EXPECT_EQ(Json::parse(read_file(file), nullptr, false)["machine"]["spec"], "ring:5");
  const Finished piped = lockstep("info ring:5 --json /dev/stdout");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(Json::parse(piped.out, nullptr, false)["machine"]["spec"], "ring:5");
}

TEST(Json, AFailedRunIsReportedAsAnError) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("report.json");
  const Finished run = lockstep("run --machine hypercube:6 --algorithm broadcast/sbt --max-cycles 2 --json " + file);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out,
            "failed         in cycle 2\n"
            "until then     3 steps, 7 messages, 7 words; modelled time synchronous 6, asynchronous 6\n"
            "coverage       4 of 64 processors hold all that they should; not 4 5 6 7 8 9 10 11 ..\n");
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("--max-cycles"), std::string::npos);
  const Json report = Json::parse(read_file(file));
  EXPECT_EQ(report["lockstep"], "0.1.0");
  EXPECT_EQ(report["error"]["kind"], "livelock");
  EXPECT_EQ(report["error"]["cycle"], 2);
  EXPECT_EQ(report["error"]["ports"], Json::array());
  EXPECT_EQ(report["error"]["dot"], nullptr);
  EXPECT_TRUE(report["error"]["text"].is_string());
  EXPECT_EQ(report["verified"], false);
}

/// Every field of `model` is in `object`, and vice versa.
void expect_same_fields(const Json& object, const Json& model, const std::string& path) {
  for (const auto& [name, value] : model.items()) EXPECT_TRUE(object.contains(name)) << path << name << " is missing";
  for (const auto& [name, value] : object.items()) {
    EXPECT_TRUE(model.contains(name)) << path << name << " is new";
    if (value.is_object() && model.contains(name) && model[name].is_object()) {
      expect_same_fields(value, model[name], path + name + ".");
    }
  }
}

TEST(Json, AFailedRunHasTheFieldsOfAGoodOne) {
  const Json good = run_json("hypercube:6", "broadcast/sbt");
  EXPECT_EQ(good["error"], nullptr);
  const Finished run = lockstep("run --machine hypercube:6 --algorithm broadcast/sbt --max-cycles 2 --json");
  EXPECT_EQ(run.exit_code, 1);
  const Json failed = Json::parse(run.out, nullptr, false);
  expect_same_fields(failed, good, "");
  for (const std::string same : {"machine", "algorithm", "model", "predicted"}) {
    EXPECT_EQ(failed[same], good[same]) << same;
  }
  EXPECT_EQ(figures(failed["lower_bound"]), (Json{{"steps", 6},
                                                  {"longest_sum", 6},
                                                  {"steps_ratio", nullptr},
                                                  {"longest_sum_ratio", nullptr},
                                                  {"steps_optimal", nullptr},
                                                  {"longest_sum_optimal", nullptr},
                                                  {"optimal", nullptr},
                                                  {"time", {{"value", 12.0}, {"formula", "S beta + V tau"}}}}));
  for (const auto& [name, value] : failed["wall"].items()) EXPECT_EQ(value, nullptr) << name;
  for (const std::string result : {"longest_per_cycle", "per_cycle", "digest"}) EXPECT_EQ(failed[result], nullptr);
  // In cycles 0, 1 and 2, 1, 2 and 4 messages of one word are sent; in cycle 2 those of cycle 1 have been received.
  EXPECT_EQ(failed["phases"], Json::array());
  for (const auto& [count, value] : {std::pair("cycles", 3), std::pair("steps", 3), std::pair("messages", 7),
                                     std::pair("words", 7), std::pair("longest_sum", 3)}) {
    EXPECT_EQ(failed["counted"][count], value) << count;
  }
  EXPECT_EQ(failed["coverage"]["right"], 4);
  EXPECT_EQ(failed["coverage"]["due"], 64);
  EXPECT_EQ(failed["coverage"]["share"], 0.0625);
  EXPECT_EQ(failed["coverage"]["missing"].size(), 60U);
  EXPECT_EQ(failed["coverage"]["missing"][0], 4);
  EXPECT_EQ(good["coverage"], (Json{{"right", 64}, {"due", 64}, {"share", 1.0}, {"missing", Json::array()}}));
  EXPECT_EQ(failed["modelled_time"], (Json{{"synchronous", 6.0},
                                           {"asynchronous", 6.0},
                                           {"arithmetic", 0.0},
                                           {"predicted", 12.0},
                                           {"predicted_kind", "exact"},
                                           {"predicted_asynchronous", nullptr},
                                           {"closed_form", nullptr}}));
}

}  // namespace
}  // namespace lockstep::test::json_test
