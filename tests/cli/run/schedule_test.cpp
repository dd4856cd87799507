// plan and validate: schedules as files.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <sstream>

#include "command_line.hpp"

namespace lockstep::test::schedule_test {
namespace {

using Json = nlohmann::json;

TEST(Plan, WritesTheStepsOfASchedule) {
  const Finished plan = lockstep("plan --machine path:3 --algorithm alltoall/factor");
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  const Json schedule = Json::parse(plan.out);
  EXPECT_EQ(schedule["machine"], "path:3");
  EXPECT_EQ(schedule["algorithm"], "alltoall/factor");
  EXPECT_EQ(schedule["processors"], 3);
  EXPECT_EQ(schedule["combined"], false);
  // dimakopoulos.md, Paths: the farthest first, to the right and then to the left.
  EXPECT_EQ(schedule["steps"], Json::parse("[[[0,1,0,2],[1,2,1,2]], [[0,1,0,1],[1,2,0,2]], "
                                           "[[1,0,1,0],[2,1,2,0]], [[1,0,2,0],[2,1,2,1]]]"));
}

TEST(Plan, KnowsTheNameOfAPaper) {
  const Finished plan = lockstep("plan --machine mesh:2x2 --algorithm a2");
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_EQ(Json::parse(plan.out, nullptr, false)["algorithm"], "alltoall/product");
}

class Schedules : public testing::Test {
 protected:
  std::string written(const std::string& text) const {
    write_file(file_, text);
    return file_;
  }
  Finished validate(const std::string& machine, const std::string& further = "") const {
    return lockstep("validate " + file_ + " --machine " + machine + " " + further);
  }
  void expect_invalid(const std::string& machine, const std::string& further, const std::string& said) const {
    const Finished run = validate(machine, further);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "lockstep: " + file_ + " is no total exchange on " + machine + " under --ports " + said + "\n");
  }

  const TemporaryDirectory directory_;
  const std::string file_ = directory_.file("schedule.json");
};

TEST_F(Schedules, OfEveryMethodAreValid) {
  struct Planned {
    std::string machine, method, further;
    std::uint64_t steps, moves;
  };
  for (const auto& [machine, method, further, steps, moves] :
       {Planned{"ring:7", "factor", "", 12, 84}, Planned{"torus:4x3", "product", "", 20, 240},
        Planned{"product:star:3*ring:3", "product", "", 39, 702}, Planned{"rh:2,1", "cayley", "", 40, 640},
        Planned{"path:8", "greedy", "", 31, 168}, Planned{"hypercube:3", "exchange", "", 3, 96},
        Planned{"ring:5", "rotate-drop", "", 4, 50}, Planned{"torus:3x3", "two-phase", "--ports all", 4, 162},
        Planned{"hypercube:3", "sequential-gather", "", 24, 96}, Planned{"ring:1", "factor", "", 0, 0}}) {
    SCOPED_TRACE(machine + " " + method);
    const Finished plan = lockstep("plan --machine " + machine + " --algorithm alltoall/" + method + " --output " +
                                   file_ + " " + further);
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    EXPECT_NE(plan.out.find(file_ + ": alltoall/" + method + " on " + machine + ", " + std::to_string(steps) + " step"),
              std::string::npos)
        << plan.out;
    EXPECT_NE(plan.out.find(", " + std::to_string(moves) + " move"), std::string::npos) << plan.out;
    const Finished run = validate(machine, "--words 2 --json " + further);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const Json report = Json::parse(run.out, nullptr, false);
    EXPECT_EQ(report["verified"], true);
    EXPECT_EQ(report["counted"]["steps"], steps);
    EXPECT_EQ(report["counted"]["words"], 2 * moves);
    EXPECT_EQ(report["algorithm"]["name"], file_);
  }
}

TEST_F(Schedules, OfOtherOperationsSayWhatTheyDo) {
  const Finished plan = lockstep("plan --machine hypercube:2 --algorithm scatter/sbt --root 1");
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  const Json schedule = Json::parse(plan.out);
  EXPECT_EQ(schedule["operation"], "scatter");
  EXPECT_EQ(schedule["root"], 1);
  // Saad & Schultz 1985, section 5, relative to the root: in every step the blocks for the upper half of the next
  // dimension leave.
  EXPECT_EQ(schedule["steps"], Json::parse(R"([[{"from":1,"to":0,"blocks":[[1,0],[1,2]]}],
                            [{"from":0,"to":2,"blocks":[[1,2]]},{"from":1,"to":3,"blocks":[[1,3]]}]])"));
  written(plan.out);
  const Finished run = validate("hypercube:2", "--json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["algorithm"]["operation"], "scatter");
  EXPECT_EQ(report["counted"]["steps"], 2);
  EXPECT_EQ(report["counted"]["words"], 4);
  EXPECT_EQ(validate("path:4").err, "lockstep: " + file_ +
                                        " is no schedule of operation scatter on path:4 under --ports one: step 1: "
                                        "processor 0 sends 1->2 to processor 2, to which it has no link\n");
}

TEST_F(Schedules, AreCountedAndComparedWithTheBound) {
  EXPECT_EQ(lockstep("plan --machine mesh:3x2 --algorithm alltoall/product --output " + file_).out,
            file_ +
                ": alltoall/product on mesh:3x2, 11 steps, 50 moves; lower bound steps 9 (counted 1.222 times that), "
                "longest sum 9 (counted 1.222 times that)\n");
  const Finished run = validate("mesh:3x2");
  EXPECT_NE(run.out.find("algorithm      " + file_ + " --words 1 --seed 1\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\nlower bound    steps 9 (counted 1.222 times that): distances of 50 together, 1 block each, "
                         "6 a step\n"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("all data is right"), std::string::npos);
}

// Every port in use in every step: 8 messages over 8 directed links, and 4 more at a time.
const std::string round_the_ring_both_ways = R"({"steps": [
  [[0,1,0,1],[0,3,0,3],[1,2,1,2],[1,0,1,0],[2,3,2,3],[2,1,2,1],[3,0,3,0],[3,2,3,2]],
  [[0,1,0,2],[1,2,1,3],[2,3,2,0],[3,0,3,1]],
  [[1,2,0,2],[2,3,1,3],[3,0,2,0],[0,1,3,1]]]})";

