// --multigraph and --edge-column: what the text of a machine says behind its file's name.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::graph_options_test {
namespace {

using Json = nlohmann::json;

/// A triangle: nodes 0 and 1 are joined twice, with 2 and 4 behind the names; 1 and 2, and 2 and 0 once, with 6 and 2.
class GraphOptions : public testing::Test {
 protected:
  GraphOptions() { write_file(file_, "0 1 2\n0 1 4\n1 2 6\n2 0 2\n"); }

  std::string graph() const { return "graph:" + file_; }

  /// The cables of the links 0-1, 0-2 and 1-2.
  std::vector<int> cables(const std::string& flags, const std::string& behind = "") const {
    const Finished info = lockstep("info " + graph() + behind + " " + flags + " --graph-json -");
    EXPECT_EQ(info.exit_code, 0) << info.err;
    std::vector<int> cables(3, 0);
    const Json document = Json::parse(info.out, nullptr, false);
    for (const Json& link : document.at(document.contains("links") ? "links" : "edges")) {
      cables.at(link["source"].get<unsigned>() + link["target"].get<unsigned>() - 1) = link.value("multiplicity", 1);
    }
    return cables;
  }

  TemporaryDirectory directory_;
  std::string file_ = directory_.file("triangle.edges");
};

using Cables = std::vector<int>;

TEST_F(GraphOptions, SayHowAFileIsRead) {
  expect_refused(lockstep("info " + graph()), {"line 2", "joined by more than one link"});
  expect_refused(lockstep("info " + graph() + " --multigraph refuse"), {"joined by more than one link"});
  EXPECT_EQ(cables("--multigraph merge"), (Cables{1, 1, 1}));
  EXPECT_EQ(cables("--multigraph count"), (Cables{2, 1, 1}));
  EXPECT_EQ(cables("--multigraph count --edge-column weight"), (Cables{2, 1, 1}));
  EXPECT_EQ(cables("--multigraph count --edge-column multiplicity"), (Cables{2 + 4, 2, 6}));
  EXPECT_EQ(cables("--edge-column capacity --multigraph count"), (Cables{1 + 2, 1, 3}));
  EXPECT_EQ(cables("--edge-column capacity --multigraph merge"), (Cables{1, 1, 3}));
}

TEST_F(GraphOptions, AddToWhatTheMachineSays) {
  EXPECT_EQ(cables("--edge-column capacity", "?multigraph=count"), (Cables{3, 1, 3}));
  EXPECT_EQ(cables("--multigraph count", "?edge-column=multiplicity&multigraph=count"), (Cables{6, 2, 6}));
  expect_refused(lockstep("info " + graph() + "?multigraph=count --multigraph merge"),
                 {"--multigraph is merge, but the machine graph:", "?multigraph=count says multigraph=count"});
  expect_refused(lockstep("info " + graph() + "?multigraph=count&edge-column=weight --edge-column capacity"),
                 {"--edge-column is capacity, but the machine graph:", "says edge-column=weight"});
}

// A question mark may belong to the name of a file.
TEST_F(GraphOptions, LeaveTheNameOfAFileAsItIs) {
  file_ = directory_.file("triangle?multigraph=count");
  write_file(file_, "0 1\n1 2\n2 0\n0 1\n");
  EXPECT_EQ(cables("--multigraph merge"), (Cables{1, 1, 1}));
}

TEST_F(GraphOptions, AreTakenByAllThatRunOrDescribeAMachine) {
  const std::string machine = "--machine " + graph() + " --multigraph merge ";
  const std::string algorithm = "--algorithm broadcast/bfs-tree ";
  for (const std::string& command :
       {"run " + machine + algorithm, "trace " + machine + algorithm, "plan " + machine + algorithm,
        "compare --operation broadcast " + machine, "sweep --operation broadcast --vary words=1,2 " + machine,
        "best --operation broadcast --words 1,2 " + machine, "judge --seeds 1 " + machine + algorithm,
        "search --operation broadcast " + machine, "info " + graph() + " --multigraph merge"}) {
    const Finished finished = lockstep(command);
    EXPECT_EQ(finished.exit_code, 0) << command << "\n" << finished.err;
  }
  const std::string schedule = directory_.file("schedule.json");
  EXPECT_EQ(lockstep("plan " + machine + algorithm + "--output " + schedule).exit_code, 0);
  EXPECT_EQ(lockstep("validate " + schedule + " " + machine).exit_code, 0);
}

TEST_F(GraphOptions, AreInTheMachinesTextInReports) {
  const Json report = run_json(graph(), "broadcast/bfs-tree", "--multigraph merge --edge-column weight");
  EXPECT_EQ(report["machine"]["spec"], graph() + "?multigraph=merge&edge-column=weight");
  EXPECT_EQ(report["machine"]["links"], 3);
}

TEST_F(GraphOptions, ApplyToTheGraphFilesAmongSeveralMachines) {
  const Finished both = lockstep(
      "compare --operation broadcast --predict --multigraph merge --machine ring:3 --machine " + graph() + " --json -");
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_NE(both.out.find("\"ring:3\""), std::string::npos);
  EXPECT_NE(both.out.find("?multigraph=merge\""), std::string::npos);
}

TEST_F(GraphOptions, AreRefusedWhereTheySayNothing) {
  const std::string run = "run --machine hypercube:3 --algorithm broadcast/sbt ";
  expect_refused(lockstep(run + "--multigraph merge"),
                 {"--multigraph is for machines from a file, graph:FILE; hypercube:3 is none"});
  expect_refused(lockstep(run + "--edge-column capacity"),
                 {"--edge-column is for machines from a file, graph:FILE; hypercube:3 is none"});
  expect_refused(lockstep("judge --multigraph merge --algorithm broadcast/sbt"),
                 {"--multigraph is for machines from a file, graph:FILE"});
  expect_refused(lockstep("info " + graph() + " --multigraph merged"),
                 {"--multigraph 'merged' is not one of refuse, merge, count; did you mean 'merge'?"});
  expect_refused(lockstep("info " + graph() + " --edge-column wieght"),
                 {"--edge-column 'wieght' is not one of weight, multiplicity, capacity; did you mean 'weight'?"});
  expect_refused(lockstep("info " + graph() + " --multigraph merge --multigraph merge"),
                 {"--multigraph is given 2 times"});
}

}  // namespace
}  // namespace lockstep::test::graph_options_test
