// Schedule files: a written schedule is read back equal, and a text that is no schedule is refused with the place.
#include "lockstep/algorithms/schedule_file.hpp"

#include "data_directory.hpp"
#include "lockstep/algorithms/synthesis.hpp"

namespace lockstep::schedule_file_test {
namespace {

class ScheduleFile : public DataDirectory {
 protected:
  std::string refused(const std::string& text, Rank processors = 3) const {
    const std::string name = file("s.json", text);
    return refusal_of([&] { read_schedule(name, processors); });
  }
};

const std::string path_schedule = R"({
  "schema": 1,
  "machine": "path:3",
  "algorithm": "alltoall/factor",
  "processors": 3,
  "combined": false,
  "steps": [
    [[0,1,0,2],[1,2,1,2]],
    [[0,1,0,1],[1,2,0,2]],
    [[1,0,1,0],[2,1,2,0]],
    [[1,0,2,0],[2,1,2,1]]
  ]
}
)";

TEST_F(ScheduleFile, IsReadAsItWasWritten) {
  const Schedule read = read_schedule(file("s.json", path_schedule), 3);
  EXPECT_EQ(read.nodes, 3U);
  EXPECT_FALSE(read.combined);
  ASSERT_EQ(read.steps.size(), 4U);
  EXPECT_EQ(read.steps[1], (std::vector<Move>{{0, 1, 0, 1}, {1, 2, 0, 2}}));
  EXPECT_EQ(schedule_text(read, "path:3", "alltoall/factor"), path_schedule);
}

TEST_F(ScheduleFile, MayBeEmptyOrCombined) {
  const Schedule none{1, {}, false};
  const std::string text = schedule_text(none, "graph:a \"b\".json", "alltoall/greedy");
  EXPECT_NE(text.find(R"("machine": "graph:a \"b\".json")"), std::string::npos) << text;
  EXPECT_TRUE(read_schedule(file("none.json", text), 1).steps.empty());
  const Schedule combined{2, {{{0, 1, 0, 1}}, {}}, true};
  const Schedule read = read_schedule(file("combined.json", schedule_text(combined, "", "")), 2);
  EXPECT_TRUE(read.combined);
  EXPECT_EQ(read.steps, combined.steps);
}

const std::string scatter_schedule = R"({
  "schema": 1,
  "machine": "hypercube:2",
  "algorithm": "scatter/sbt",
  "operation": "scatter",
  "root": 0,
  "processors": 4,
  "steps": [
    [{"from":0,"to":1,"blocks":[[0,1],[0,3]]}],
    [{"from":0,"to":2,"blocks":[[0,2]]},{"from":1,"to":3,"blocks":[[0,3]]}]
  ]
}
)";

TEST_F(ScheduleFile, MayBeOfMessagesForAnotherTask) {
  const Schedule read = read_schedule(file("s.json", scatter_schedule), 4);
  EXPECT_EQ(read.task, (Task{.operation = "scatter", .root = 0}));
  EXPECT_TRUE(read.combined);
  EXPECT_EQ(read.steps, (MoveSteps{{{0, 1, 0, 1}, {0, 1, 0, 3}}, {{0, 2, 0, 2}, {1, 3, 0, 3}}}));
  EXPECT_EQ(schedule_text(read, "hypercube:2", "scatter/sbt"), scatter_schedule);
}

TEST_F(ScheduleFile, NamesBlocksForAllByTheirOrigins) {
  const Schedule schedule{2, {{{0, 1, 0, 0}, {1, 0, 1, 1}}}, false, {.operation = "allgather"}};
  const std::string text = schedule_text(schedule, "path:2", "allgather/tea2");
  EXPECT_NE(text.find(R"([{"from":0,"to":1,"blocks":[0]},{"from":1,"to":0,"blocks":[1]}])"), std::string::npos) << text;
  EXPECT_EQ(read_schedule(file("s.json", text), 2).steps, schedule.steps);
  // A destination in the other form is ignored: the block is for all.
  EXPECT_EQ(read_schedule(file("t.json", R"({"steps": [[[0,1,0,1],[1,0,1,1]]], "operation": "allgather"})"), 2).steps,
            schedule.steps);
}