TEST_F(Schedules, MayUseAllPorts) {
  written(round_the_ring_both_ways);
  const Finished run = validate("ring:4", "--ports all --json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_EQ(report["counted"]["steps"], 3);
  EXPECT_EQ(report["counted"]["messages"], 16);
  EXPECT_EQ(report["lower_bound"]["steps"], 2);
  EXPECT_EQ(report["lower_bound"]["steps_ratio"], 1.5);
  EXPECT_EQ(report["lower_bound"]["optimal"], false);
  expect_invalid("ring:4", "", "one: step 0: processor 0 sends two messages, 0->1 and 0->3");
}

TEST_F(Schedules, AreRefusedWithWhatIsWrong) {
  const std::string right = R"([[0,1,0,2],[1,2,1,2]], [[0,1,0,1],[1,2,0,2]], [[1,0,1,0],[2,1,2,0]])";
  const auto expect = [&](const std::string& steps, const std::string& said) {
    written("{\"steps\": [" + steps + "]}");
    expect_invalid("path:3", "", "one: " + said);
  };
  expect(right, "after 3 steps: message 2->0 ends at processor 1");
  expect(right + ", [[2,1,2,1]]", "after 4 steps: message 2->0 ends at processor 1");
  expect(right + ", [[1,0,2,0]]", "after 4 steps: message 2->1 is never delivered");
  expect(right + ", [[1,0,2,0],[2,1,2,1],[0,1,1,0]]", "step 3: processor 1 receives two messages, 2->1 and 1->0");
  expect(right + ", [[1,0,2,0],[1,2,2,0]]", "step 3: processor 1 sends two messages, 2->0 and 2->0");
  expect(right + ", [[2,0,2,1]]", "step 3: processor 2 sends 2->1 to processor 0, to which it has no link");
  expect("[[1,2,0,2]]", "step 0: processor 1 sends 0->2, which processor 0 holds");
  expect("[[0,1,0,0]]", "step 0: processor 0 sends 0->0, which is no message");
  expect(right + ", []", "step 3: no processor sends");
}

TEST_F(Schedules, ThatAreInvalidLeaveAReportAsJson) {
  written(R"({"steps": [[[0,1,0,1]]]})");
  const Finished run = validate("path:2", "--json");
  EXPECT_EQ(run.exit_code, 1);
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_EQ(report["verified"], false);
  EXPECT_EQ(report["error"]["kind"], "invalid-schedule");
  EXPECT_EQ(report["error"]["cycle"], 1);
  EXPECT_EQ(report["error"]["rank"], 1);
  EXPECT_EQ(report["lower_bound"]["steps"], 1);
  EXPECT_EQ(report["lower_bound"]["optimal"], nullptr);
}

TEST_F(Schedules, ThatCannotBeReadAreBadInput) {
  written("{\"steps\": [[[0,1,0,7]]]}");
  expect_refused(validate("path:3"), {file_, "steps[0][0]: processor 7 does not exist, the machine has 0 to 2"});
  written("{\"steps\": [[[0,1,0");
  expect_refused(validate("path:3"), {file_, "it is not JSON at line 1, column 19"});
  expect_refused(validate("bus:3"), {"the processors of bus:3 have no links"});
  expect_refused(lockstep("validate --machine path:3"), {"validate needs a schedule"});
  // Whatever else is missing.
  expect_refused(lockstep("validate " + file_), {file_, "it is not JSON at line 1, column 19"});
  written(R"({"operaton": "broadcast", "steps": []})");
  expect_refused(lockstep("validate " + file_), {"\"operaton\" is no member", "did you mean 'operation'?"});
  written("{\"steps\": [[[0,1,0,7]]]}");
  expect_refused(lockstep("validate " + file_),
                 {"a schedule in Lockstep's form that names no machine needs --machine"});
  expect_refused(lockstep("validate /nowhere.json --machine path:3"), {"cannot read '/nowhere.json'"});
  expect_refused(lockstep("validate " + file_ + " --machine path:3 --schedules greedy"), {"--schedules"});
}

TEST_F(Schedules, AreNamedWithTheRulesThatTheyBreak) {
  written(R"({"steps": [[[0,1,0,1],[1,0,1,0]]]})");
  EXPECT_EQ(validate("path:2").exit_code, 0);
  expect_invalid(
      "path:2", "--duplex half-link",
      "one --duplex half-link: step 0: processor 1 sends 1->0 to processor 0, which sends 0->1 over that link");
}

// On a ring port 0 leads to the next processor, port 1 to the one before.
TEST_F(Schedules, ThatAreFaultyNameTheProcessorAndItsPorts) {
  struct Faulty {
    std::string step, rules;
    int rank;
    std::vector<int> ports;
  };
  for (const auto& [step, rules, rank, ports] : {Faulty{"[0,1,0,1],[0,3,0,3]", "", 0, {0, 1}},
                                                 {"[0,1,0,1],[0,1,0,2]", "", 0, {0}},
                                                 {"[0,1,0,1],[2,1,2,1]", "", 1, {1, 0}},
                                                 {"[0,1,0,1],[0,1,0,2]", "--ports all", 0, {0}},
                                                 {"[0,1,0,1],[3,0,3,0]", "--ports one-strict", 0, {1, 0}},
                                                 {"[0,1,0,1],[1,0,1,0]", "--duplex half-link", 1, {1}},
                                                 {"[0,1,0,1],[1,2,1,2]", "--duplex half-node", 1, {1, 0}},
                                                 {"[0,1,0,1],[0,3,0,3]", "--ports one --multicast on", 0, {0, 1}},
                                                 {"[0,2,0,2]", "", 0, {}},
                                                 {"[0,1,2,1]", "", 0, {0}}}) {
    written(R"({"steps": [[)" + step + "]]}");
    const Finished run = validate("ring:4", "--json " + rules);
    const Json error = Json::parse(run.out, nullptr, false)["error"];
    EXPECT_EQ(error["kind"], "invalid-schedule") << step << rules;
    EXPECT_EQ(error["cycle"], 0) << step << rules;
    EXPECT_EQ(error["rank"], rank) << step << rules;
    EXPECT_EQ(error["ports"], Json(ports)) << step << rules << run.err;
  }
}

TEST_F(Schedules, InHalfDuplexAreComparedWithWhatCanMoveThere) {
  written(R"({"steps": [[[0,1,0,1]],[[1,0,1,0]]]})");
  for (const std::string duplex : {"half-link", "half-node"}) {
    const Json report = Json::parse(validate("path:2", "--json --duplex " + duplex).out, nullptr, false);
    EXPECT_EQ(report["lower_bound"]["steps"], 2) << duplex;
    EXPECT_EQ(report["lower_bound"]["optimal"], true) << duplex;
  }
}

TEST_F(Schedules, TakeTheFlagsOfARun) {
  written(R"({"steps": [[[0,1,0,1],[1,0,1,0]]]})");
  EXPECT_EQ(validate("path:2", "--quiet").out, "");
  EXPECT_EQ(lines(validate("path:2", "--csv -").out).size(), 2U);
  EXPECT_NE(validate("path:2", "--cycles --repeat 3").out.find("median of 3 runs; quartiles "), std::string::npos);
  EXPECT_EQ(validate("path:2", "--repeat 5").out.find("confidence interval"), std::string::npos);
  EXPECT_NE(validate("path:2", "--repeat 6").out.find("95% confidence interval"), std::string::npos);
}

TEST_F(Schedules, AreNotOverwrittenByReports) {
  const std::string text = R"({"steps": [[[0,1,0,1],[1,0,1,0]]]})";
  written(text);
  expect_refused(validate("path:2", "--json " + file_), {"cannot go to", "which is the schedule"});
  expect_refused(validate("path:2", "--csv " + file_), {"cannot go to", "which is the schedule"});
  EXPECT_EQ(read_file(file_), text);
  expect_refused(lockstep({"validate", "a\nb.json", "--machine", "path:2"}), {"control characters"});
}

TEST(Plan, ThatFailsLeavesTheFileAsItWas) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("schedule.json");
  write_file(file, "before");
  const Finished run =
      lockstep("plan --machine ring:5 --algorithm alltoall/factor --ports one-strict --output " + file);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(read_file(file), "before");
}

