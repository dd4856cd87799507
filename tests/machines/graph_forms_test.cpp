// Graphs in other forms than JSON: the Petersen graph, small ones typed by hand, and files that are refused.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../temporary_directory.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::graph_forms_test {
namespace {

class GraphForm : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(directory_.file(name), std::ios::binary) << text;
    return directory_.file(name);
  }

  Graph read(const std::string& name, const std::string& text) const { return read_graph(file(name, text)); }

  NaiveGraph machine(const std::string& name, const std::string& text) const {
    return graph_of(build(parse_machine("graph:" + file(name, text))));
  }

  std::string complaint(const std::string& name, const std::string& text) const {
    try {
      read(name, text);
    } catch (const std::invalid_argument& error) {
      std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      return what;
    }
    return "no complaint";
  }

  const test::TemporaryDirectory directory_;
};

const std::string petersen_graph6 = "IheA@GUAo";

// The outer pentagon, the spokes, the star.
const std::string petersen_edges =
    "# the Petersen graph\n0 1\n1 2\n2 3\n3 4\n4 0\n\n0 5 {}\n1 6 {'weight': 2.5}\r\n2 7\n3\t8\n4 9 # a spoke\n"
    "5 7\n7 9\n9 6\n6 8\n8 5";

const std::string petersen_adjacency = "0 1 4 5\n1 2 6\n2 3 7\n3 4 8\n4 9\n5 7 8\n6 8 9\n7 9\n8\n9\n";

const std::string graphml_head =
    "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";

std::string petersen_graphml() {
  std::string text = graphml_head + "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n" +
                     "<graph edgedefault=\"undirected\">\n";
  for (const std::string node : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
    text += "<node id=\"" + node + "\"/>";
  for (const std::string edge :
       {"01", "12", "23", "34", "40", "05", "16", "27", "38", "49", "57", "79", "96", "68", "85"}) {
    text += "<edge source=\"" + edge.substr(0, 1) + "\" target=\"" + edge.substr(1) +
            "\"><data key=\"d0\">2.5</data></edge>\n";
  }
  return text + "</graph></graphml>\n";
}

TEST_F(GraphForm, OfThePetersenGraphIsReadByItsExtension) {
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"p.g6", petersen_graph6},
                                                                                   {"p.G6", petersen_graph6 + "\n"},
                                                                                   {"q.g6", ">>graph6<<IheA@GUAo\n"},
                                                                                   {"p.edges", petersen_edges},
                                                                                   {"p.edgelist", petersen_edges},
                                                                                   {"p.txt", petersen_edges},
                                                                                   {"p.adjlist", petersen_adjacency},
                                                                                   {"p.graphml", petersen_graphml()},
                                                                                   {"p.xml", petersen_graphml()}}) {
    EXPECT_EQ(machine(name, text), naive_petersen()) << name;
  }
}

TEST_F(GraphForm, OfThePetersenGraphIsReadFromAFileOfTheHouseOfGraphs) {
  EXPECT_EQ(graph_of(graph(std::string(LOCKSTEP_GRAPHS) + "/petersen.g6")), naive_petersen());
}

TEST_F(GraphForm, IsToldByItsContentWhereTheExtensionSaysNothing) {
  const std::string marked = "\xEF\xBB\xBF  \n" + petersen_edges;
  for (const std::string& text :
       std::vector<std::string>{petersen_graph6, ">>graph6<<IheA@GUAo\n", petersen_edges, petersen_graphml(), marked}) {
    for (const std::string name : {"p", "p.graph", "p.v2"}) EXPECT_EQ(machine(name, text), naive_petersen()) << text;
  }
  EXPECT_EQ(read("j", " {\"nodes\": [{\"id\": 0}], \"edges\": []}").nodes(), 1U);
}

TEST_F(GraphForm, NumbersOrNamesNodesAlikeInAllLists) {
  const Graph numbered = read("a.edges", "2 1\n0 2\n");
  EXPECT_FALSE(numbered.has_labels());
  EXPECT_EQ(numbered.neighbour(2, 0), (End{0, 0}));
  // If one name is not a number, all are names, in the order of the file; 01 is not a number.
  for (const std::string text : {"b 7\n7 01\n", "b 7 {}\n7\t01 # twice\n"}) {
    const Graph named = read("a.edges", text);
    EXPECT_EQ(named.nodes(), 3U);
    EXPECT_EQ(named.label(0), "b");
    EXPECT_EQ(named.label(1), "7");
    EXPECT_EQ(named.label(2), "01");
    EXPECT_EQ(named.neighbour(1, 1), (End{2, 0}));
  }
  const Topology star = build(parse_machine("graph:" + file("s.adjlist", "hub a b\nb\nc hub\n")));
  EXPECT_EQ(star.label(3), "c");
  EXPECT_EQ(star.degree(0), 3U);
  EXPECT_EQ(read("one.adjlist", "0\n").nodes(), 1U);
  const Graph large = read("a.edges", "99999999999999999999 4294967295\n");  // too large for a node's number
  EXPECT_EQ(large.label(0), "99999999999999999999");
  EXPECT_EQ(large.label(1), "4294967295");
}

