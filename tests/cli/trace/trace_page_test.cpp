// trace --html and validate --html: the content of the page for any run and any end. The tests in tests/page check its
// appearance.
#include "trace/trace_page.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command_line.hpp"
#include "page.hpp"
#include "run/execution.hpp"
#include "run/run_plan.hpp"

namespace lockstep::test::trace_page_test {
namespace {

class TracePage : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return directory_.file(name); }
  Page page() const { return page_of(read_file(file("html"))); }
  /// The page of a run that ends with that exit code.
  Page traced(const std::string& arguments, int exit_code = 0) {
    finished_ = lockstep("trace " + arguments + " --html " + file("html"));
    EXPECT_EQ(finished_.exit_code, exit_code) << finished_.err;
    return page();
  }

  const TemporaryDirectory directory_;
  Finished finished_;
};

TEST_F(TracePage, HasWhatTheOtherFormsHave) {
  const std::string machine = "torus:3x4";
  const Page page =
      traced("--machine " + machine + " --algorithm alltoall/product --words 3 --beta 7 --cycles --json " +
             file("json") + " --trace-json " + file("trace"));
  EXPECT_EQ(page.document.size(), 2U);
  EXPECT_EQ(page.document["title"], "alltoall/product on torus:3x4");
  EXPECT_EQ(page.title, "alltoall/product on torus:3x4");
  ASSERT_EQ(page.document["runs"].size(), 1U);
  const Json& run = page.run();
  std::vector<std::string> names;
  for (const auto& [name, value] : run.items()) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"code", "graph", "medium", "name", "report", "sections", "summary", "trace"}));
  EXPECT_EQ(run["name"], nullptr);
  EXPECT_EQ(run["report"], Json::parse(read_file(file("json"))));
  EXPECT_FALSE(run["report"]["per_cycle"].is_null());
  EXPECT_EQ(run["trace"], Json::parse(read_file(file("trace"))));
  EXPECT_EQ(run["graph"], Json::parse(lockstep("info " + machine + " --graph-json -").out));
  EXPECT_EQ(run["medium"], nullptr);
  const Json list = Json::parse(lockstep("list algorithms alltoall/product --json").out);
  EXPECT_EQ(run["summary"], list["algorithms"][0]["summary"]);
  const Json explained = Json::parse(lockstep("explain alltoall/product --json").out);
  EXPECT_EQ(run["sections"], explained["topics"][0]["sections"]);
  EXPECT_NE(finished_.out.find(file("html") + ": 240 messages of alltoall/product on torus:3x4\n"), std::string::npos)
      << finished_.out;
}

// The tests of pseudo code check which lines run.
TEST_F(TracePage, HasTheProgramOfAMethodThatHasOne) {
  const Page page = traced("--machine hypercube:3 --algorithm broadcast/sbt --against route/ecube@rh:1,1");
  const Json& code = page.run(0)["code"];
  EXPECT_EQ(code.size(), 3U);
  EXPECT_FALSE(code["why"].get<std::string>().empty());
  ASSERT_EQ(code["cycles"].size(), 3U);
  EXPECT_EQ(code["cycles"][2][0], 2);
  EXPECT_LT(code["cycles"][2][1], code["lines"].size());
  EXPECT_EQ(page.run(1)["code"], nullptr);
}

TEST_F(TracePage, NamesTheMediumInPlaceOfAGraph) {
  for (const auto& [machine, medium] : {std::pair{"bus:4", "bus"},
                                        {"shared:4,kstar=2", "memory"},
                                        {"switch:4", "switch"},
                                        {"omega:4", "omega"},
                                        {"data-manipulator:4", "switch"}}) {
    const std::string method = machine[0] == 'b' || machine[1] == 'h' ? "direct" : "tree";
    const Page page = traced(std::string("--machine ") + machine + " --algorithm broadcast/" + method);
    EXPECT_EQ(page.run()["medium"], medium);
    EXPECT_EQ(page.run()["graph"], nullptr);
  }
}