TEST(Plan, TooLongForMemoryIsRefusedAtOnce) {
  expect_refused(lockstep("plan --machine torus:20x20x20 --algorithm alltoall/product"),
                 {"the schedule of alltoall/product on torus:20x20x20 needs", "available"});
}

TEST(Search, IsNotRepeatedAsItMayFindSomethingElse) {
  expect_refused(lockstep("run --machine mesh:3x3 --algorithm alltoall/search --repeat 2"),
                 {"--repeat needs equal runs", "lockstep validate"});
}

TEST(Plan, RefusesWhatHasNoSchedule) {
  expect_refused(lockstep("plan --machine hypercube:3 --algorithm sort/bitonic"),
                 {"plan writes schedules of whole blocks", "sort/bitonic moves other data"});
  expect_refused(lockstep("plan --machine hypercube:3 --algorithm transpose/1d-exchange"),
                 {"transpose/1d-exchange does not move whole blocks"});
  expect_refused(lockstep("plan --machine bus:3 --algorithm alltoall/direct"), {"bus:3 has neither"});
  expect_refused(lockstep("plan --machine hypercube:3 --algorithm some-to-all/rotated-sbt --sources 1 --words 96"),
                 {"divides blocks"});
  expect_refused(lockstep("plan --machine switch:4 --algorithm scan/doubling"), {"scan/doubling moves other data"});
  expect_refused(lockstep("plan --machine hypercube:3"), {"plan needs --algorithm"});
  expect_refused(lockstep("plan --machine path:3 --algorithm alltoall/factor --output /nowhere/s.json"),
                 {"/nowhere/s.json"});
  expect_refused(lockstep("plan --machine path:3 --algorithm alltoall/cayley"), {"alltoall/cayley", "path"});
}