TEST_F(ScheduleFile, TellsOfTheFewByTheirBits) {
  const Schedule schedule{4, {}, true, {.operation = "some-to-all", .few = 2}};
  const std::string text = schedule_text(schedule, "hypercube:2", "some-to-all/exchange");
  EXPECT_NE(text.find("\"sources\": 1"), std::string::npos) << text;
  EXPECT_EQ(read_schedule(file("s.json", text), 4).task, schedule.task);
}

TEST_F(ScheduleFile, IsRefusedIfItsMessagesAreNone) {
  const auto refused_message = [&](const std::string& message) { return refused("{\"steps\": [[" + message + "]]}"); };
  EXPECT_EQ(refused_message(R"({"to": 1, "blocks": [0]})"), "'s.json': steps[0][0] has no \"from\"");
  EXPECT_EQ(refused_message(R"({"from": 1, "blocks": [0]})"), "'s.json': steps[0][0] has no \"to\"");
  EXPECT_EQ(refused_message(R"([0,1,0,1], {"from": 0, "to": 1, "blocks": []})"),
            "'s.json': steps[0][1] has no \"blocks\"");
  EXPECT_EQ(refused_message(R"({"blocks": 7})"), "'s.json': steps[0][0]: \"blocks\" is 7, not an array");
  EXPECT_EQ(refused_message(R"({"blocks": ["a"]})"),
            "'s.json': steps[0][0] has a string, not [origin, destination] or a processor's number");
  EXPECT_EQ(refused_message(R"({"blocks": [[0,1,2]]})"),
            "'s.json': steps[0][0] has a block of 3 numbers, not [origin, destination]");
  EXPECT_EQ(refused_message(R"({"from": "a"})"), "'s.json': steps[0][0] has a string, not a processor's number");
  EXPECT_EQ(refused_message(R"({"from": 3})"),
            "'s.json': steps[0][0]: processor 3 does not exist, the machine has 0 to 2");
  EXPECT_EQ(refused_message(R"({"blocks": [[0,7]]})"),
            "'s.json': steps[0][0]: processor 7 does not exist, the machine has 0 to 2");
}

TEST_F(ScheduleFile, IsRefusedIfItsTaskIsNotKnown) {
  EXPECT_EQ(refused(R"({"operation": "sort", "steps": []})"),
            "'s.json': \"operation\" is 'sort', which no schedule has");
  EXPECT_EQ(refused(R"({"operation": 1, "steps": []})"), "'s.json': \"operation\" is 1, not an operation");
  EXPECT_EQ(refused(R"({"operation": "gather", "steps": []})"), "'s.json': \"root\" is missing");
  EXPECT_EQ(refused(R"({"operation": "gather", "root": 3, "steps": []})"),
            "'s.json': \"root\": processor 3 does not exist, the machine has 0 to 2");
  EXPECT_EQ(refused(R"({"operation": "some-to-all", "steps": []})"), "'s.json': \"sources\" is missing");
  EXPECT_EQ(refused(R"({"operation": "some-to-all", "sources": 2, "steps": []})"),
            "'s.json': \"sources\" is 2, not 0 to 1");
}

TEST_F(ScheduleFile, NeedsItsStepsOnly) {
  EXPECT_EQ(
      read_schedule(file("s.json", R"({"comment": {"steps": [[[[7]]]]}, "steps": [[[0,1,0,1]]]})"), 2).steps.size(),
      1U);
}

TEST_F(ScheduleFile, IsRefusedIfAMemberIsNotKnown) {
  EXPECT_EQ(refused(R"({"operaton": "broadcast", "root": 0, "steps": []})"),
            "'s.json': \"operaton\" is no member of a schedule; did you mean 'operation'?");
  EXPECT_EQ(refused(R"({"steps": [], "notes": 1})"), "'s.json': \"notes\" is no member of a schedule");
  EXPECT_EQ(refused(R"({"steps": [[{"form": 0, "to": 1, "blocks": [0]}]]})"),
            "'s.json': steps[0][0]: \"form\" is no member of a message; did you mean 'from'?");
  const auto refused_chunks = [this](const std::string& text) {
    return refusal_of([&] { read_chunk_schedule(text, "c.json"); });
  };
  EXPECT_EQ(refused_chunks(R"({"operaton": "allgather", "processors": 2, "chunks": 1, "steps": []})"),
            "c.json: \"operaton\" is no member of a schedule; did you mean 'operation'?");
  EXPECT_EQ(refused_chunks(R"({"operation": "allreduce", "processors": 2, "chunks": 1, "steps":
                               [[{"from": 0, "to": 1, "add": true, "blocks": [[0,0]]}]]})"),
            "c.json: step 0: \"add\" is no member of a message; did you mean 'adds'?");
}