/// The page's content for a machine on which nothing has moved.
Json graph_of(const std::string& machine, const std::string& algorithm) {
  cli::run::RunArguments arguments;
  arguments.machine = machine;
  arguments.algorithm = algorithm;
  const cli::run::RunRecord record = cli::run::planned(cli::run::plan_prediction(arguments));
  const cli::run::Trace trace;
  cli::trace::TracePage page("title");
  page.add({record, trace}, {});
  std::ostringstream html;
  page.write(html);
  return page_of(html.str()).run()["graph"];
}

// 1500 * 1499 / 2 links are more than the 2^20 that are written.
TEST(PageOfATrace, HasNoGraphOfWhatIsTooLargeToBeDrawn) {
  EXPECT_EQ(graph_of("hypercube:11", "broadcast/sbt")["nodes"].size(), 2048U);
  EXPECT_EQ(graph_of("hypercube:12", "broadcast/sbt"), nullptr);
  EXPECT_EQ(graph_of("complete:1500", "alltoall/factor"), nullptr);
}

TEST_F(TracePage, IsAllThatStandardOutputHas) {
  const std::string arguments = "trace --machine hypercube:2 --algorithm broadcast/sbt --html ";
  const Finished run = lockstep(arguments + "-");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.starts_with("<!doctype html>"));
  EXPECT_TRUE(run.out.ends_with("</html>\n"));
  EXPECT_EQ(page_of(run.out).run()["trace"]["transfers"].size(), 3U);
  EXPECT_EQ(lockstep(arguments + file("html") + " --quiet").out, "");
  EXPECT_EQ(page().run()["trace"]["transfers"].size(), 3U);
}

TEST_F(TracePage, IsCutAsTracesAre) {
  const Page page = traced(
      "--machine hypercube:4 --algorithm broadcast/sbt --max-events 5 --against allgather/adea --against "
      "broadcast/direct@bus:16");
  EXPECT_EQ(page.run(0)["trace"]["transfers"].size(), 5U);
  EXPECT_EQ(page.run(1)["trace"]["transfers"].size(), 5U);
  EXPECT_EQ(page.run(1)["trace"]["left_out"]["past_max_events"], 59);  // of 4 * 16
  EXPECT_EQ(page.run(2)["trace"]["transfers"].size(), 1U);
  EXPECT_EQ(finished_.out, file("html") +
                               ": 5 messages of broadcast/sbt on hypercube:4; left out: 10 messages past --max-events, "
                               "5 messages of allgather/adea on hypercube:4; left out: 59 messages past --max-events, "
                               "1 message of broadcast/direct on bus:16\n");
}

// Each is the run with its own flags.
TEST_F(TracePage, HasRunsSideBySide) {
  const std::string rest = " --words 3 --beta 5 ";
  const Page page =
      traced("--machine hypercube:3 --algorithm allgather/tea1" + rest +
             "--against allgather/adea --against allgather/tea1@one@hypercube:1 --against "
             "allgather/daisy-chain@ring:5 --against allgather/direct@one@shared:3,kstar=2 --against TEA2");
  const std::vector<std::string> alone{"--machine hypercube:3 --algorithm allgather/tea1",
                                       "--machine hypercube:3 --algorithm allgather/adea",
                                       "--machine hypercube:1 --algorithm allgather/tea1 --ports one",
                                       "--machine ring:5 --algorithm allgather/daisy-chain",
                                       "--machine shared:3,kstar=2 --algorithm allgather/direct",
                                       "--machine hypercube:3 --algorithm allgather/tea2"};
  ASSERT_EQ(page.document["runs"].size(), alone.size());
  for (std::size_t index = 0; index < alone.size(); ++index) {
    const Page one = page_of(lockstep("trace " + alone[index] + rest + "--html -").out);
    Json expected = one.run(), found = page.run(index);
    for (const char* measured : {"wall", "host"}) expected["report"].erase(measured);
    for (const char* measured : {"wall", "host"}) found["report"].erase(measured);
    EXPECT_EQ(found, expected) << alone[index];
  }
  EXPECT_EQ(page.title,
            "allgather/tea1 on hypercube:3 beside allgather/adea on hypercube:3 beside allgather/tea1 on hypercube:1 "
            "--ports one beside allgather/daisy-chain on ring:5 beside allgather/direct on shared:3,kstar=2 beside "
            "allgather/tea2 on hypercube:3");
}