const std::string way_out = "; multigraph=merge or count takes such links";

TEST_F(GraphForm, OfEdgesAndAdjacencyIsRefusedWithItsLine) {
  EXPECT_EQ(complaint("a.edges", ""), "there are no nodes");
  EXPECT_EQ(complaint("a.edges", "# nothing\n\n"), "there are no nodes");
  EXPECT_EQ(complaint("a.edges", "0 1\n\n1\n"), "line 3: it has one name, but a link joins two nodes");
  EXPECT_EQ(complaint("a.edges", "0 1 a\n"),
            "line 1: after the names of two nodes only numbers and {..} may follow, not 'a'");
  EXPECT_EQ(complaint("a.edges", "0 1 {\n"), "line 1: { is not closed by } at the end of the line");
  EXPECT_EQ(complaint("a.edges", "0 1\n1 2\n2 2\n"), "line 3: node 2 is linked to itself" + way_out);
  EXPECT_EQ(complaint("a.edges", "0 1\n1 2\n# again\n1 0\n"),
            "line 4: nodes 0 and 1 are joined by more than one link" + way_out);
  EXPECT_EQ(complaint("a.edges", "a b\nb c\nb a\n"),
            "line 3: nodes 'a' and 'b' are joined by more than one link" + way_out);
  EXPECT_EQ(complaint("a.edges", "0 1\n3 2\n"), "it is not connected: node 2 cannot be reached from node 0");
  EXPECT_EQ(complaint("a.edges", std::string("0 1\n1 \0002\n", 9)), "line 2: it is not text: a byte is 0");
  EXPECT_EQ(complaint("a.edges", "a \x1b[31m\nb c\n"), "line 1: '?[31m' is no name of a node");
  EXPECT_EQ(complaint("a.edges", "a 'b\n"), "line 1: a quotation mark is not closed");
  EXPECT_EQ(complaint("a.edges", "(0, (1, 2) 3\n"), "line 1: a bracket is not closed");
  EXPECT_EQ(complaint("a.edges", "source,weight,target\na,1\n"), "line 2: it has fewer fields than the head");
  EXPECT_EQ(complaint("a.adjlist", "0 1 1\n"), "line 1: nodes 0 and 1 are joined by more than one link" + way_out);
  EXPECT_EQ(complaint("a.adjlist", "0 0\n"), "line 1: node 0 is linked to itself" + way_out);
}

// Counted by hand: column j of the matrix has the pairs (0,j) .. (j-1,j), six bits a character, 63 is '?'.
TEST_F(GraphForm, Graph6IsTheUpperTriangleByColumns) {
  EXPECT_EQ(read("a.g6", "@").nodes(), 1U);
  EXPECT_EQ(read("a.g6", "A_").links(), 1U);            // 100000
  EXPECT_EQ(machine("a.g6", "Bw"), naive_complete(3));  // 111 000
  EXPECT_EQ(machine("a.g6", "Bg"), naive_path(3));      // 101 000: 0-1, 1-2
  EXPECT_EQ(machine("a.g6", "C~"), naive_complete(4));
  // 63 nodes and more take three characters behind a mark: a star around node 0, whose bits begin the columns.
  std::string matrix;
  for (unsigned column = 1; column < 63; ++column) matrix += '1' + std::string(column - 1, '0');
  matrix.resize((matrix.size() + 5) / 6 * 6, '0');
  for (const std::string mark : {"~??~", "~~?????~"}) {
    std::string star = mark;
    for (std::size_t i = 0; i < matrix.size(); i += 6) {
      star += static_cast<char>(63 + std::stoi(matrix.substr(i, 6), nullptr, 2));
    }
    const Graph graph = read("a.g6", star);
    EXPECT_EQ(graph.nodes(), 63U);
    EXPECT_EQ(graph.degree(0), 62U);
    EXPECT_EQ(graph.degree_min(), 1U);
  }
}

TEST_F(GraphForm, OfGraph6IsRefused) {
  EXPECT_EQ(complaint("a.g6", ""), "line 1: it ends before the number of nodes does");
  EXPECT_EQ(complaint("a.g6", "~?"), "line 1: it ends before the number of nodes does");
  EXPECT_EQ(complaint("a.g6", "?"), "there are no nodes");
  EXPECT_EQ(complaint("a.g6", "IheA@GUA"), "line 1: 10 nodes take 8 characters after their number, not 7");
  EXPECT_EQ(complaint("a.g6", "IheA@GUAoo"), "line 1: 10 nodes take 8 characters after their number, not 9");
  EXPECT_EQ(complaint("a.g6", "~~~~~~~~"), "line 1: it has more nodes than a machine may have processors");
  EXPECT_EQ(complaint("a.g6", "~~??~~~~"),
            "line 1: 16777215 nodes take 23456243864918 characters after their number, not 0");
  EXPECT_EQ(complaint("a.g6", "Ihe A@GUA"), "line 1: it has a character that is not in graph6");
  EXPECT_EQ(complaint("a.g6", "Bw\nBw\n"), "line 1: another graph follows the first; only one is read");
  EXPECT_EQ(complaint("a.g6", "Bx"), "line 1: it has a bit after its last pair of nodes");
  EXPECT_EQ(complaint("a.g6", "B_"), "it is not connected: node 2 cannot be reached from node 0");
  const std::string sparse = "it is sparse6, which is not read; graph6 is";
  EXPECT_EQ(complaint("a.s6", ":IheA"), sparse);
  EXPECT_EQ(complaint("a", ":IheA"), sparse);
  EXPECT_EQ(complaint("a", ">>sparse6<<:IheA"), sparse);
  EXPECT_EQ(complaint("a.g6", ":IheA"), "line 1: " + sparse);
}

