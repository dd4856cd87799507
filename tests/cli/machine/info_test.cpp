// `lockstep info`: facts typed from mukherjee.md, Machine, and dimakopoulos.md, Status and bounds to Products.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "../../temporary_directory.hpp"
#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"

namespace lockstep::test::info_test {
namespace {

using Json = nlohmann::json;

Json info_json(const std::string& machine) {
  const Finished info = lockstep("info " + machine + " --json -");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  return Json::parse(info.out);
}

TEST(Info, ReducedHypercube) {
  const Json machine = info_json("rh:2,1")["machine"];
  EXPECT_EQ(machine["processors"], 16);  // 2^(k + 2^n)
  EXPECT_EQ(machine["links"], 24);       // N (k+1) / 2
  EXPECT_EQ(machine["ports"], 3);
  EXPECT_EQ(machine["degree_min"], 3);
  EXPECT_EQ(machine["degree_max"], 3);
  EXPECT_EQ(machine["diameter"], 5);  // 2 * 2^n + k - n
}

TEST(Info, DilationOfAReducedHypercubeThatEmulatesAHypercube) {
  // mukherjee.md, Embeddings: k+1 links of length 1, C(n,p) of length 2p+1; mean 1 + n D / (k + D).
  const Json dilation = info_json("rh:5,2")["machine"]["hypercube_dilation"];
  EXPECT_EQ(dilation["histogram"], Json::parse(R"([{"length": 1, "links_of_a_node": 6},
                                                   {"length": 3, "links_of_a_node": 2},
                                                   {"length": 5, "links_of_a_node": 1}])"));
  EXPECT_EQ(dilation["mean"]["exact"], "17/9");
  EXPECT_EQ(dilation["maximum"], 5);
  EXPECT_NE(lockstep("info rh:5,2")
                .out.find("as a hypercube    6 links of length 1, 2 of 3, 1 of 5 for those of a "
                          "node; mean 17/9 = 1.888888889,\n                  maximum 5\n"),
            std::string::npos);
  EXPECT_EQ(info_json("rh:3,0")["machine"]["hypercube_dilation"]["maximum"], 1);
  EXPECT_TRUE(info_json("hypercube:4")["machine"]["hypercube_dilation"].is_null());
  EXPECT_EQ(lockstep("info hypercube:4").out.find("as a hypercube"), std::string::npos);
}

TEST(Info, CubeLikeAndCayleyGraphs) {
  const Json ccc = info_json("ccc:4")["machine"];
  EXPECT_EQ(ccc["processors"], 64);  // D 2^D
  EXPECT_EQ(ccc["links"], 96);
  EXPECT_EQ(ccc["diameter"], 8);  // 2D + floor(D/2) - 2
  EXPECT_EQ(ccc["bisection_width"], 8);
  const Json shuffle = info_json("shuffle-exchange:5")["machine"];
  EXPECT_EQ(shuffle["degree_min"], 1);
  EXPECT_EQ(shuffle["degree_max"], 3);
  EXPECT_EQ(shuffle["diameter"], 9);                         // 2N - 1
  EXPECT_EQ(info_json("star:6")["machine"]["diameter"], 7);  // floor(3 (N-1) / 2)
  EXPECT_EQ(info_json("pancake:10")["machine"]["diameter"], 11);
  EXPECT_EQ(info_json("circulant:13,2,3")["machine"]["diameter"], 2);
  EXPECT_EQ(info_json("product:star:3*ring:4")["machine"]["average_status"]["exact"], "60");
}

TEST(Info, GraphFromAFile) {
  const TemporaryDirectory directory;
  const std::string name = directory.file("a,b:c=d e.json");  // a path
  write_file(name, R"({"nodes": [{"id": 2}, {"id": 0}, {"id": 1}, {"id": 3}],
                       "edges": [{"source": 0, "target": 2}, {"source": 3, "target": 2}, {"source": 3, "target": 1}]})");
  const std::string spec = "graph:" + name;
  for (const std::vector<std::string>& order :
       std::vector<std::vector<std::string>>{{"info", spec, "--json"}, {"info", "--json", spec}}) {
    const Finished info = lockstep(order);
    ASSERT_EQ(info.exit_code, 0) << info.err;
    const Json machine = Json::parse(info.out)["machine"];
    EXPECT_EQ(machine["spec"], spec);
    EXPECT_EQ(machine["family"], "graph");
    EXPECT_EQ(machine["processors"], 4);
    EXPECT_EQ(machine["links"], 3);
    EXPECT_EQ(machine["ports"], 2);
    EXPECT_EQ(machine["degree_min"], 1);
    EXPECT_EQ(machine["diameter"], 3);
    EXPECT_EQ(machine["average_status"]["exact"], "5");  // (m^2 - 1) / 3
  }
  EXPECT_NE(lockstep({"info", spec}).out.find("\n2: 0 3\n"), std::string::npos);
}

TEST(Info, AverageStatusIsAnExactFraction) {
  const Json product = info_json("product:path:3*ring:4")["machine"];
  EXPECT_EQ(product["average_status"]["exact"], "68/3");
  EXPECT_EQ(product["average_distance"]["exact"], "68/33");
  EXPECT_EQ(product["total_exchange_bound"], 23);
  EXPECT_EQ(product["tree_bound"], 19);
  EXPECT_EQ(info_json("torus:3x4x5")["machine"]["average_status"]["exact"], "172");
  EXPECT_EQ(info_json("product:complete:4*ring:5")["machine"]["total_exchange_bound"], 39);
}

// The corners of the 3x2 mesh are 0 1 | 1 2 | 2 3 links from its six processors, the two middle ones 0 1 | 1 2 | 1 2.
TEST(Info, ListsTheStatusOfEveryProcessor) {
  const Finished table = lockstep("info mesh:3x2 --status");
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.out,
            "mesh:3x2: 6 processors\n"
            "rank  label  status\n"
            "   0  (0,0)       9\n"
            "   1  (0,1)       9\n"
            "   2  (1,0)       7\n"
            "   3  (1,1)       7\n"
            "   4  (2,0)       9\n"
            "   5  (2,1)       9\n"
            "minimum 7, maximum 9, average 25/3 = 8.333333333\n");
  const Json status = Json::parse(lockstep("info mesh:3x2 --status --json -").out)["machine"]["status"];
  EXPECT_EQ(status["values"], (Json{9, 9, 7, 7, 9, 9}));
  EXPECT_EQ(status["minimum"], 7);
  EXPECT_EQ(status["maximum"], 9);
  EXPECT_EQ(status["alike"], false);
  EXPECT_TRUE(info_json("mesh:3x2")["machine"]["status"].is_null());
}