TEST_F(ScheduleFile, OfChunksIsRefusedWhereItIsNotJson) {
  const std::string text = "{\"chunks\": 1,\n \"steps\": [[{\"of\": [1], \"blocks\": [[0,1,2]]},]]}";
  EXPECT_TRUE(is_chunk_schedule(text));
  EXPECT_EQ(refusal_of([&] { read_written_schedule(text, "c.json"); }), "c.json: it is not JSON at line 2, column 46");
  EXPECT_EQ(refusal_of([&] { read_written_schedule("{\"chunks\": 1e999}", "c.json"); }),
            "c.json: it has a number too large at line 1, column 16");
}

TEST_F(ScheduleFile, IsForAnyMachineIfNoneIsKnown) {
  EXPECT_EQ(refusal_of([] { read_written_schedule(R"({"steps": [[[0,1,0,99]]], "processors": 100})", "s.json"); }), "");
  EXPECT_EQ(refusal_of([] { read_written_schedule(R"({"steps": [[[0,1,0]]]})", "s.json"); }),
            "s.json: steps[0][0] has 3 numbers, not [from, to, origin, destination]");
}

TEST_F(ScheduleFile, HasTheDigestOfItsGraph) {
  const std::string text = schedule_text({2, {}, false}, "graph:two.json", "alltoall/greedy", "0123456789abcdef");
  EXPECT_NE(text.find("\"machine\": \"graph:two.json\",\n  \"graph\": \"0123456789abcdef\",\n"), std::string::npos)
      << text;
  EXPECT_EQ(machine_in_schedule(text), "graph:two.json");
  EXPECT_EQ(graph_in_schedule(text), "0123456789abcdef");
  EXPECT_EQ(graph_in_schedule(path_schedule), "");
  EXPECT_EQ(read_schedule(file("s.json", text), 2).nodes, 2U);
}

TEST_F(ScheduleFile, IsRefusedIfItIsNoSchedule) {
  EXPECT_EQ(refused("{\"steps\":\n [[}"), "'s.json': it is not JSON at line 2, column 4");
  EXPECT_EQ(refused(""), "'s.json': it is not JSON at line 1, column 1");
  EXPECT_EQ(refused("[]"), "'s.json': it holds an array, not an object with \"steps\"");
  EXPECT_EQ(refused("7"), "'s.json': it holds 7, not an object with \"steps\"");
  EXPECT_EQ(refused("{}"), "'s.json': \"steps\" is missing");
  EXPECT_EQ(refused(R"({"steps": 3})"), "'s.json': \"steps\" is 3, not an array");
  EXPECT_EQ(refused(R"({"steps": {}})"), "'s.json': \"steps\" is an object, not an array");
  EXPECT_EQ(refused(R"({"steps": [], "steps": []})"), "'s.json': \"steps\" is given twice");
  EXPECT_EQ(refused(R"({"steps": [7]})"), "'s.json': steps[0] is 7, not an array of moves");
  EXPECT_EQ(refused(R"({"steps": [[], ["a"]]})"),
            "'s.json': steps[1][0] is a string, not [from, to, origin, destination]");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,0]]]})"),
            "'s.json': steps[0][0] has 3 numbers, not [from, to, origin, destination]");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,0,1],[0,1,0,2,0]]]})"),
            "'s.json': steps[0][1] has 5 numbers, not [from, to, origin, destination]");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,0,-1]]]})"), "'s.json': steps[0][0] has -1, not a processor's number");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,0,1.5]]]})"), "'s.json': steps[0][0] has 1.5, not a processor's number");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,[0],1]]]})"), "'s.json': steps[0][0] has an array, not a processor's number");
  EXPECT_EQ(refused(R"({"combined": 1, "steps": []})"), "'s.json': \"combined\" is 1, not true or false");
  EXPECT_EQ(refused(R"({"processors": "3"})"), "'s.json': \"processors\" is a string, not a number of processors");
}

