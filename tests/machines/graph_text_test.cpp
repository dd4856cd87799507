// Machines written as graphs: the texts of small ones, and that every machine is read back as it was written.
#include "lockstep/machines/graph_text.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "../sanitized.hpp"
#include "../temporary_directory.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/layout.hpp"
#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::graph_text_test {
namespace {

TEST(GraphText, OfAMeshAsNodeLinkJson) {
  EXPECT_EQ(node_link_text(parse_machine("mesh:1x2")), R"json({
  "directed": false,
  "multigraph": false,
  "graph": {"name":"mesh:1x2"},
  "nodes": [
    {"id":0,"label":"(0,0)","x":0.0,"y":0.0},
    {"id":1,"label":"(0,1)","x":1.0,"y":0.0}
  ],
  "links": [
    {"source":0,"target":1,"source_port":2,"target_port":3}
  ]
}
)json");
}

TEST(GraphText, OfAPathAsGraphml) {
  EXPECT_EQ(graphml_text(parse_machine("path:3")), R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="x" for="node" attr.name="x" attr.type="double"/>
  <key id="y" for="node" attr.name="y" attr.type="double"/>
  <key id="source_port" for="edge" attr.name="source_port" attr.type="int"/>
  <key id="target_port" for="edge" attr.name="target_port" attr.type="int"/>
  <graph id="path:3" edgedefault="undirected">
    <node id="0"><data key="x">0</data><data key="y">0</data></node>
    <node id="1"><data key="x">1</data><data key="y">0</data></node>
    <node id="2"><data key="x">2</data><data key="y">0</data></node>
    <edge source="0" target="1"><data key="source_port">0</data><data key="target_port">1</data></edge>
    <edge source="1" target="2"><data key="source_port">0</data><data key="target_port">1</data></edge>
  </graph>
</graphml>
)");
}

TEST(GraphText, OfAHypercubeAsDot) {
  EXPECT_EQ(dot_text(parse_machine("hypercube:1")), R"(graph "hypercube:1" {
  layout=neato;
  inputscale=72;
  outputorder=edgesfirst;
  node [shape=box, style="rounded,filled", fillcolor=white, width=0, height=0, margin=0.04, fontsize=9];
  0 [label="0", pos="0,0!"];
  1 [label="1", pos="72,0!"];
  0 -- 1;
}
)");
}

TEST(GraphText, OfOneProcessorHasNoLinks) {
  EXPECT_NE(node_link_text(parse_machine("ring:1")).find("\"links\": [\n  ]"), std::string::npos);
  EXPECT_EQ(dot_text(parse_machine("ring:1")).find("--"), std::string::npos);
}

TEST(GraphText, EscapesLabelsAndNames) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.file("a&\"b.json");
  std::ofstream(file) << R"({"nodes": [{"id": 0, "label": "<\"&\\>"}], "edges": []})";
  const MachineSpec spec = parse_machine("graph:" + file);
  EXPECT_NE(graphml_text(spec).find("<data key=\"label\">&lt;&quot;&amp;\\&gt;</data>"), std::string::npos);
  EXPECT_NE(graphml_text(spec).find("a&amp;&quot;b.json\" edgedefault"), std::string::npos);
  EXPECT_NE(dot_text(spec).find("label=\"<\\\"&\\\\>\""), std::string::npos);
  EXPECT_NE(node_link_text(spec).find(R"("label":"<\"&\\>")"), std::string::npos);
}

TEST(GraphText, IsReadAsTheSameMachine) {
  const test::TemporaryDirectory directory;
  using Text = std::string (*)(const MachineSpec&);
  for (const auto& [name, text] : std::vector<std::pair<std::string, Text>>{
           {"m.json", node_link_text}, {"m.graphml", graphml_text}, {"m.dot", dot_text}}) {
    for (const NaiveMachine& machine : naive_machines()) {
      if (sanitized && machine.graph.size() > 64) continue;
      SCOPED_TRACE(machine.spec + " as " + name);
      const MachineSpec written = parse_machine(machine.spec);
      std::ofstream(directory.file(name)) << text(written);
      const MachineSpec read = parse_machine("graph:" + directory.file(name));
      const Topology topology = build(read);
      ASSERT_EQ(graph_of(topology), machine.graph);
      if (name != "m.dot") {  // which has points, 72 a unit
        ASSERT_EQ(layout(read), layout(written));
      }
      const Topology original = build(written);
      for (Rank rank = 0; rank < topology.processors(); ++rank) {
        ASSERT_EQ(topology.label(rank), original.label(rank));
      }
    }
  }
}

TEST(GraphText, OfMediaAndOfLargeMachinesIsRefused) {
  const auto complaint = [](const std::string& machine) -> std::string {
    try {
      dot_text(parse_machine(machine));
    } catch (const InputError& error) {
      return error.what();
    }
    return "no complaint";
  };
  for (const std::string machine : {"bus:4", "shared:4,kstar=2", "switch:4", "omega:4"}) {
    EXPECT_EQ(
        complaint(machine),
        "machine '" + machine + "' cannot be written as a graph: its processors share a medium and have no links");
  }
  EXPECT_EQ(complaint("hypercube:31"), "machine 'hypercube:31' has more than the 1048576 processors that are written");
  EXPECT_EQ(complaint("complete:2000"), "machine 'complete:2000' has more than the 1048576 links that are written");
}

// Nothing that was read is lost: labels, places and cables.
TEST(GraphText, OfAGraphIsReadBackAsItWas) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.file("a.json");
  std::ofstream(file)
      << R"({"nodes": [{"id": 0, "label": "a b", "x": 0, "y": 1}, {"id": 1, "label": "c", "x": 2, "y": 3},
      {"id": 2, "label": "d", "x": -4, "y": 0.5}], "edges": [{"source": 0, "target": 1, "multiplicity": 3},
      {"source": 1, "target": 2}]})";
  const MachineSpec spec = parse_machine("graph:" + file);
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"b.json", node_link_text(spec)}, {"b.graphml", graphml_text(spec)}, {"b.dot", dot_text(spec)}}) {
    std::ofstream(directory.file(name)) << text;
    const Graph graph = read_graph(directory.file(name));
    EXPECT_EQ(graph.links(), 2U) << name;
    EXPECT_EQ(graph.multiplicity(0, 0), 3U) << name;
    EXPECT_EQ(graph.multiplicity(1, 1), 1U) << name;
    EXPECT_EQ(graph.label(0), "a b") << name;
    EXPECT_EQ(graph.positions(), spec.graph->positions()) << name;
  }
}

}  // namespace
}  // namespace lockstep::graph_text_test