// --root is for the broadcast, --words for both; the report and the data are those of the command's run.
TEST_F(TracePage, GivesEachRunTheParametersThatItTakes) {
  const Page page =
      traced("--machine hypercube:3 --algorithm allgather/adea --root 5 --words 2 --against broadcast/sbt" +
             (" --json " + file("json")));
  const auto parameters = [&](std::size_t index) { return page.run(index)["report"]["algorithm"]["parameters"]; };
  EXPECT_EQ(parameters(0), Json::parse(R"({"words": 2, "group": null, "seed": 1})"));
  EXPECT_EQ(parameters(1),
            Json::parse(R"({"words": 2, "root": 5, "group": null, "input": null, "output": null, "seed": 1})"));
  EXPECT_EQ(Json::parse(read_file(file("json"))), page.run(0)["report"]);
}

TEST_F(TracePage, LeavesOutputToTheCommandsRun) {
  const std::string sorts = "--machine hypercube:2 --algorithm sort/bitonic --words 16 ";
  const Page page = traced(sorts + "--output " + file("out") + " --against sort/resort@rh:1,1");
  EXPECT_EQ(page.run(0)["report"]["algorithm"]["parameters"]["output"], file("out"));
  EXPECT_EQ(page.run(1)["report"]["algorithm"]["parameters"]["output"], nullptr);
  EXPECT_FALSE(read_file(file("out")).empty());
}

// tea2 sends on all ports at once.
TEST_F(TracePage, ShowsARunThatIsNotLegal) {
  const std::string illegal = "--machine hypercube:2 --algorithm allgather/tea2 --ports one";
  const Page page = traced(illegal, 2);
  const Finished same = lockstep("run " + illegal);
  EXPECT_EQ(finished_.err, same.err);
  EXPECT_EQ(finished_.exit_code, same.exit_code);
  const Json& report = page.run()["report"];
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["counted"]["steps"], 1);  // that of the error included
  EXPECT_EQ(report["error"]["kind"], "send-limit");
  EXPECT_EQ(report["error"]["cycle"], 0);
  EXPECT_EQ(report["error"]["rank"], 0);
  EXPECT_EQ(report["error"]["ports"], Json::parse("[0, 1]"));
  EXPECT_EQ(page.run()["trace"]["transfers"].size(), 0U);
  EXPECT_EQ(page.run()["graph"]["nodes"].size(), 4U);
  EXPECT_EQ(page.title, "allgather/tea2 on hypercube:2 --ports one");
}

// Cycles 0 and 1 of a broadcast on the 3-cube have 3 messages.
TEST_F(TracePage, ShowsWhatMovedBeforeAFailure) {
  const Page page = traced("--machine hypercube:3 --algorithm broadcast/sbt --max-cycles 1 --json " + file("json"), 1);
  EXPECT_EQ(page.run()["report"], Json::parse(read_file(file("json"))));
  EXPECT_EQ(page.run()["report"]["error"]["kind"], "livelock");
  EXPECT_EQ(page.run()["trace"]["transfers"].size(), 3U);
  EXPECT_EQ(page.run()["trace"]["status"], "failed");
}

// The exit code is that of the first run that fails, and all runs are present.
TEST_F(TracePage, HasFailedRunsBesideOthers) {
  const std::string tea2 = " is not legal under --ports one: cycle 0, rank 0, ports 0 and 1: ";
  Page page = traced("--machine hypercube:2 --algorithm allgather/tea1 --against allgather/tea2@one --against TEA2", 2);
  EXPECT_EQ(page.run(0)["report"]["status"], "verified");
  EXPECT_EQ(page.run(1)["report"]["status"], "failed");
  EXPECT_EQ(page.run(1)["report"]["error"]["ports"], Json::parse("[0, 1]"));
  EXPECT_EQ(page.run(2)["report"]["status"], "verified");
  EXPECT_EQ(lines(finished_.err).size(), 1U) << finished_.err;
  EXPECT_NE(finished_.err.find("allgather/tea2" + tea2), std::string::npos) << finished_.err;

  // The first fails after 2 cycles, the last is not legal.
  page = traced(
      "--machine hypercube:3 --algorithm broadcast/sbt --max-cycles 1 --against broadcast/sbt@hypercube:1 "
      "--against allgather/tea2@one",
      1);
  EXPECT_EQ(page.run(0)["report"]["error"]["kind"], "livelock");
  EXPECT_EQ(page.run(1)["report"]["status"], "verified");
  EXPECT_EQ(page.run(2)["report"]["error"]["kind"], "send-limit");
  ASSERT_EQ(lines(finished_.err).size(), 2U) << finished_.err;
  EXPECT_NE(lines(finished_.err)[1].find("livelock"), std::string::npos) << finished_.err;
}