// Collectives in chunks, in all formats.

TEST_F(Schedules, OfChunksAreValidInEveryFormat) {
  struct Planned {
    std::string machine, method, further;
    std::uint64_t messages;  // of the method
    std::uint64_t chunks;    // SCCL sends them one by one
  };
  // collectives.md: on P = 8 the ring's 2 P (P - 1); Rabenseifner's 2 Q 2^Q + 2 r messages for 2^Q = 4, r = 2, which
  // hold 2 r m + 2 m (2^Q - 1) of m = 6 words; P - 1 of a reduction; (P - 1) n of a chain of n packets; Bruck's 3 P of
  // P / 2 blocks; of a reduce-scatter 3 P, with P (P - 1) blocks.
  for (const auto& [machine, method, further, messages, chunks] :
       {Planned{"switch:8", "allreduce/ring", "", 112, 112}, Planned{"switch:6", "allreduce/rabenseifner", "", 20, 60},
        Planned{"switch:7", "reduce/binomial", "--root 3", 6, 6},
        Planned{"path:5", "broadcast/axis", "--words 8 --packets 4", 16, 16},
        Planned{"switch:8", "alltoall/bruck", "", 24, 96}, Planned{"switch:8", "reduce-scatter/halving", "", 24, 56},
        Planned{"mesh:3x3", "allreduce/bfs-tree", "", 16, 16}}) {
    for (const std::string format : {"lockstep", "msccl", "sccl"}) {
      const Finished plan = lockstep("plan --machine " + machine + " --algorithm " + method + " " + further +
                                     " --format " + format + " --output " + file_);
      ASSERT_EQ(plan.exit_code, 0) << method << plan.err;
      EXPECT_EQ(plan.err, "");
      EXPECT_NE(plan.out.find(method + " on " + machine), std::string::npos) << plan.out;
      const bool names_machine = format == "lockstep";
      const Finished run = lockstep("validate " + file_ + (names_machine ? "" : " --machine " + machine) + " --json");
      ASSERT_EQ(run.exit_code, 0) << method << " " << format << run.err;
      const Json report = Json::parse(run.out, nullptr, false);
      EXPECT_EQ(report["machine"]["spec"], machine);
      EXPECT_EQ(report["counted"]["messages"], format == "sccl" ? chunks : messages) << method << " " << format;
    }
  }
}