TEST(Info, SaysInOneLineTheStatusOfProcessorsThatAreAlike) {
  EXPECT_EQ(lockstep("info torus:4x3 --status").out,
            "torus:4x3: 12 processors\n"
            "status 20 of every one: a Cayley graph has a symmetry that takes any processor to any other\n");
  const Json status = Json::parse(lockstep("info hypercube:20 --json - --status").out)["machine"]["status"];
  EXPECT_EQ(status["values"], Json{20 * (1 << 19)});
  EXPECT_EQ(status["alike"], true);
}

TEST(Info, RefusesStatusesThatItCannotTell) {
  const auto expect_refusal = [](const std::string& line, const std::string& what) {
    const Finished info = lockstep(line);
    EXPECT_EQ(info.exit_code, 2) << line;
    EXPECT_NE(info.err.find(what), std::string::npos) << info.err;
  };
  expect_refusal("info bus:4 --status", "--status counts links, and bus:4 has none");
  expect_refusal("info mesh:1000x1000 --status", "--status lists at most 65,536 processors of different statuses");
  expect_refusal("info shuffle-exchange:14 --status", "searching all distances would take too long");
  expect_refusal("info mesh:3x2 --status --dot -", "--dot has no place for it");
}

TEST(Info, RefusesEmbeddingsThatTakeTooMuch) {
  expect_refused(lockstep("info complete:1000000 --embed path:2"), {"needs 3.6 TiB of memory"});
  expect_refused(lockstep("info path:1000000 --embed hypercube:19"), {"have more than 268435456 links"});
}