TEST_F(TracePage, IsNotThereIfARunBesideIsInterrupted) {
  Running run({"trace", "--machine", "ring:4", "--algorithm", "alltoall/factor", "--executor", "sequential",
               "--against", "alltoall/factor@ring:1024", "--html", file("html"), "--json", file("json")},
              Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  ASSERT_TRUE(run.send(SIGINT));
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  EXPECT_EQ(directory_.files(), std::vector<std::string>{"json"});
  EXPECT_EQ(Json::parse(read_file(file("json")), nullptr, false)["status"], "interrupted");
}

// On three processors in a row the blocks of two_at_once.json go in both directions at once.
TEST_F(TracePage, ShowsASchedule) {
  const std::string schedule = LOCKSTEP_SCHEDULE;
  const Finished good = lockstep("validate " + schedule + " --machine path:3 --ports all --html " + file("html"));
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_NE(good.out.find("verified"), std::string::npos) << good.out;
  EXPECT_EQ(lines(good.out).back(), file("html") + ": 8 messages of " + schedule + " on path:3");
  EXPECT_EQ(page().run()["trace"]["transfers"].size(), 8U);

  const Finished faulty = lockstep("validate " + schedule + " --machine path:3 --html -");
  EXPECT_EQ(faulty.exit_code, 1);
  EXPECT_EQ(lines(faulty.err).size(), 1U) << faulty.err;
  const Page page = page_of(faulty.out);
  const Json& error = page.run()["report"]["error"];
  EXPECT_EQ(error["kind"], "invalid-schedule");
  EXPECT_EQ(error["cycle"], 0);
  EXPECT_EQ(error["rank"], 1);
  EXPECT_EQ(error["ports"], Json::parse("[0, 1]")) << "to 2 and to 0";
  EXPECT_EQ(page.run()["trace"]["transfers"].size(), 0U);
}

// A schedule takes the place of a method, of the command's run and of others; all take --words.
TEST_F(TracePage, ShowsSchedulesBesideMethods) {
  const std::string schedule = std::string("file:") + LOCKSTEP_SCHEDULE;
  const std::string place = " --ports all --words 2 ";
  Page page = traced("--machine path:3 --algorithm " + schedule + place + "--against alltoall/factor --against " +
                     schedule + "@all@ring:3");
  ASSERT_EQ(page.document["runs"].size(), 3U);
  for (std::size_t run = 0; run < 3; ++run) {  // 0 and 2 exchange their blocks through 1
    EXPECT_EQ(page.run(run)["report"]["counted"]["messages"], 8) << run;
    EXPECT_EQ(page.run(run)["report"]["counted"]["words"], 16) << run;
  }
  EXPECT_EQ(page.run(2)["report"]["machine"]["spec"], "ring:3");
  page = traced("--machine path:3 --algorithm alltoall/factor" + place + "--against " + schedule);
  EXPECT_EQ(page.run(1)["trace"]["transfers"].size(), 8U);
  const std::string chunks = file("chunks.json");
  ASSERT_EQ(lockstep("plan --machine switch:4 --algorithm allreduce/ring --output " + chunks).exit_code, 0);
  page = traced("--machine switch:4 --algorithm allreduce/ring --words 8 --against file:" + chunks);
  EXPECT_EQ(page.run(0)["report"]["counted"]["messages"], page.run(1)["report"]["counted"]["messages"]);
  EXPECT_EQ(page.run(1)["report"]["counted"]["words"], 48);  // 24 messages of a quarter
}

// In step 2 processor 1 sends a block that processor 2 holds.
TEST_F(TracePage, ShowsWhatAFaultyScheduleMovesBeforeTheFault) {
  write_file(file("schedule"), R"({"steps": [[[0,1,0,2],[1,2,1,2]], [[0,1,0,1],[1,2,0,2]], [[1,0,2,1],[2,1,2,0]]]})");
  const std::string validate = "validate " + file("schedule") + " --machine path:3 ";
  const Finished run = lockstep(validate + "--html " + file("html"));
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, lockstep(validate).err);
  const Page page = this->page();
  EXPECT_EQ(page.run()["report"]["error"]["cycle"], 2);
  EXPECT_EQ(page.run()["report"]["error"]["rank"], 1);
  Json moves = Json::array();
  for (const Json& transfer : page.run()["trace"]["transfers"]) {
    moves.push_back({transfer["cycle"], transfer["from"], transfer["to"], transfer["blocks"][0]});
  }
  EXPECT_EQ(moves, Json::parse("[[0,0,1,[0,2]],[0,1,2,[1,2]],[1,0,1,[0,1]],[1,1,2,[0,2]]]"));
  // A limit of cycles does not change the message.
  const Finished limited = lockstep(validate + "--max-cycles 1 --html " + file("html"));
  EXPECT_EQ(limited.err, run.err);

  // An incomplete schedule moves all its messages.
  write_file(file("schedule"), R"({"steps": [[[0,1,0,2],[1,2,1,2]]]})");
  EXPECT_EQ(lockstep(validate + "--html " + file("html")).exit_code, 1);
  EXPECT_EQ(this->page().run()["trace"]["transfers"].size(), 2U);
  EXPECT_EQ(this->page().run()["report"]["error"]["cycle"], 1);
}