TEST_F(Schedules, OfChunksAreRefusedWithoutAMessage) {
  ASSERT_EQ(lockstep("plan --machine switch:4 --algorithm allreduce/ring --output " + file_).exit_code, 0);
  Json schedule = Json::parse(read_file(file_));
  EXPECT_EQ(schedule["chunks"], 1);
  EXPECT_EQ(schedule["steps"].size(), 6U);
  expect_refused(lockstep("validate " + file_ + " --words 6"),
                 {"--words 6 do not divide into the schedule's 4 chunks"});
  const Finished twice = lockstep("validate " + file_ + " --words 8 --json");
  EXPECT_EQ(Json::parse(twice.out, nullptr, false)["counted"]["words"], 48);  // 24 messages of a quarter
  schedule["steps"][1].erase(0);
  written(schedule.dump());
  const Finished run = lockstep("validate " + file_);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(
      run.err.find("is no schedule of operation allreduce on switch:4 under --ports one: after 6 steps: processor"),
      std::string::npos)
      << run.err;
  schedule["steps"][1][0]["blocks"] = {{0, 7}};
  written(schedule.dump());
  expect_refused(lockstep("validate " + file_), {"step 1: a chunk is 7, not 0 to 0"});
  schedule["operation"] = "scan";
  written(schedule.dump());
  expect_refused(lockstep("validate " + file_), {"\"operation\" is \"scan\", which no schedule of chunks has"});
}

