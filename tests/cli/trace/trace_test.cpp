// lockstep trace: the traced messages with their times, and the outputs.
#include "run/trace.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "../../algorithms/catalogue_cases.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/topologies.hpp"
#include "outputs.hpp"

namespace lockstep::test::trace_test {
namespace {

using cli::run::Trace;
using cli::run::TracedMessage;
using cli::run::TraceRecorder;
using Json = nlohmann::json;

const std::string small = "trace --machine hypercube:2 --algorithm broadcast/sbt ";

Json traced(const std::string& arguments) {
  const Finished run = lockstep("trace " + arguments + " --trace-json -");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(run.out, nullptr, false);
}

/// The messages of a run as [cycle, from, port, to, words, start, end].
Json messages_of(const Json& trace) {
  Json messages = Json::array();
  for (const Json& transfer : trace["transfers"]) {
    messages.push_back({transfer["cycle"], transfer["from"], transfer["port"], transfer["to"], transfer["words"],
                        transfer["start"], transfer["end"]});
  }
  return messages;
}

// saad-schultz-1985.md, Broadcast: in step j the holders are the ranks below 2^j. A message of 5 words costs
// 1000 + 5 * 7 = 1035.
TEST(Trace, HasEveryMessageWithItsTimes) {
  const Json trace = traced("--machine hypercube:2 --algorithm broadcast/sbt --words 5 --beta 1000 --tau 7");
  EXPECT_EQ(messages_of(trace), Json::parse("[[0,0,0,1,5,0,1035],[1,0,1,2,5,1035,2070],[1,1,1,3,5,1035,2070]]"));
  for (const Json& transfer : trace["transfers"]) {
    EXPECT_EQ(transfer["blocks"], Json::array({0}));
    EXPECT_EQ(transfer["startups"], 1);
    EXPECT_EQ(transfer["phase"], nullptr);
  }
  EXPECT_EQ(trace["schema"], 1);
  EXPECT_EQ(trace["machine"]["spec"], "hypercube:2");
  EXPECT_EQ(trace["algorithm"]["parameters"]["words"], 5);
  EXPECT_EQ(trace["model"]["beta"], 1000);
  EXPECT_EQ(trace["status"], "verified");
  EXPECT_EQ(trace["error"], nullptr);
}

// On a path of three no two messages of a cycle of the schedule are alike; packets of 2 words: 5 words are 3 start-ups,
// so a message costs 3 * 10 + 5.
TEST(Trace, CountsTheStartUpsOfPackets) {
  const Json trace = traced("--machine hypercube:1 --algorithm broadcast/sbt --words 5 --max-packet 2 --beta 10");
  EXPECT_EQ(messages_of(trace), Json::parse("[[0,0,0,1,5,0,35]]"));
  EXPECT_EQ(trace["transfers"][0]["startups"], 3);
}

TEST(Trace, NamesBlocksByOriginAndDestination) {
  const Json trace = traced("--machine hypercube:1 --algorithm alltoall/exchange");
  EXPECT_EQ(trace["transfers"][0]["blocks"], Json::parse("[[0,1]]"));
  EXPECT_EQ(trace["transfers"][1]["blocks"], Json::parse("[[1,0]]"));
}

// A transaction is one message with all its receivers.
TEST(Trace, HasOneMessageForATransaction) {
  const Json bus = traced("--machine bus:4 --algorithm broadcast/direct --words 3");
  EXPECT_EQ(messages_of(bus), Json::parse("[[0,0,null,[1,2,3],3,0,4]]"));
  const Json memory = traced("--machine shared:2,kstar=1 --algorithm allgather/direct --words 3");
  EXPECT_EQ(messages_of(memory), Json::parse("[[0,0,null,null,3,0,4],[1,1,null,null,3,4,8],"
                                             "[2,null,null,0,3,8,12],[3,null,null,1,3,12,16]]"));
  EXPECT_EQ(memory["transfers"][1]["slots"], Json::array({1}));
  EXPECT_EQ(memory["transfers"][3]["slots"], Json::array({0}));
}

/// The trace of a run of the method with its required settings, and its report.
struct TracedCase {
  Trace trace;
  Outcome outcome;
  Model model;
};
TracedCase run_traced(const Case& one) {
  cli::run::RunPlan plan;
  plan.machine = parse_machine(one.machine);
  plan.method = one.method;
  plan.settings = required_settings(*one.method);
  plan.model = one.method->defaults;
  plan.model.cost.beta = 3;
  plan.model.cost.tau = 0.5;
  one.method->resolve(plan.machine, plan.model, plan.settings);
  TraceRecorder recorder(plan, {});
  const Topology topology = build(plan.machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  Outcome outcome = one.method->run({.machine = plan.machine,
                                     .topology = topology,
                                     .model = plan.model,
                                     .settings = plan.settings,
                                     .executor = *executor,
                                     .options = {},
                                     .observer = &recorder});
  return {recorder.trace(), std::move(outcome), plan.model};
}

class TraceOf : public testing::TestWithParam<Case> {};

// The trace has the counts of the report: messages, words, start-ups, also for each phase, and the time of the latest
// arrival.
TEST_P(TraceOf, AgreesWithTheReport) {
  const TracedCase run = run_traced(GetParam());
  const Report& report = run.outcome.report;
  EXPECT_EQ(run.outcome.wrong, "");
  std::uint64_t words = 0, startups = 0;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> phases;
  double latest = 0;
  for (const TracedMessage& message : run.trace.messages()) {
    words += message.words;
    startups += message.startups;
    auto& [messages_of_phase, words_of_phase] = phases[run.trace.phase(message)];
    ++messages_of_phase;
    words_of_phase += message.words;
    latest = std::max(latest, message.end);
    EXPECT_DOUBLE_EQ(message.end - message.start, run.model.cost.time(message.startups, message.words));
  }
  EXPECT_EQ(run.trace.messages().size(), report.messages);
  EXPECT_EQ(run.trace.cycles().size(), report.steps);
  EXPECT_EQ(words, report.words);
  EXPECT_EQ(startups, report.startups);
  for (const PhaseCounts& phase : report.phases) {
    EXPECT_EQ(phases[phase.name], std::pair(phase.messages, phase.words)) << phase.name;
  }
  if (report.copied_words == 0) {
    EXPECT_EQ(latest, report.time_asynchronous);
  } else {
    EXPECT_LE(latest, report.time_asynchronous);
  }
}

std::vector<Case> small_cases() {
  std::vector<Case> all;
  for (const Case& one : catalogue_cases()) {
    if (parse_machine(one.machine).processors <= 32) all.push_back(one);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, TraceOf, testing::ValuesIn(small_cases()), test_name);

TEST(Trace, ShowsTheRunCycleByCycle) {
  const Finished run = lockstep(small + "--beta 3 --tau 0.5");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, R"(broadcast/sbt on hypercube:2
  ● 0  block 0

cycle 0: 1 message
  0 ──▶ 1   port 0, 1 word, block 0, time 0 to 3.5
  ● 0 1  block 0

cycle 1: 2 messages
  0 ──▶ 2   port 1, 1 word, block 0, time 3.5 to 7
  1 ──▶ 3   port 1, 1 word, block 0, time 3.5 to 7
  ● 0 1 2 3  block 0

verified: 2 steps, 3 messages, 3 words, time 7 synchronous, 7 asynchronous
)");
  EXPECT_EQ(lockstep(small + "--beta 3 --tau 0.5 --text").out, run.out);
  EXPECT_EQ(lockstep(small + "--quiet").out, "");
  const std::string with_cycles = lockstep(small + "--beta 3 --tau 0.5 --cycles").out;
  EXPECT_EQ(with_cycles.substr(0, run.out.size()), run.out);
  EXPECT_NE(with_cycles.find("longest", run.out.size()), std::string::npos) << with_cycles;
}

// A block for one receiver leaves its sender; blocks of a pair of processors are named by the pair.
TEST(Trace, ShowsTheHoldersOfBlocks) {
  const std::string text =
      lockstep("trace --machine ring:5 --algorithm send/store-and-forward --source 0 --destination 2").out;
  EXPECT_NE(text.find("  ● 0  block 0→2\n\ncycle 0: 1 message\n"), std::string::npos) << text;
  EXPECT_NE(text.find("block 0→2, time 0 to 2\n  ● 1  block 0→2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("block 0→2, time 2 to 4\n  ● 2  block 0→2\n"), std::string::npos) << text;
}

TEST(Trace, ShowsPhasesAndMemories) {
  const std::string barrier = lockstep("trace --machine rh:1,1 --algorithm barrier/tree").out;
  EXPECT_NE(barrier.find("1 ──▶ 0   port 0, 1 word, time 0 to 2, arrival\n"), std::string::npos) << barrier;
  EXPECT_EQ(barrier.find("●"), std::string::npos) << "its tokens are no blocks";
  const std::string memory = lockstep("trace --machine shared:3,kstar=1 --algorithm allgather/direct").out;
  EXPECT_NE(memory.find("  0 ──▶ slot 0   1 word, time 0 to 2\n"), std::string::npos) << memory;
  EXPECT_NE(memory.find("  slots 1 2 ──▶ 0   2 words, time 6 to 9\n"), std::string::npos) << memory;
}

// hypercube:4 broadcasts in steps of 1, 2, 4 and 8 messages. Ranks 0 to 3 take part in all messages of the first two
// steps, and in those of the third and fourth that they send.
TEST(Trace, IsCutAndSaysSo) {
  const std::string broadcast = "--machine hypercube:4 --algorithm broadcast/sbt ";
  const Json trace = traced(broadcast + "--from-cycle 1 --ranks 0..3 --max-events 7");
  EXPECT_EQ(trace["left_out"]["before_from_cycle"], 1);
  EXPECT_EQ(trace["left_out"]["of_other_ranks"], 4);
  EXPECT_EQ(trace["left_out"]["past_max_events"], 3);
  EXPECT_EQ(trace["transfers"].size(), 7U);
  const std::string said =
      "left out: 1 message before --from-cycle; 4 messages of other ranks than --ranks; "
      "3 messages past --max-events";
  const std::string cut = "trace " + broadcast + "--from-cycle 1 --ranks 0..3 --max-events 7 ";
  EXPECT_NE(lockstep(cut).out.find(said + "\n"), std::string::npos);
  EXPECT_NE(lockstep(cut + "--goal -").out.find("// " + said + "\n"), std::string::npos);
  EXPECT_NE(lockstep(cut + "--perfetto -").out.find("modelled; " + said), std::string::npos);
  EXPECT_NE(lockstep("trace " + broadcast + "--from-cycle 1 --dot -").out.find("// left out: 1 message before "),
            std::string::npos);
  const TemporaryDirectory directory;
  EXPECT_NE(lockstep(cut + "--ti " + directory.file("ti")).out.find("; " + said + "\n"), std::string::npos);
  const Json one = traced(broadcast + "--ranks 9");
  EXPECT_EQ(messages_of(one), Json::parse("[[3,1,3,9,1,6,8]]"));
}

// At most 16 blocks are listed for each message kept: the first of 10 messages, with 256 blocks.
TEST(Trace, ListsALimitedNumberOfBlocks) {
  const Json trace = traced("--machine hypercube:9 --algorithm alltoall/exchange --max-events 10");
  EXPECT_EQ(trace["left_out"]["block_lists"], 9);
  EXPECT_EQ(trace["transfers"][0]["blocks"].size(), 256U);
  EXPECT_EQ(trace["transfers"][1]["blocks"], nullptr);
}

// The livelock is found in cycle 2, so the messages of cycles 0 and 1 have moved.
TEST(Trace, OfARunThatFailsGoesUpToThere) {
  const TemporaryDirectory directory;
  const Finished run = lockstep("trace --machine hypercube:3 --algorithm broadcast/sbt --max-cycles 1 --trace-json " +
                                directory.file("json") + " --goal " + directory.file("goal"));
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  const Json trace = Json::parse(read_file(directory.file("json")), nullptr, false);
  EXPECT_EQ(trace["transfers"].size(), 3U);
  EXPECT_EQ(trace["status"], "failed");
  EXPECT_NE(trace["error"].get<std::string>().find("livelock"), std::string::npos);
  EXPECT_EQ(read_file(directory.file("goal")).substr(0, 12), "num_ranks 8\n");
}

TEST(Trace, OfRulesThatDoNotSuitTheMethodGoesUpToTheViolation) {
  const TemporaryDirectory directory;
  const Finished run = lockstep("trace --machine ring:4 --algorithm alltoall/factor --duplex half-link --trace-json " +
                                directory.file("json"));
  const Finished same = lockstep("run --machine ring:4 --algorithm alltoall/factor --duplex half-link");
  EXPECT_EQ(run.exit_code, same.exit_code);
  EXPECT_EQ(run.err, same.err);
  const Json trace = Json::parse(read_file(directory.file("json")), nullptr, false);
  EXPECT_TRUE(trace.is_object());
}

TEST(Trace, IsWrittenBesideTheReportOfTheRun) {
  const TemporaryDirectory directory;
  const Finished run = lockstep(small + "--json - --trace-json " + directory.file("json"));
  EXPECT_EQ(Json::parse(run.out)["counted"]["messages"], 3);
  EXPECT_EQ(Json::parse(read_file(directory.file("json")))["transfers"].size(), 3U);
  const Finished files = lockstep(small + "--goal " + directory.file("goal"));
  EXPECT_EQ(files.out, directory.file("goal") + ": 3 messages of broadcast/sbt on hypercube:2\n");
  const Finished both = lockstep(small + "--text --goal " + directory.file("goal"));
  EXPECT_EQ(lines(both.out).front(), "broadcast/sbt on hypercube:2");
}

TEST(Trace, RefusesWhatItCannotDo) {
  const TemporaryDirectory directory;
  const auto refused = [](const std::string& arguments, const std::vector<std::string>& said) {
    expect_refused(lockstep(small + arguments), said);
  };
  refused("--max-events 0", {"--max-events", "out of range", "1 to 1000000000"});
  refused("--max-events 1e3", {"--max-events '1e3'"});
  refused("--from-cycle -1", {"--from-cycle '-1'"});
  refused("--ranks 4", {"--ranks 4 is out of range on ", ": 0 to 3"});
  refused("--ranks 3..1", {"--ranks"});
  refused("--ranks x", {"--ranks", "'x'"});
  refused("--word-bytes 8", {"--word-bytes needs --ti"});
  refused("--word-bytes 0 --ti " + directory.file("ti"), {"--word-bytes", "out of range"});
  refused("--repeat 2", {"--repeat", "a trace is of one run"});
  refused("--warmup 1", {"--warmup", "a trace is of one run"});
  refused("--trace-json", {"--trace-json needs a value"});
  refused("--trace-json - --json -", {"--json and --trace-json cannot both go to '-'"});
  refused("--trace-json - --text", {"--trace-json and --text cannot both go to '-'"});
  refused("--trace-json x --goal x", {"--trace-json and --goal cannot both go to 'x'"});
  refused("--goal /nowhere/at/all", {"/nowhere/at/all", "No such file"});
  refused("--ti /nowhere/at/all", {"/nowhere/at/all", "No such file"});
  refused("--ti -", {"--ti makes a directory"});
  refused("--perfeto x", {"did you mean '--perfetto'?"});
  expect_refused(lockstep("trace --machine hypercube:2"), {"trace needs --algorithm", "lockstep trace"});
  const std::string bus = "trace --machine bus:3 --algorithm broadcast/direct ";
  expect_refused(lockstep(bus + "--goal -"), {"--goal is for messages between two processors", "bus:3"});
  expect_refused(lockstep(bus + "--ti x"), {"--ti is for messages between two processors", "bus:3"});
  expect_refused(lockstep(bus + "--dot -"), {"--dot draws links; bus:3 has none"});
}

TEST(Trace, IsNotThereAfterAnInterrupt) {
  const TemporaryDirectory directory;
  Running run({"trace", "--machine", "ring:512", "--algorithm", "alltoall/factor", "--executor", "sequential",
               "--trace-json", directory.file("json"), "--ti", directory.file("ti")},
              Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  ASSERT_TRUE(run.send(SIGINT));
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  EXPECT_TRUE(directory.files().empty());
}

// The words that left each end: in cycle 0 rank 0 sends 3 words on port 0, in cycle 1 ranks 0 and 1 on port 1.
TEST(Trace, DrawsTheLoadsOfLinks) {
  EXPECT_EQ(lockstep(small + "--words 3 --dot -").out,
            R"(// broadcast/sbt: the words that left each end of every link
graph "hypercube:2" {
  node [shape=circle];
  0;
  1;
  2;
  3;
  0 -- 1 [taillabel="3", headlabel="0"];
  0 -- 2 [taillabel="3", headlabel="0"];
  1 -- 3 [taillabel="3", headlabel="0"];
  2 -- 3 [taillabel="0", headlabel="0", style=dotted];
}
)");
}

// An application sends sums and rows, which labels do not describe.
TEST(Trace, ListsNoBlocksWhereLabelsSayNothing) {
  const Finished traced =
      lockstep("trace --machine hypercube:2 --algorithm application/inner-product --method adea --trace-json -");
  ASSERT_EQ(traced.exit_code, 0) << traced.err;
  const nlohmann::json document = nlohmann::json::parse(traced.out);
  const nlohmann::json& transfers = document["transfers"];
  EXPECT_EQ(transfers.size(), 8U);
  for (const nlohmann::json& transfer : transfers) EXPECT_TRUE(transfer["blocks"].is_null()) << transfer;
}

TEST(Trace, WritesTimesOfAnySize) {
  for (const std::string costs : {"--beta 1e15", "--beta 1e12 --tau 1e15 --words 10", "--beta 1e-320 --tau 0"}) {
    const Finished traced = lockstep("trace --machine ring:8 --algorithm allgather/daisy-chain --perfetto - " + costs);
    EXPECT_EQ(traced.exit_code, 0) << costs << traced.err;
    EXPECT_TRUE(nlohmann::json::accept(traced.out)) << costs;
  }
}

TEST(Trace, RefusesOnePlaceUnderTwoNames) {
  expect_refused(lockstep("trace --machine hypercube:2 --algorithm broadcast/sbt --perfetto trace_of_two_names --goal "
                          "./trace_of_two_names"),
                 {"cannot both go to"});
}

// A run that ends early would look complete in a form without a note.
TEST(Trace, SaysInEveryFormThatTheRunEndedEarly) {
  const TemporaryDirectory directory;
  const Finished traced =
      lockstep("trace --machine hypercube:3 --algorithm allgather/daisy-chain --max-cycles 2 --goal " +
               directory.file("goal") + " --perfetto " + directory.file("perfetto") + " --dot " +
               directory.file("dot") + " --ti " + directory.file("ti"));
  EXPECT_EQ(traced.exit_code, 1);
  for (const char* const name : {"goal", "perfetto", "dot", "ti/rank-0.trace", "ti/rank-7.trace"}) {
    EXPECT_NE(
        read_file(directory.file(name))
            .find("the run ended early: allgather/daisy-chain: livelock: not ended within 2 cycles (--max-cycles); 8 "),
        std::string::npos)
        << name;
  }
}

}  // namespace
}  // namespace lockstep::test::trace_test