/// The number of occurrences of the part.
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// File names and labels, which errors and pages show.
TEST_F(TracePage, LetsNothingIn) {
  const std::string plain = traced("--machine path:3 --algorithm alltoall/greedy").rest;
  const std::string evil = "script><img src=x onerror=alert(1)>'&\"\xe2\x80\xa8\xff";  // U+2028, and invalid UTF-8
  std::filesystem::create_directory(file("<"));
  const std::string graph = file("<") + "/" + evil + ".json", list = file("<") + "/" + evil + ".edges";
  write_file(graph, Json{{"nodes",
                          {{{"id", 0}, {"label", "</script><!--<script>\xe2\x80\xa8\"'&"}}, {{"id", 1}}, {{"id", 2}}}},
                         {"edges", {{{"source", 0}, {"target", 1}}, {{"source", 1}, {"target", 2}}}}}
                        .dump());
  write_file(list, "\"</script><script>alert(2)</script>\xff\" b\nb c\n");
  for (const std::string& named : {graph, list}) {
    for (const std::string cycles : {"1", "1000"}) {
      const Finished run = lockstep({"trace", "--machine", "graph:" + named, "--algorithm", "alltoall/greedy",
                                     "--max-cycles", cycles, "--html", file("html")});
      EXPECT_EQ(run.exit_code, cycles == "1" ? 1 : 0) << run.err;
      const Page page = this->page();
      EXPECT_EQ(page.rest, plain) << "title or data have spilled";
      EXPECT_EQ(page.title.find_first_of("<>"), std::string::npos) << page.title;
      EXPECT_NE(page.title.find("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;'&amp;&quot;??."), std::string::npos)
          << page.title;
      EXPECT_EQ(count(page.document["title"].get<std::string>(), "</script><img"), 1U);
      EXPECT_EQ(page.run()["graph"]["links"].size(), 2U);
    }
  }
}

// 64 * 63 * 6 / 6: a sequential broadcast of each. Every message takes a few bytes.
TEST_F(TracePage, IsSmall) {
  const Page page = traced("--machine hypercube:6 --algorithm allgather/sequential");
  const std::size_t messages = page.run()["trace"]["transfers"].size();
  EXPECT_EQ(messages, 64U * 63U);
  EXPECT_LT(page.data.size(), 15 * messages);
}