TEST_F(Schedules, RunOnTheMachineThatTheyName) {
  ASSERT_EQ(lockstep("plan --machine path:3 --algorithm alltoall/factor --output " + file_).exit_code, 0);
  const Finished run = lockstep("validate " + file_ + " --json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out, nullptr, false)["machine"]["spec"], "path:3");
  EXPECT_EQ(validate("ring:3").exit_code, 0);  // a machine on the command line takes precedence
}

// docs/semantics.md, Determinism: what a digest is made of, and where different messages are seen.
TEST_F(Schedules, ThatDifferOnlyInTheirMessagesHaveOneDigest) {
  const std::string right = "[[0,1,0,1],[1,2,1,2],[2,0,2,0]]";
  const std::string left = "[[0,2,0,2],[2,1,2,1],[1,0,1,0]]";
  const auto digest_of = [&](const std::string& steps, const std::string& further = "") {
    written("{\"steps\": [" + steps + "]}");
    return Json::parse(validate("complete:3", further + " --json").out, nullptr, false)["digest"];
  };
  const auto transfers = [&] {
    const std::string trace = directory_.file("trace.json");
    EXPECT_EQ(lockstep("trace --machine complete:3 --algorithm file:" + file_ + " --trace-json " + trace).exit_code, 0);
    return Json::parse(read_file(trace))["transfers"];
  };
  const Json digest = digest_of(right + "," + left);
  const Json sent = transfers();
  EXPECT_TRUE(digest.is_string());
  EXPECT_EQ(digest_of(left + "," + right), digest);
  EXPECT_NE(transfers(), sent);
  EXPECT_NE(digest_of(right + "," + left, "--seed 2"), digest);                // other data
  EXPECT_NE(digest_of(right + ",[[0,2,0,2],[2,1,2,1]],[[1,0,1,0]]"), digest);  // more steps
}

/// The triangle and the path 0-2-1, and the triangle as an edge list.
const std::string triangle = R"({"nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [
  {"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 2, "target": 0}]})";
const std::string edges_of_path = "0 2\n2 1\n";
const std::string edges_of_triangle = "0 1\n1 2\n0 2\n";

class SchedulesOfGraphs : public Schedules {
 protected:
  SchedulesOfGraphs() {
    for (const char* const folder : {"graphs", "plans"}) std::filesystem::create_directory(directory_.file(folder));
    write_file(graph_, triangle);
  }
  /// Runs the command in that directory of the test's; no argument may contain a space.
  Finished in(const std::string& folder, const std::string& arguments) const {
    std::istringstream text(arguments);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    return lockstep(words, [place = directory_.file(folder)] { std::filesystem::current_path(place); });
  }

  const std::string graph_ = directory_.file("graphs/g.json");
};

TEST_F(SchedulesOfGraphs, NameThemRelativeToThemselves) {
  for (const std::string writer : {"plan --algorithm alltoall/greedy", "plan --algorithm allreduce/bfs-tree",
                                   "search --operation allgather --chunks 2"}) {
    const Finished plan = in(".", writer + " --machine graph:graphs/g.json --output plans/s.json");
    ASSERT_EQ(plan.exit_code, 0) << writer << plan.err;
    const Json schedule = Json::parse(read_file(directory_.file("plans/s.json")));
    EXPECT_EQ(schedule["machine"], "graph:../graphs/g.json") << writer;
    EXPECT_EQ(schedule["graph"].get<std::string>().size(), 16U) << writer;
    EXPECT_EQ(in(".", "validate plans/s.json --quiet").exit_code, 0) << writer;
    EXPECT_EQ(in("plans", "validate s.json --quiet").exit_code, 0) << writer;
    EXPECT_EQ(lockstep("validate " + directory_.file("plans/s.json") + " --quiet").exit_code, 0) << writer;
  }
  const Finished printed = in("graphs", "plan --algorithm alltoall/greedy --machine graph:g.json");
  EXPECT_EQ(Json::parse(printed.out)["machine"], "graph:g.json");
  const Finished product = in(
      "plans", "plan --algorithm alltoall/greedy --machine product:graph:../graphs/g.json*path:2 --output ../s.json");
  EXPECT_EQ(product.exit_code, 0) << product.err;
  EXPECT_EQ(Json::parse(read_file(directory_.file("s.json")))["machine"], "product:graph:graphs/g.json*path:2");
  EXPECT_EQ(in("graphs", "validate ../s.json --quiet").exit_code, 0);
}

TEST_F(SchedulesOfGraphs, AreRefusedIfItIsAnotherGraph) {
  ASSERT_EQ(in(".", "plan --algorithm alltoall/greedy --machine graph:graphs/g.json --output s.json").exit_code, 0);
  // The same graph in another form, with other words in its file.
  write_file(graph_, triangle + "\n");
  EXPECT_EQ(in(".", "validate s.json --quiet").exit_code, 0);
  std::string text = read_file(directory_.file("s.json"));
  text.replace(text.find("g.json"), 6, "g.edges");
  write_file(directory_.file("e.json"), text);
  write_file(directory_.file("graphs/g.edges"), edges_of_triangle);
  EXPECT_EQ(in(".", "validate e.json --quiet").exit_code, 0);
  write_file(directory_.file("graphs/g.edges"), edges_of_path);
  expect_refused(in(".", "validate e.json"), {"'e.json' is for another graph than that of graph:graphs/g.edges"});
  // With --machine another may be meant; whether the schedule can be carried out there is seen.
  EXPECT_EQ(in(".", "validate e.json --machine complete:3 --quiet").exit_code, 0);
  // A file beside the working directory is not the one that is meant.
  std::filesystem::rename(graph_, directory_.file("g.json"));
  expect_refused(in(".", "validate s.json"), {"graphs/g.json", "No such file"});
}

TEST_F(SchedulesOfGraphs, OfOlderVersionsAreRead) {
  ASSERT_EQ(in(".", "plan --algorithm alltoall/greedy --machine graph:graphs/g.json --output plans/s.json").exit_code,
            0);
  Json schedule = Json::parse(read_file(directory_.file("plans/s.json")));
  schedule.erase("graph");
  schedule["machine"] = "graph:graphs/g.json";  // as from the directory in which it was written
  write_file(directory_.file("plans/s.json"), schedule.dump());
  EXPECT_EQ(in(".", "validate plans/s.json --quiet").exit_code, 0);
  schedule["machine"] = "graph:../graphs/g.json";
  write_file(directory_.file("plans/s.json"), schedule.dump());
  EXPECT_EQ(in(".", "validate plans/s.json --quiet").exit_code, 0);
  schedule["graph"] = 7;
  write_file(directory_.file("plans/s.json"), schedule.dump());
  expect_refused(in(".", "validate plans/s.json"), {"\"graph\" '7'"});
}

TEST_F(Schedules, OfOneFormatAreWrittenInAnother) {
  ASSERT_EQ(lockstep("plan --machine switch:4 --algorithm allreduce/ring --output " + file_).exit_code, 0);
  const std::string other = directory_.file("other.xml");
  const std::string again = "plan --machine switch:4 --algorithm file:" + file_ + " --format msccl --output " + other;
  EXPECT_EQ(lockstep(again).exit_code, 0);
  const Finished run = lockstep("validate " + other + " --json");
  EXPECT_EQ(Json::parse(run.out, nullptr, false)["counted"]["messages"], 24) << run.err;
  expect_refused(lockstep("plan --machine switch:4 --algorithm file:" + other + " --format sccl"),
                 {"has its own threadblocks and buffers"});
  ASSERT_EQ(lockstep("plan --machine path:3 --algorithm alltoall/factor --output " + file_).exit_code, 0);
  EXPECT_EQ(lockstep("plan --machine path:3 --algorithm file:" + file_ + " --format sccl --output " + other).exit_code,
            0);
  EXPECT_EQ(lockstep("validate " + other + " --machine path:3").exit_code, 0);
}

TEST(PlanFormat, SaysWhatItDoesNotTake) {
  const std::string on_cube = "plan --machine hypercube:3 --algorithm ";
  expect_refused(lockstep(on_cube + "broadcast/sbt --format xml"), {"--format", "'xml'", "lockstep, msccl", "sccl"});
  expect_refused(lockstep(on_cube + "barrier/tree --format msccl"),
                 {"--format msccl is for allreduce, allgather, reduce-scatter, alltoall, broadcast, reduce, gather, "
                  "scatter, not for barrier"});
  expect_refused(lockstep("plan --machine switch:4 --algorithm scan/doubling --format sccl"), {"not for scan"});
  expect_refused(lockstep("plan --machine switch:4 --algorithm reduce-scatter/ring --words 6 --format msccl"),
                 {"--words 6 gives processors parts of different lengths", "a multiple of 4"});
  expect_refused(lockstep("search --operation allgather --machine ring:4 --format goal"), {"--format", "'goal'"});
}

TEST(PlanFormat, SaysWhichLimitsArePassed) {
  const Finished plan = lockstep("plan --machine switch:3 --algorithm allgather/bruck --words 3 --format msccl");
  EXPECT_EQ(plan.err, "");
  // Parts of 100 words of which each travels alone: 33 and 34 words have only one word as common part.
  const Finished passed = lockstep("plan --machine switch:4 --algorithm allreduce/ring --words 303 --format msccl");
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_NE(passed.err.find("allreduce/ring: warning: gpu 0, threadblock"), std::string::npos) << passed.err;
  EXPECT_NE(passed.err.find("MSCCL's runtime takes fewer than 72\n"), std::string::npos) << passed.err;
}

TEST_F(Schedules, OfASearchAreValidInEveryFormat) {
  for (const std::string search : {"--operation allreduce --machine ring:4", "--operation alltoall --machine mesh:2x2",
                                   "--operation broadcast --machine ring:5 --chunks 3 --root 2",
                                   "--operation allgather --machine ring:4 --ports all --chunks 2"}) {
    for (const std::string format : {"lockstep", "msccl", "sccl"}) {
      const Finished found = lockstep("search " + search + " --format " + format + " --output " + file_);
      ASSERT_EQ(found.exit_code, 0) << search << found.err;
      const std::string machine = search.substr(
          search.find("--machine"), search.find(' ', search.find("--machine ") + 10) - search.find("--machine"));
      const std::string ports = search.find("--ports all") == std::string::npos ? "" : " --ports all";
      const Finished run = lockstep("validate " + file_ + " " + machine + ports);
      EXPECT_EQ(run.exit_code, 0) << search << " " << format << run.err;
    }
  }
}

}  // namespace
}  // namespace lockstep::test::schedule_test