TEST(Info, SaysWhereTheTreeBoundIsMoreThanTheAverageStatus) {
  EXPECT_NE(
      lockstep("info path:8")
          .out.find(
              "\ntotal exchange    at least 31 single-port steps, as some processor has to send that many messages\n"),
      std::string::npos);
  EXPECT_NE(lockstep("info ring:8").out.find("\ntotal exchange    at least 16 single-port steps\n"), std::string::npos);
  EXPECT_EQ(info_json("path:8")["machine"]["tree_bound"], 31);
  EXPECT_EQ(info_json("path:8")["machine"]["total_exchange_bound"], 31);
}

// Two cliques of eight: 8 * 8 messages go from one to the other over two links.
TEST(Info, SaysWhatBoundsATotalExchangeThroughANarrowCut) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("cliques.edges");
  std::ofstream edges(file);
  edges << "0 8\n1 9\n";
  for (int one = 0; one < 8; ++one) {
    for (int other = one + 1; other < 8; ++other) {
      edges << one << ' ' << other << '\n' << one + 8 << ' ' << other + 8 << '\n';
    }
  }
  edges.close();
  const std::string shown = lockstep("info graph:" + file).out;
  EXPECT_NE(shown.find("\ntotal exchange    at least 32 single-port steps: 64 words cross 2 links, 2 a step\n"),
            std::string::npos)
      << shown;
}

std::set<std::string> methods_on(const std::string& machine) {
  return info_json(machine)["algorithms"].get<std::set<std::string>>();
}

// Those of the catalogue that name its family, unless they refuse to run.
TEST(Info, NamesTheMethodsOfTheMachine) {
  for (const std::string machine : {"rh:2,1", "torus:4x3", "product:ring:5*complete:4"}) {
    std::set<std::string> expected;
    for (const Method* method : catalogue()) {
      if (!is_for(*method, machine.substr(0, machine.find(':')))) continue;
      const std::string name(method->name);
      const Finished run = lockstep("run --machine " + machine + " --algorithm " + name);
      const bool refuses_the_machine = run.exit_code == 2 && run.err.find(" needs --") == std::string::npos;
      if (!refuses_the_machine) expected.insert(name);
    }
    EXPECT_EQ(methods_on(machine), expected) << machine;
  }
}

TEST(Info, LeavesOutMethodsThatRefuseTheMachine) {
  // The factor of one node is a machine that alltoall/product refuses; the machine is too large for those that plan
  // every message.
  const std::set<std::string> with = methods_on("product:ring:5*complete:4");
  const std::set<std::string> without = methods_on("product:hypercube:0*rh:5,4");
  for (const std::string name : {"alltoall/product", "allgather/gossip", "allgather/rarest-first"}) {
    EXPECT_TRUE(with.contains(name)) << name;
    EXPECT_FALSE(without.contains(name)) << name;
  }
  for (const std::string name : {"allgather/bfs-tree", "alltoall/product-columns", "scatter/farthest-first"}) {
    EXPECT_TRUE(without.contains(name)) << name;
  }
}

TEST(Info, JsonWithoutAFileGoesToStandardOutput) {
  const std::string spec = info_json("ring:5")["machine"]["spec"];
  EXPECT_EQ(spec, "ring:5");
  for (const std::string order : {"info ring:5 --json", "info --json ring:5", "info --json - ring:5"}) {
    const Finished info = lockstep(order);
    EXPECT_EQ(info.exit_code, 0) << info.err;
    EXPECT_EQ(Json::parse(info.out, nullptr, false)["machine"]["spec"], "ring:5") << order;
  }
}