TEST_F(TracePage, RefusesWhatItCannotDo) {
  const std::string place = " --html " + file("html");
  const auto refused = [](const std::string& arguments, const std::vector<std::string>& said) {
    expect_refused(lockstep("trace --machine hypercube:2 --algorithm allgather/tea1 " + arguments), said);
  };
  refused("--html", {"--html needs a value"});
  refused("--html /nowhere/at/all", {"/nowhere/at/all", "No such file"});
  refused("--html /dev/full", {"/dev/full", "No space left"});
  refused("--html - --json -", {"--json and --html cannot both go to '-'"});
  refused("--html - --text", {"--html and --text cannot both go to '-'"});
  refused("--html x --trace-json ./x", {"--html and --trace-json cannot both go to"});
  refused("--ti " + file("ti") + " --html " + file("ti") + "/page", {"cannot be in the directory of --ti"});
  refused("--against allgather/tea2", {"--against needs --html"});
  refused("--against allgather/tea2 --trace-json -", {"--against needs --html"});
  refused(place + " --against", {"--against needs a value"});
  const std::string form = "--against needs ALGORITHM[@PORTS][@MACHINE], e.g. allgather/tea1@all@hypercube:4, not ";
  refused(place + " --against @all", {form + "'@all'"});
  refused(place + " --against @", {form + "'@'"});
  refused(place + " --against allgather/tea2@", {"--against 'allgather/tea2@' has nothing after its @"});
  refused(place + " --against allgather/tea2@all@", {"--against 'allgather/tea2@all@' has nothing after its @"});
  refused(place + " --against allgather/te", {"--against 'allgather/te': unknown algorithm", "lockstep list"});
  refused(place + " --against allgather/tea2@al", {"--against 'allgather/tea2@al': ", "unknown family"});
  refused(place + " --against allgather/tea2@ring:4", {"--against ", "does not run on ring"});
  refused(place + " --against allgather/direct@all@bus:4", {"--against ", "--ports all", "have no ports"});
  refused(place + " --against allgather/tea2 --root 1",
          {"--root is not a parameter of any of allgather/tea1, allgather/tea2"});
  refused(place + " --root 1", {"--root is not a parameter of allgather/tea1"});
  refused(place + " --against broadcast/sbt --root 4", {"--against 'broadcast/sbt': ", "root"});
  refused(place + " --against allgather/tea2@all@hypercube:1 --fail-link 0-2",
          {"--against 'allgather/tea2@all@hypercube:1': faults: hypercube:1 has no rank 2"});
  refused(place + " --against allgather/tea2 --fail-link 0-3", {"faults: hypercube:2 has no link between"});
  refused(place + " --against broadcast/sbt@hypercube:1 --ranks 3",
          {"--ranks 3 is out of range on hypercube:1: 0 to 1"});
  std::string six = place;
  for (int number = 0; number < 6; ++number) six += " --against allgather/tea2";
  refused(six, {"--against is given more than 5 times"});
  expect_refused(lockstep("trace --against allgather/tea2" + place), {"trace needs --machine and --algorithm"});
  expect_refused(lockstep("run --machine hypercube:2 --algorithm broadcast/sbt" + place), {"--html"});
  expect_refused(lockstep("validate " LOCKSTEP_SCHEDULE " --machine path:3 --repeat 2" + place),
                 {"a trace is of one run"});
  expect_refused(lockstep("validate " LOCKSTEP_SCHEDULE " --machine path:3 --html " LOCKSTEP_SCHEDULE),
                 {"--html cannot go to", "which is the schedule"});
  EXPECT_TRUE(directory_.files().empty());
  write_file(file("graph.txt"), "0 1\n");
  refused("--html " + file("graph.txt") + " --against alltoall/greedy@graph:" + file("graph.txt"),
          {"--html cannot go to", "which is a graph of --against"});
  write_file(file("schedule"), read_file(LOCKSTEP_SCHEDULE));
  refused("--html " + file("schedule") + " --against file:" + file("schedule"),
          {"--html cannot go to", "which is a schedule of --against"});
}

}  // namespace
}  // namespace lockstep::test::trace_page_test