std::string graphml(const std::string& graph) { return graphml_head + graph + "\n</graphml>\n"; }

TEST_F(GraphForm, GraphmlMayNameAndPlaceItsNodes) {
  const Graph graph = read("a.graphml", graphml(R"(<key id="k0" for="node" attr.name="label" attr.type="string"/>
<key id="k1" for="node" attr.name="x" attr.type="double"/><key id="k2" for="all" attr.name="y" attr.type="double"/>
<key id="k3" for="edge" attr.name="x" attr.type="double"/>
<graph edgedefault="undirected"><node id="n1"><data key="k0">a &lt;b&gt;</data><data key="k1"> 1.5</data><data key="k2">-2</data></node>
<edge source="n1" target="n0" directed="false"><data key="k3">7</data></edge>
<node id="n0"><data key="k1">4</data><data key="k2">1e2</data><data key="k3">8</data></node></graph>)"));
  EXPECT_EQ(graph.links(), 1U);
  EXPECT_EQ(graph.label(0), "a <b>");
  EXPECT_EQ(graph.label(1), "n0");
  EXPECT_EQ(graph.positions(), (std::vector<Position>{{1.5, -2}, {4, 100}}));
  const std::string prefixed =
      "<g:graphml xmlns:g=\"http://graphml.graphdrawing.org/xmlns\"><g:graph edgedefault=\"undirected\">"
      "<g:node id=\"0\"/></g:graph></g:graphml>";
  EXPECT_EQ(read("a.xml", prefixed).nodes(), 1U);
}

TEST_F(GraphForm, OfGraphmlIsRefusedWithItsLine) {
  const auto of_graph = [this](const std::string& parts) {
    return complaint("a.graphml", graphml("<graph edgedefault=\"undirected\"><node id=\"0\"/>\n<node id=\"1\"/>\n" +
                                          parts + "</graph>"));
  };
  EXPECT_EQ(of_graph("<edge source=\"0\" target=\"1\"/>"), "no complaint");
  EXPECT_EQ(complaint("a.graphml", "").substr(0, 24), "it is not XML at line 1:");
  EXPECT_EQ(complaint("a.graphml", "<graphml>\n<graph>\n</graphml>").substr(0, 24), "it is not XML at line 3:");
  EXPECT_EQ(complaint("a.xml", "<topology>\n</topology>"), "line 1: it holds <topology>, not <graphml>");
  EXPECT_EQ(complaint("a.xml", graphml("")), "there is no <graph>");
  EXPECT_EQ(complaint("a.xml", graphml("<graph edgedefault=\"undirected\"/>")), "there are no nodes");
  EXPECT_EQ(complaint("a.xml", graphml("<graph edgedefault=\"undirected\"/>\n<graph/>")),
            "line 4: another graph follows the first; only one is read");
  EXPECT_EQ(complaint("a.xml", graphml("<graph edgedefault=\"both\"/>")),
            "line 3: edgedefault is 'both', neither directed nor undirected");
  EXPECT_EQ(of_graph("<edge source=\"0\" target=\"1\" directed=\"true\"/>"),
            "line 5: it is directed, and not every link has one back; only undirected graphs are machines");
  const std::string no_ports = ": ports of GraphML are not read; neighbours have ports ascending";
  EXPECT_EQ(of_graph("<edge source=\"0\" target=\"1\" sourceport=\"north\"/>"), "line 5" + no_ports);
  EXPECT_EQ(of_graph("<node id=\"2\">\n<port name=\"north\"/></node>"), "line 6" + no_ports);
  EXPECT_EQ(of_graph("<hyperedge/>"), "line 5: a hyperedge is no link between two processors");
  EXPECT_EQ(of_graph("<node id=\"2\"><graph/></node>"), "line 5: a graph inside a node is no machine");
  EXPECT_EQ(of_graph("<edge source=\"0\"/>"), "line 5: <edge> has no target");
  EXPECT_EQ(of_graph("<node/>"), "line 5: <node> has no id");
  EXPECT_EQ(of_graph("<node id=\"1\"/>"), "line 5: the id '1' is also that of another node");
  EXPECT_EQ(of_graph("<edge source=\"0\" target=\"7\"/>"), "line 5 leads to 7, which is no node");
  EXPECT_EQ(of_graph("<edge source=\"0\" target=\"0\"/>"), "line 5: node 0 is linked to itself" + way_out);
  EXPECT_EQ(of_graph("<edge source=\"0\" target=\"1\"/>\n<edge source=\"0\" target=\"1\"/>"),
            "line 6: nodes 0 and 1 are joined by more than one link" + way_out);
  EXPECT_EQ(of_graph(""), "it is not connected: node 1 cannot be reached from node 0");
  EXPECT_EQ(complaint("a.xml", std::string(1'000'000, '<')).substr(0, 23), "it is not XML at line 1");
}

/// The links of lower to higher ranks with their multiplicities: "0-1x4 0-2x1".
std::string links_of(const Graph& graph) {
  std::string links;
  for (Rank node = 0; node < graph.nodes(); ++node) {
    for (Port port = 0; port < graph.degree(node); ++port) {
      const Rank other = graph.neighbour(node, port).rank;
      if (other < node) continue;
      links += (links.empty() ? "" : " ") + std::to_string(node) + "-" + std::to_string(other) + "x" +
               std::to_string(graph.multiplicity(node, port));
    }
  }
  return links;
}

/// "3: 0-1x1 1-2x1, a note".
std::string as_read(const Graph& graph) {
  std::string text = std::to_string(graph.nodes()) + ": " + links_of(graph);
  for (std::size_t note = 1; note < graph.notes().size(); ++note) text += ", " + graph.notes()[note];
  return text;
}

// Forms as people have them (want.txt of the cases of which these are kinds).
TEST_F(GraphForm, EdgeListsAreReadAsPeopleHaveThem) {
  const auto edges = [this](const std::string& text) { return as_read(read("a.txt", text)); };
  EXPECT_EQ(edges("0, 1\n0, 2\n1, 2\n"), "3: 0-1x1 0-2x1 1-2x1");
  EXPECT_EQ(edges("0,1\n"), "2: 0-1x1");
  EXPECT_EQ(edges("0;1\n1;2\n"), "3: 0-1x1 1-2x1");
  EXPECT_EQ(edges("% a comment\n0\t1\r\n1\t2\r\n"), "3: 0-1x1 1-2x1");
  EXPECT_EQ(edges("0 1 2.0\n1 2 1e3 77\n"), "3: 0-1x1 1-2x1, numbers behind the names are ignored");
  EXPECT_EQ(edges("0 1\n1 0\n1 2\n2 1\n"), "3: 0-1x1 1-2x1, every link stands there once in each direction");
  EXPECT_EQ(edges("source,target\n0,1\n1,2\n2,0\n"), "3: 0-1x1 0-2x1 1-2x1, line 1 is a head");
  EXPECT_EQ(edges("Id;Target;Type;Source\n7;0;Undirected;1\n8;2;Undirected;1\n"), "3: 0-1x1 1-2x1, line 1 is a head");
  EXPECT_EQ(edges("1 2\n2 3\n3 1\n"), "3: 0-1x1 0-2x1 1-2x1, nodes 1 to 3 are ranks 0 to 2");
  EXPECT_EQ(edges("7 30\n30 9\n"), "3: 0-2x1 1-2x1, nodes from 7 to 30, with gaps, are ranks in ascending order");
  EXPECT_EQ(edges("5 4\n0 1\n1 2\n2 3\n3 4\n"),
            "5: 0-1x1 1-2x1 2-3x1 3-4x1, line 1 is the numbers of 5 nodes and 4 links");
  EXPECT_EQ(edges("3 3\n1 2\n2 3\n3 1\n"),
            "3: 0-1x1 0-2x1 1-2x1, line 1 is the numbers of 3 nodes and 3 links, nodes 1 to 3 are ranks 0 to 2");
  // More links than the first line says: it is one of them.
  EXPECT_EQ(edges("3 1\n0 1\n1 2\n"), "4: 0-1x1 1-2x1 1-3x1");
  EXPECT_EQ(edges("(0, 0) (0, 1)\n(0,1) ('a', \"b c\")\n"), "3: 0-1x1 1-2x1");
  EXPECT_EQ(read("a", "\"a b\",'c'\n").label(0), "a b");
  EXPECT_EQ(read("a.adjlist", "#\n(0, 0) (1, 0) (0, 1)\n(1, 0)\n(0, 1)\n").label(2), "(0,1)");
}

TEST_F(GraphForm, RepeatedLinksAreMergedOrCounted) {
  using Repeated = GraphReading::Repeated;
  const auto edges = [this](const std::string& text, Repeated repeated) {
    return as_read(read_graph(file("a.edges", text), {.repeated = repeated}));
  };
  const std::string text = "0 1\n1 2\n1 2\n2 1\n2 2\n";
  EXPECT_EQ(edges(text, Repeated::merge),
            "3: 0-1x1 1-2x1, 2 repeated links are merged, links of nodes to themselves are left out");
  EXPECT_EQ(edges(text, Repeated::count),
            "3: 0-1x1 1-2x3, 2 repeated links are counted as cables, links of nodes to themselves are left out");
  // Both directions of a link are one link, however links are counted.
  EXPECT_EQ(edges("0 1\n1 0\n", Repeated::count), "2: 0-1x1, every link stands there once in each direction");
}

TEST_F(GraphForm, NumbersBehindTheNamesAreCablesIfAskedFor) {
  using Column = GraphReading::Column;
  const auto edges = [this](const std::string& text, Column column) {
    try {
      return as_read(read_graph(file("a.edges", text), {.column = column}));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(edges("0 1 4\n1 2 1\n", Column::multiplicity), "3: 0-1x4 1-2x1, numbers behind the names are cables");
  EXPECT_EQ(edges("0 1 100\n1 2 25\n", Column::capacity), "3: 0-1x4 1-2x1, capacities over the least are cables");
  EXPECT_EQ(edges("0 1 1.5\n", Column::multiplicity), "line 1: the number is no whole number of cables from 1 to 1000");
  EXPECT_EQ(edges("0 1 40\n1 2 25\n", Column::capacity),
            "line 1: the capacity, over the least, is no whole number of cables from 1 to 1000");
}

const std::string diamond = "4: 0-1x1 0-2x1 0-3x1 1-2x1 2-3x1";
const std::string both_ways = ", every link stands there once in each direction";

TEST_F(GraphForm, OtherFormsAreReadByExtensionAndByContent) {
  for (const auto& [extension, text, wanted] : std::vector<std::array<std::string, 3>>{
           {"metis", "% a diamond\n4 5\n2 3 4\n1 3\n1 2 4\n1 3\n", diamond + both_ways},
           {"gml",
            "Creator \"x\"\ngraph [ directed 0 node [ id 0 ] node [ id 1 ] node [ id 2 ] node [ id 3 ]\n"
            "edge [ source 0 target 1 value [ w 3 ] ] edge [ source 0 target 2 ] edge [ source 0 target 3 ]\n"
            "edge [ source 1 target 2 ] edge [ source 2 target 3 ] ]",
            diamond},
           {"net", "*Vertices 4\n1 \"a\"\n2\n*Edges\n1 2 1.5\n1 3\n1 4\n2 3\n3 4\n", diamond},
           {"mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% x\n4 4 6\n2 1\n3 1\n4 1\n3 2\n4 3\n4 4\n",
            diamond},
           {"col", "c x\np edge 4 5\ne 1 2\ne 1 3\ne 1 4\ne 2 3\ne 3 4\n", diamond},
           {"dot", "graph g { 0 -- 1; 0 -- 2; 0 -- 3; 1 -- 2 -- 3 }", diamond}}) {
    EXPECT_EQ(as_read(read("a." + extension, text)), wanted) << extension;
    EXPECT_EQ(as_read(read("a", text)), wanted) << extension;
    EXPECT_EQ(as_read(read("a.txt", text)), wanted) << extension;
  }
  EXPECT_EQ(as_read(read("a.dot", "digraph { 0 -> 1; 1 -> 0 }")), "2: 0-1x1" + both_ways);
  EXPECT_EQ(as_read(read("a", R"({"directed": true, "multigraph": true, "nodes": [{"id": 0}, {"id": 1}],
                                  "links": [{"source": 0, "target": 1}, {"source": 1, "target": 0}]})")),
            "2: 0-1x1" + both_ways);
}

// What people write: groups, ports, attributes, comments, names in quotes and HTML, keywords in any case.
TEST_F(GraphForm, DotIsReadAsGraphvizReadsIt) {
  const auto dot = [this](const std::string& text) { return as_read(read("a.gv", text)); };
  EXPECT_EQ(dot("strict graph G { // a ring\n a -- {b c} -- d; a -- b }"), "4: 0-1x1 0-2x1 1-3x1 2-3x1");
  EXPECT_EQ(dot("GRAPH { Subgraph s { rank=same; 0; 1 } -- 2:n:sw; node [shape=box]; 0 -- 1 [multiplicity=3, w=2] }"),
            "3: 0-1x3 0-2x1 1-2x1");
  EXPECT_EQ(dot("graph {\n# by hand\n\"a\\\"b\" -- \"c\" + \"d\" /* -- e */ -- <b<i>>\ncd -- 1 }"),
            "4: 0-1x1 1-2x1 1-3x1");
  EXPECT_EQ(dot("digraph { {0 1} -> 2 [color=red][dir=both] ; 2 -> {0; 1} }"), "3: 0-2x1 1-2x1" + both_ways);
  const Graph named =
      read("a.gv", "graph { x [label=\"the first\", pos=\"72,144!\"]; y [label=\"\\N\" pos=\"0,0\"]; x -- y }");
  EXPECT_EQ(named.label(0), "the first");
  EXPECT_EQ(named.label(1), "y");
  ASSERT_EQ(named.positions().size(), 2U);
  EXPECT_EQ(named.positions()[0].x, 1);
  EXPECT_EQ(named.positions()[0].y, 2);
}

TEST_F(GraphForm, OtherFormsThatAreWrongAreRefusedInALine) {
  EXPECT_EQ(complaint("a.metis", "2 1\n2\n"), "line 2: line 1 promises 2 nodes, and there are 1 rows");
  EXPECT_EQ(complaint("a.metis", "2 2\n2\n1\n"),
            "line 3: line 1 promises 2 links, and the rows have 2 ends of links, not twice as many");
  EXPECT_EQ(complaint("a.metis", "3 1\n2\n3\n2\n").substr(0, 8), "line 4: ");
  EXPECT_EQ(complaint("a.gml", "graph [ node [ id 0 ]"), "line 1: a bracket is not closed");
  EXPECT_EQ(complaint("a.gml", "graph [ node [ label \"a\" ] ]"), "line 1: the node has no id");
  EXPECT_EQ(complaint("a.gml", "x 1"), "there is no graph [ .. ]");
  EXPECT_EQ(complaint("a.net", "*Edges\n"), "line 1: '*edges' stands before *Vertices");
  EXPECT_EQ(complaint("a.net", "*Vertices 2\n*Edges\n1 3\n"), "line 3: a node is '3', not a whole number from 1 to 2");
  EXPECT_EQ(complaint("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n"),
            "line 1: only matrices in the form coordinate are read");
  EXPECT_EQ(complaint("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n"),
            "line 3: 2 entries are promised, and there are 1");
  EXPECT_EQ(complaint("a.col", "e 1 2\n"), "line 1: a line of the form \"p edge NODES LINKS\" comes first");
  EXPECT_EQ(complaint("a.dot", "graph {"), "line 1: the file ends where a name is to stand");
  EXPECT_EQ(complaint("a.dot", "graph {\n0 -> 1 }"), "line 2: -> in a graph without directions");
  EXPECT_EQ(complaint("a.dot", "digraph { 0 -- 1 }"), "line 1: -- in a digraph");
  EXPECT_EQ(complaint("a.dot", "graph { 0 -- 1 }\ngraph { 1 -- 2 }"),
            "line 2: 'graph' stands after the graph; only one is read");
  EXPECT_EQ(complaint("a.dot", "graph { 0 -- 1a }"),
            "line 1: '1a' is neither a number nor a name; names that begin with a digit are in quotes");
  EXPECT_EQ(complaint("a.dot", "graph { 0 -- \"1 }"), "line 1: a quotation mark is not closed");
  EXPECT_EQ(complaint("a.dot", "graph { 0 -- 1 [multiplicity=0] }"),
            "line 1: the multiplicity '0' is no whole number from 1 to 1000");
  EXPECT_EQ(complaint("a.dot", "graph { 0 -- 1; 0 -- 1 }"),
            "line 1: nodes 0 and 1 are joined by more than one link" + way_out);
  EXPECT_EQ(complaint("a.dot", "graph " + std::string(101, '{')), "line 1: the file ends inside more than 100 braces");
}

// Lines of two words that are no links.
TEST_F(GraphForm, WhatLooksLikeAnotherFileIsRefusedByItsName) {
  EXPECT_EQ(complaint("topology.conf", "# x\nSwitchName=s0 Nodes=n[0-7]\n"),
            "it looks like Slurm's topology.conf, which is not read as a graph");
  EXPECT_EQ(complaint("a.yaml", "- topology: x\n"), "it looks like YAML, which is not read as a graph");
  EXPECT_EQ(complaint("a", "[1, 2]\n"), "it looks like a list of JSON, or an INI file, which is not read as a graph");
  EXPECT_EQ(complaint("a", "key=1 b=2\n"), "line 1: 'key=1' is no name of a node");
}

TEST_F(GraphForm, CompressedFilesAreReadAsWhatTheyHold) {
  const std::string name = file("p.edges", petersen_edges);
  ASSERT_EQ(std::system(("gzip -k " + name).c_str()), 0);
  EXPECT_EQ(graph_of(build(parse_machine("graph:" + name + ".gz"))), naive_petersen());
  std::ifstream compressed(name + ".gz", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(compressed), {});
  EXPECT_EQ(complaint("cut.edges.gz", bytes.substr(0, bytes.size() / 2)),
            "cannot read the file: it begins as a file of gzip, and does not end as one");
}

TEST_F(GraphForm, ThatIsTooLargeIsRefused) {
  for (const std::string name : {"a.edges", "a.adjlist", "a.g6", "a.graphml", "a"}) {
    const std::string large = file(name, "");
    std::filesystem::resize_file(large, std::uint64_t{1} << 40);  // a sparse file
    EXPECT_THROW(read_graph(large), std::invalid_argument) << name;
  }
}

const std::string rccl = std::string(LOCKSTEP_DATA) + "/rccl/";

// Expected values from a separate program with another XML library.
TEST_F(GraphForm, NcclTopologyIsThatOfRealMachines) {
  EXPECT_EQ(links_of(read_graph(rccl + "topo_4p3l.xml")), "0-1x1 0-2x1 0-3x1 1-2x1 1-3x1 2-3x1");
  EXPECT_EQ(links_of(read_graph(rccl + "topo_8p1h_3.xml")),
            "0-1x4 0-2x1 0-6x2 1-3x1 1-5x1 2-3x4 2-4x2 3-7x1 4-5x4 4-6x1 5-7x1 6-7x4");
  EXPECT_EQ(links_of(read_graph(rccl + "topo_16p1h.xml")),
            "0-1x4 0-2x1 0-4x2 1-2x1 1-3x1 1-5x1 2-3x4 2-6x1 3-7x2 4-5x4 4-12x1 5-13x1 5-14x1 6-7x4 6-13x1 6-14x1 "
            "7-15x1 8-9x4 8-10x1 8-12x2 9-10x1 9-11x1 9-13x1 10-11x4 10-14x1 11-15x2 12-13x4 14-15x4");
  EXPECT_EQ(read_graph(rccl + "topo_8p1h_3.xml").label(1), "0000:c6:00.0");
}

/// A GPU on the bus of that name, with `inside` as its content.
std::string gpu(const std::string& bus, const std::string& attributes, const std::string& inside) {
  return "<pci busid=\"" + bus + "\"><gpu " + attributes + ">" + inside + "</gpu></pci>\n";
}
std::string nvlink(const std::string& target, const std::string& count, const std::string& tclass = "0x030200") {
  return "<nvlink target=\"" + target + "\" count=\"" + count + "\" tclass=\"" + tclass + "\"/>";
}
std::string nccl_system(const std::string& inside) {
  return "<system version=\"1\">\n<cpu numaid=\"0\">\n" + inside + "</cpu></system>\n";
}

TEST_F(GraphForm, NcclTopologyNumbersGpusByRankOrDevice) {
  const std::string by_rank = nccl_system(gpu("A0", "dev=\"0\" rank=\"9\"", nvlink("b0", "3")) +
                                          gpu("B0", "dev=\"1\" rank=\"8\"", nvlink("a0", "1") + nvlink("A0", "2")));
  for (const std::string name : {"t.xml", "t"}) {
    const Graph graph = read(name, by_rank);
    EXPECT_EQ(links_of(graph), "0-1x3");
    EXPECT_EQ(graph.label(0), "b0");
  }
  // If a rank is missing, the device numbers count; ends that are not a GPU of the file are left out.
  const std::string by_device =
      nccl_system(gpu("c", "dev=\"2\"", nvlink("b", "1")) +
                  gpu("b", "dev=\"1\" rank=\"0\"", nvlink("c", "1") + nvlink("d", "5") + nvlink("e", "2", "0x068001")));
  EXPECT_EQ(read("t.xml", by_device).label(0), "b");
  EXPECT_EQ(links_of(read("t.xml", by_device)), "0-1x1");
  EXPECT_EQ(read("t.xml", nccl_system(gpu("a", "dev=\"0\"", ""))).nodes(), 1U);
}

TEST_F(GraphForm, NcclTopologyJoinsAllThatReachASwitch) {
  const auto through = [](const std::string& count) {
    return nvlink("s0", count, "0x068000") + nvlink("s1", "2", "0x068000");
  };
  EXPECT_EQ(
      links_of(read("t.xml", nccl_system(gpu("a", "dev=\"0\"", through("2")) + gpu("b", "dev=\"1\"", through("2")) +
                                         gpu("c", "dev=\"2\"", through("1"))))),
      "0-1x4 0-2x3 1-2x3");
}

TEST_F(GraphForm, NcclTopologyThatIsWrongIsRefusedInALine) {
  EXPECT_EQ(complaint("t.xml", nccl_system("")), "there is no <gpu>");
  EXPECT_EQ(complaint("t.xml", nccl_system("<gpu dev=\"0\"/>")), "line 3: the gpu is in no <pci> with a busid");
  EXPECT_EQ(complaint("t.xml", nccl_system(gpu("a", "dev=\"x\"", ""))),
            "line 3: dev is 'x', not a whole number from 0 up");
  EXPECT_EQ(complaint("t.xml", nccl_system(gpu("a", "dev=\"4294967296\"", ""))),
            "line 3: dev is '4294967296', not a whole number from 0 up");
  EXPECT_EQ(complaint("t.xml", nccl_system(gpu("a", "dev=\"0\"", "") + gpu("b", "dev=\"0\"", ""))),
            "line 4: dev 0 is also that of another gpu");
  EXPECT_EQ(complaint("t.xml", nccl_system(gpu("a", "dev=\"0\"", "") + gpu("A", "dev=\"1\"", ""))),
            "line 4: the busid 'a' is also that of another gpu");
  const auto two = [](const std::string& there, const std::string& back) {
    return nccl_system(gpu("a", "dev=\"0\"", there) + gpu("b", "dev=\"1\"", back));
  };
  const std::string no_links = "no gpu has an nvlink or xgmi to another; links over PCI are not read";
  EXPECT_EQ(complaint("t.xml", two("", "")), no_links);
  EXPECT_EQ(complaint("t.xml", two(nvlink("b", "1"), "")), "line 3: the other end lists 0 of these links, not 1");
  EXPECT_EQ(complaint("t.xml", two(nvlink("b", "1"), nvlink("a", "2"))),
            "line 3: the other end lists 2 of these links, not 1");
  EXPECT_EQ(complaint("t.xml", two(nvlink("b", "0"), "")), "line 3: count is 0, not 1 to 1000");
  EXPECT_EQ(complaint("t.xml", two(nvlink("b", ""), "")), "line 3: count is '', not a whole number from 0 up");
  EXPECT_EQ(complaint("t.xml", two(nvlink("", "1"), "")), "line 3: the link has no target");
  EXPECT_EQ(complaint("t.xml", two(nvlink("a", "1"), "")), "line 3: node 'a' is linked to itself" + way_out);
  EXPECT_EQ(complaint("t.xml", two(nvlink("b", "600") + nvlink("b", "600"), "")),
            "line 3: with it more than 1000 cables join the two");
  const auto of_file = [](const std::string& name) {
    try {
      read_graph(rccl + name);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  EXPECT_EQ(of_file("topo_3p_pcie.xml"), no_links);
  EXPECT_EQ(of_file("topo_4p2h.xml").substr(0, 25), "it is not connected: node");
}

// Three routers in a triangle without the link of 0 and 1, each with three nodes, as the file states.
TEST_F(GraphForm, AnynetIsThatOfBookSimsExample) {
  const Graph graph = read_graph(std::string(LOCKSTEP_DATA) + "/booksim/anynet_file");
  EXPECT_EQ(links_of(graph), "0-1x1 0-2x1 0-3x1 0-4x1 0-5x1 1-2x1 1-6x1 1-7x1 1-8x1 2-9x1 2-10x1 2-11x1");
  EXPECT_EQ(graph.label(2), "router 2");
  EXPECT_EQ(graph.label(6), "node 3");
}

TEST_F(GraphForm, AnynetRouterWithOneNodeIsOneProcessor) {
  const std::string ring = "router 3 node 0 router 5 10 router 9\nnode 1 router 5\n\nrouter 9 node 2 1 router 5 4\n";
  for (const std::string name : {"a.anynet", "a.txt", "a"}) {
    const Graph graph = read(name, ring);
    EXPECT_EQ(links_of(graph), "0-1x1 0-2x1 1-2x1");
    EXPECT_EQ(graph.label(1), "router 5");
  }
  // A link stated by both ends is one link; a router without a node is a processor, too.
  EXPECT_EQ(links_of(read("a", "router 0 router 1\nrouter 1 router 0 7 node 0\n")), "0-1x1");
  EXPECT_EQ(links_of(read("a", "router 0 node 0 router 1\nnode 0 router 0\n")), "0-1x1");
  // An edge list may have nodes of these names.
  EXPECT_EQ(read("a.edges", "router node\n").nodes(), 2U);
}

TEST_F(GraphForm, AnynetThatIsWrongIsRefusedInALine) {
  const std::string good = "router 0 node 0 router 1\n";
  EXPECT_EQ(complaint("a", good + "routers 1 node 1\n"), "line 2: 'routers' is neither router nor node");
  EXPECT_EQ(complaint("a", good + "router 1 nodes 1\n"), "line 2: 'nodes' is neither router nor node");
  EXPECT_EQ(complaint("a", good + "router 1 node\n"), "line 2: after node its number is expected, not ''");
  EXPECT_EQ(complaint("a", good + "router -1 node 1\n"), "line 2: after router its number is expected, not '-1'");
  EXPECT_EQ(complaint("a", good + "router 4294967296 node 1\n"),
            "line 2: after router its number is expected, not '4294967296'");
  EXPECT_EQ(complaint("a", good + "router 1 node 1 2 3\n"), "line 2: '3' is neither router nor node");
  EXPECT_EQ(complaint("a", good + "router 1\n"), "line 2: the line does not say what it is joined to");
  EXPECT_EQ(complaint("a", good + "node 1 node 2\n"), "line 2: a node is joined to a node; it takes a router");
  EXPECT_EQ(complaint("a", good + "router 1 node 0\n"), "line 2: node 0 is at router 0 already");
  EXPECT_EQ(complaint("a", good + "router 1 router 1\n"), "line 2: node 'router 1' is linked to itself" + way_out);
  EXPECT_EQ(complaint("a", good + "router 7 node 7\n").substr(0, 20), "it is not connected:");
  EXPECT_EQ(complaint("a.anynet", ""), "there are no nodes");
}

}  // namespace
}  // namespace lockstep::graph_forms_test