// Whatever value stands between.
TEST(Info, ReportsARefusalToStandardOutputIfTheMachineFollowsJson) {
  for (const std::string flags : {"--words 4", "--embed ring:8 --status", "--partition gray", "--message-time 1e-6"}) {
    const Finished info = lockstep("info " + flags + " --json ring:8");
    EXPECT_EQ(info.exit_code, 2) << flags;
    EXPECT_EQ(Json::parse(info.out, nullptr, false)["status"], "refused") << flags << info.out;
    EXPECT_FALSE(std::filesystem::exists("ring:8")) << flags;
    std::filesystem::remove("ring:8");
  }
}

TEST(Info, SaysWhetherARunFits) {
  const Json small = info_json("hypercube:4")["memory"];
  EXPECT_EQ(small["fits"], true);
  EXPECT_GT(small["bytes"], 16 * 4 * 8);  // more than only the ends of its links
  EXPECT_GT(small["available_bytes"], small["bytes"]);
  EXPECT_EQ(info_json("hypercube:31")["memory"]["fits"], false);
  EXPECT_EQ(info_json("complete:4000000000")["memory"]["bytes"], nullptr);
  EXPECT_NE(lockstep("info hypercube:31").out.find("does not fit"), std::string::npos);
}

TEST(Info, SaysWhatARunTouches) {
  const auto memory = [](const std::string& machine) { return info_json(machine)["memory"]; };
  const Json cube = memory("hypercube:4");
  const std::uint64_t processors = cube["processors_bytes"];
  const std::uint64_t link = cube["link_bytes"];
  EXPECT_GT(processors, 16 * 64);
  EXPECT_GT(link, 8 + 2 * 8);  // the end of the link, and two messages of a word
  EXPECT_EQ(processors + 16 * 4 * link, cube["bytes"]);
  EXPECT_EQ(memory("ring:16")["processors_bytes"], processors);
  EXPECT_EQ(memory("hypercube:0")["link_bytes"], 0);
  for (const std::string machine : {"bus:4", "complete:4000000000"}) {
    EXPECT_EQ(memory(machine)["processors_bytes"], nullptr) << machine;
    EXPECT_EQ(memory(machine)["link_bytes"], nullptr) << machine;
  }
  EXPECT_NE(lockstep("info hypercube:4").out.find("touched by any run"), std::string::npos);
  EXPECT_EQ(lockstep("info bus:4").out.find("touched by any run"), std::string::npos);
}

TEST(Info, IsForPeopleToo) {
  const Finished info = lockstep("info torus:3x3");
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_EQ(info.err, "");
  for (const std::string word : {"processors", "links", "diameter", "average distance", "average status",
                                 "total exchange", "bisection width", "memory", "alltoall/product", "-- 3 --"}) {
    EXPECT_NE(info.out.find(word), std::string::npos) << word;
  }
  const std::size_t algorithms = info.out.find("\nalgorithms ");
  const std::size_t picture = info.out.find("\n\n", algorithms);
  EXPECT_LE(lines(info.out.substr(0, algorithms) + info.out.substr(picture)).size(), 24U);
  EXPECT_EQ(info.out.find('\033'), std::string::npos);
}

TEST(Info, WhatIsNotKnownIsSaidToBe) {
  EXPECT_EQ(info_json("rh:16,3")["machine"]["average_status"], nullptr);
  EXPECT_NE(lockstep("info rh:16,3").out.find("not known"), std::string::npos);
  EXPECT_EQ(info_json("circulant:2000000,1,1000")["machine"]["diameter"], nullptr);
  EXPECT_NE(lockstep("info circulant:2000000,1,1000").out.find("\ndiameter          not known\n"), std::string::npos);
}