TEST_F(ScheduleFile, IsRefusedWithIntegersTooLargeFor64Bits) {
  for (const std::string large : {"18446744073709551616", "-9223372036854775809", "99999999999999999999999999999999"}) {
    EXPECT_EQ(refused("{\"steps\": [[[0,1,0," + large + "]]]}"),
              "'s.json': steps[0][0] has an integer too large for 64 bits, not a processor's number");
    EXPECT_EQ(refused("{\"processors\": " + large + "}"),
              "'s.json': \"processors\" is an integer too large for 64 bits, not a number of processors");
  }
  EXPECT_EQ(refused("{\"steps\": [[[0,1,0,1" + std::string(400, '0') + "]]]}"),
            "'s.json': it has an integer too large for 64 bits at line 1, column 420");
  EXPECT_EQ(refused("{\"steps\": 1e999}"), "'s.json': it has a number too large at line 1, column 15");
}

TEST_F(ScheduleFile, IsRefusedIfItsSchemaIsNotKnown) {
  EXPECT_EQ(refused(R"({"schema": 2, "steps": []})"), "'s.json': \"schema\" is 2; only 1 is known here");
  EXPECT_TRUE(read_schedule(file("s.json", R"({"schema": 1, "steps": []})"), 3).steps.empty());
}

TEST_F(ScheduleFile, IsRefusedIfAMemberOrAByteIsTooMany) {
  EXPECT_EQ(refused(R"({"combined": true, "combined": false, "steps": []})"), "'s.json': \"combined\" is given twice");
  EXPECT_EQ(refused(std::string("{\"steps\": []}\0 7", 16)), "'s.json': it has bytes of 0");
  EXPECT_EQ(refused(R"({"steps": []} 7)"), "'s.json': it is not JSON at line 1, column 15");
}

TEST_F(ScheduleFile, KeepsTwoOfTheEmptyStepsInARow) {
  EXPECT_EQ(read_schedule(file("s.json", R"({"steps": [[[0,1,0,1]], [], [], [], []]})"), 2).steps,
            (MoveSteps{{{0, 1, 0, 1}}, {}, {}}));
}

TEST_F(ScheduleFile, IsRefusedWithTheStepOfTheDocument) {
  const auto after_five_empty = [](const std::string& step) { return "[[], [], [], [], [], " + step + "]"; };
  EXPECT_EQ(refused("{\"steps\": " + after_five_empty("[[9,9,9,9]]") + "}"),
            "'s.json': steps[5][0]: processor 9 does not exist, the machine has 0 to 2");
  EXPECT_EQ(refused("{\"steps\": " + after_five_empty("7") + "}"), "'s.json': steps[5] is 7, not an array of moves");
  const std::string chunks = R"({"operation": "allgather", "processors": 2, "chunks": 1, "steps": )";
  EXPECT_EQ(refusal_of([&] { read_chunk_schedule(chunks + after_five_empty("[{\"from\": 9}]") + "}", "c.json"); }),
            "c.json: step 5: \"from\" is 9, not 0 to 1");
}

TEST_F(ScheduleFile, IsRefusedIfItIsForOtherProcessors) {
  EXPECT_EQ(refused(path_schedule, 4), "'s.json': the schedule is for 3 processors, the machine has 4");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,0,1],[2,1,3,2]]]})"),
            "'s.json': steps[0][1]: processor 3 does not exist, the machine has 0 to 2");
  EXPECT_EQ(refused(R"({"steps": [[[0,1,0,4294967296]]]})"),
            "'s.json': steps[0][0]: processor 4294967296 does not exist, the machine has 0 to 2");
}

TEST_F(ScheduleFile, IsRefusedIfItCannotBeRead) {
  EXPECT_EQ(refusal_of([&] { read_schedule(path("none.json"), 3); }),
            "cannot read 'none.json': No such file or directory");
}

}  // namespace
}  // namespace lockstep::schedule_file_test