TEST(Info, WritesAFile) {
  const TemporaryDirectory directory;
  const Finished info = lockstep("info ring:5 --json " + directory.file("ring.json"));
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_EQ(info.out, "");
  EXPECT_EQ(Json::parse(read_file(directory.file("ring.json")))["machine"]["average_status"]["exact"], "6");
}

TEST(Info, WritesTheMachineAsAGraph) {
  const Finished node_link = lockstep("info ring:3 --graph-json -");
  EXPECT_EQ(node_link.exit_code, 0);
  const Json graph = Json::parse(node_link.out);
  EXPECT_EQ(graph["directed"], false);
  EXPECT_EQ(graph["graph"]["name"], "ring:3");
  EXPECT_EQ(graph["nodes"].size(), 3U);
  EXPECT_EQ(graph["links"], Json::parse(R"([{"source": 0, "target": 1, "source_port": 0, "target_port": 1},
                                            {"source": 0, "target": 2, "source_port": 1, "target_port": 0},
                                            {"source": 1, "target": 2, "source_port": 0, "target_port": 1}])"));
  EXPECT_NE(lockstep("info ring:3 --graphml -").out.find("<edge source=\"1\" target=\"2\">"), std::string::npos);
  EXPECT_NE(lockstep("info ring:3 --dot -").out.find("\n  1 -- 2;\n"), std::string::npos);
}

TEST(Info, WritesSeveralFormsAtOnce) {
  const TemporaryDirectory directory;
  const Finished info =
      lockstep({"info", "torus:3x3", "--dot", directory.file("t.dot"), "--graphml", directory.file("t.graphml"),
                "--graph-json", directory.file("t.json"), "--json", "-"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out)["machine"]["links"], 18);
  EXPECT_NE(read_file(directory.file("t.dot")).find("0 -- 3;"), std::string::npos);
  for (const std::string file : {"t.json", "t.graphml"}) {
    const Json machine = info_json("graph:" + directory.file(file))["machine"];
    EXPECT_EQ(machine["processors"], 9);
    EXPECT_EQ(machine["links"], 18);
    EXPECT_EQ(machine["average_status"]["exact"], "12");
  }
}

TEST(Info, WritesAllGraphsOrNone) {
  const TemporaryDirectory directory;
  const std::string there = directory.file("there.dot");
  write_file(there, "before");
  expect_refused(lockstep({"info", "bus:3", "--dot", there}), {"'bus:3'", "share a medium"});
  expect_refused(lockstep({"info", "hypercube:31", "--dot", there}), {"1048576 processors"});
  expect_refused(lockstep({"info", "ring:3", "--dot", there, "--graphml", directory.file("no/where.xml")}),
                 {"no/where.xml"});
  EXPECT_EQ(read_file(there), "before");
  expect_refused(lockstep({"info", "ring:3", "--dot", there, "--graphml", there}),
                 {"--graphml", "--dot", "cannot both"});
  expect_refused(lockstep("info ring:3 --dot - --json -"), {"--json", "--dot", "cannot both"});
  const std::string graph = directory.file("graph.json");
  ASSERT_EQ(lockstep({"info", "ring:3", "--graph-json", graph}).exit_code, 0);
  expect_refused(lockstep({"info", "graph:" + graph, "--graph-json", graph}), {"a graph of the machine"});
  expect_refused(lockstep("info ring:3 --dot"), {"--dot needs a value"});
}

TEST(Info, WritesGraphsThatRunLikeTheMachine) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("machine");  // recognized by its content
  for (const std::string machine :
       {"path:5", "complete:4", "shuffle-exchange:3", "hypercube:3", "torus:3x3", "ring:5"}) {
    for (const std::string flag : {"--graph-json", "--graphml"}) {
      ASSERT_EQ(lockstep({"info", machine, flag, file}).exit_code, 0);
      EXPECT_EQ(run_json("graph:" + file, "alltoall/greedy")["digest"], run_json(machine, "alltoall/greedy")["digest"])
          << machine << " " << flag;
    }
  }
}

}  // namespace
}  // namespace lockstep::test::info_test
