// Graphs, and the files they are read from.
#include "lockstep/machines/graph.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "../temporary_directory.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::graph_test {
namespace {

namespace fs = std::filesystem;

std::string complaint(Rank nodes, const std::vector<Graph::Link>& links) {
  try {
    const Graph graph(nodes, links);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Graph, PortsLeadToTheNeighboursAscending) {
  const Graph graph(4, {{2, 0}, {0, 3}, {1, 2}, {1, 0}});
  EXPECT_EQ(graph.nodes(), 4U);
  EXPECT_EQ(graph.links(), 4U);
  EXPECT_EQ(graph.degree(0), 3U);
  EXPECT_EQ(graph.degree_min(), 1U);
  EXPECT_EQ(graph.degree_max(), 3U);
  EXPECT_EQ(graph.neighbour(0, 0), (End{1, 0}));
  EXPECT_EQ(graph.neighbour(0, 1), (End{2, 0}));
  EXPECT_EQ(graph.neighbour(0, 2), (End{3, 0}));
  EXPECT_EQ(graph.neighbour(1, 1), (End{2, 1}));
  EXPECT_EQ(graph.neighbour(2, 1), (End{1, 1}));
  EXPECT_EQ(graph.neighbour(3, 0), (End{0, 2}));
  EXPECT_FALSE(graph.neighbour(3, 1));
  EXPECT_FALSE(graph.neighbour(3, 2));
}

TEST(Graph, OfOneNodeHasNoPorts) {
  const Graph graph(1, {});
  EXPECT_EQ(graph.nodes(), 1U);
  EXPECT_EQ(graph.links(), 0U);
  EXPECT_EQ(graph.degree_max(), 0U);
}

TEST(Graph, KnowsTheCablesOfItsLinks) {
  const Graph graph(4, {{2, 0}, {0, 3}, {1, 2}, {1, 0}}, {}, {}, {1, 5, 2, 3});
  EXPECT_EQ(graph.multiplicity(0, 0), 3U);  // to 1
  EXPECT_EQ(graph.multiplicity(0, 1), 1U);  // to 2
  EXPECT_EQ(graph.multiplicity(0, 2), 5U);  // to 3
  EXPECT_EQ(graph.multiplicity(1, 0), 3U);
  EXPECT_EQ(graph.multiplicity(1, 1), 2U);
  EXPECT_EQ(graph.multiplicity(2, 1), 2U);
  EXPECT_EQ(graph.multiplicity(3, 0), 5U);
  EXPECT_EQ(Graph(2, {{0, 1}}).multiplicity(1, 0), 1U);
  EXPECT_EQ(Graph(2, {{0, 1}}, {}, {}, {1}).multiplicity(1, 0), 1U);
}

std::string digest_of(Graph graph) {
  MachineSpec machine{.text = "graph:g", .family = "graph", .parameters = {}, .factors = {}, .graph = {}, .medium = {}};
  machine.graph = std::make_shared<const Graph>(std::move(graph));
  return graph_digest(machine);
}

TEST(Graph, HasADigestOfItsNodesLinksAndCables) {
  const std::string digest = digest_of(Graph(3, {{0, 1}, {1, 2}}));
  EXPECT_EQ(digest.size(), 16U);
  EXPECT_EQ(digest_of(Graph(3, {{2, 1}, {1, 0}}, {"a", "b", "c"}, {}, {1, 1})), digest);
  EXPECT_NE(digest_of(Graph(3, {{0, 2}, {2, 1}})), digest);
  EXPECT_NE(digest_of(Graph(3, {{0, 1}, {1, 2}, {2, 0}})), digest);
  EXPECT_NE(digest_of(Graph(4, {{0, 1}, {1, 2}, {2, 3}})), digest);
  EXPECT_NE(digest_of(Graph(3, {{0, 1}, {1, 2}}, {}, {}, {1, 2})), digest);
  EXPECT_EQ(graph_digest(parse_machine("ring:3")), "");
  const std::string file = std::string("graph:") + LOCKSTEP_GRAPHS + "/petersen";
  const std::string petersen = graph_digest(parse_machine(file + ".json"));
  EXPECT_EQ(graph_digest(parse_machine(file + ".json")), petersen);
  EXPECT_EQ(petersen.size(), 16U);
  EXPECT_NE(graph_digest(parse_machine("product:" + file + ".json*path:2")), "");
}

TEST(Graph, RefusesWhatIsNoConnectedSimpleGraph) {
  EXPECT_EQ(complaint(0, {}), "there are no nodes");
  EXPECT_EQ(complaint(3, {{0, 1}, {1, 3}}), "a link leads to node 3, but the nodes are 0 to 2");
  EXPECT_EQ(complaint(3, {{4294967295U, 1}}), "a link leads to node 4294967295, but the nodes are 0 to 2");
  EXPECT_EQ(complaint(2, {{0, 1}, {1, 1}}), "node 1 is linked to itself");
  EXPECT_EQ(complaint(3, {{0, 1}, {1, 2}, {2, 1}}), "nodes 1 and 2 are joined by more than one link");
  EXPECT_EQ(complaint(3, {{0, 1}, {1, 2}, {0, 1}}), "nodes 0 and 1 are joined by more than one link");
  EXPECT_EQ(complaint(5, {{0, 1}, {2, 3}, {4, 1}}), "it is not connected: node 2 cannot be reached from node 0");
  EXPECT_EQ(complaint(2, {}), "it is not connected: node 1 cannot be reached from node 0");
}

// Each test has its own directory.
class GraphFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.file(name); }

  std::string file(const std::string& text, const std::string& name = "graph.json") const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  static std::string complaint_about_file(const std::string& path) {
    try {
      read_graph(path);
    } catch (const std::invalid_argument& error) {
      std::string text = error.what();
      EXPECT_EQ(text.find('\n'), std::string::npos);
      return text;
    }
    return "no complaint";
  }

  std::string complaint_about(const std::string& text) const { return complaint_about_file(file(text)); }

  const test::TemporaryDirectory directory_;
};

const std::string triangle_nodes = R"("nodes": [{"id": 0}, {"id": 1}, {"id": 2}])";

/// A file with three nodes and these links.
std::string with_links(const std::string& links) { return "{" + triangle_nodes + ", \"links\": [" + links + "]}"; }

TEST_F(GraphFile, IsReadOnceForAProductOfMachines) {
  const std::vector<MachineSpec> factors{parse_machine("graph:" + file("{" + triangle_nodes + R"(, "links": [
    {"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 0, "target": 2}]})")),
                                         parse_machine("ring:4")};
  fs::remove(path("graph.json"));
  const Topology machine = product(factors);
  EXPECT_EQ(machine.name(), "product:graph:" + path("graph.json") + "*ring:4");
  EXPECT_EQ(machine.processors(), 12U);
  EXPECT_EQ(machine.links(), 24U);
}

TEST_F(GraphFile, OfNetworkXIsRead) {
  const Topology petersen = graph(std::string(LOCKSTEP_GRAPHS) + "/petersen.json");
  EXPECT_EQ(petersen.name(), std::string("graph:") + LOCKSTEP_GRAPHS + "/petersen.json");
  EXPECT_EQ(petersen.processors(), 10U);
  EXPECT_EQ(petersen.links(), 15U);
  EXPECT_EQ(petersen.ports(), 3U);
  EXPECT_EQ(petersen.peer(5, 0), (End{0, 2}));
  EXPECT_EQ(petersen.peer(5, 1), (End{7, 1}));
  EXPECT_EQ(petersen.peer(5, 2), (End{8, 1}));
  EXPECT_EQ(petersen.label(5), "5");
}

TEST_F(GraphFile, MayHaveAnyOrderAndFurtherMembers) {
  const Graph graph = read_graph(file(R"({"links": [
      {"weight": 1.5, "target": 2, "source": 0, "id": [{"source": 7}]},
      {"key": {"source": "x", "nodes": [1, {"id": "deep"}]}, "source": 1, "target": 0}],
    "graph": {"nodes": [{"id": 9}], "links": 3, "name": null}, "multigraph": false, "id": "outer", "hops": [[[]], {}],
    "nodes": [{"id": 2, "label": "two"}, {"source": "no label here", "id": 0}, {"id": 1, "target": -1}]})"));
  EXPECT_EQ(graph.nodes(), 3U);
  EXPECT_EQ(graph.links(), 2U);
  EXPECT_EQ(graph.neighbour(0, 0), (End{1, 0}));
  EXPECT_EQ(graph.neighbour(0, 1), (End{2, 0}));
}

TEST_F(GraphFile, CallsItsLinksLinksOrEdges) {
  for (const std::string key : {"links", "edges"}) {
    const Graph graph = read_graph(file(R"({"directed": false, "nodes": [{"id": 1}, {"id": 0}], ")" + key +
                                        R"(": [{"source": 1, "target": 0}]})"));
    EXPECT_EQ(graph.links(), 1U);
  }
  EXPECT_EQ(read_graph(file(R"({"nodes": [{"id": 0}], "edges": []})")).nodes(), 1U);
  EXPECT_EQ(read_graph(file("\xEF\xBB\xBF{\"nodes\": [{\"id\": 0}], \"edges\": []}")).nodes(),
            1U);  // a byte order mark
}

// A grid as NetworkX writes it: its nodes are tuples.
TEST_F(GraphFile, NumbersNodesThatAreTextsOrListsInTheirOrder) {
  const Graph graph = read_graph(file(R"({"nodes": [{"id": [0, 0]}, {"id": "b"}, {"id": ["x", [1.5, null]]}, {"id": 7}],
      "edges": [{"source": 7, "target": "b"}, {"source": ["x", [1.5, null]], "target": [0, 0]},
                {"source": "b", "target": [0, 0]}]})"));
  EXPECT_EQ(graph.label(0), "(0,0)");
  EXPECT_EQ(graph.label(1), "b");
  EXPECT_EQ(graph.label(2), "(x,(1.5,null))");
  EXPECT_EQ(graph.label(3), "7");
  EXPECT_EQ(graph.neighbour(1, 0), (End{0, 0}));
  EXPECT_EQ(graph.neighbour(1, 1), (End{3, 0}));
  EXPECT_EQ(graph.neighbour(2, 0), (End{0, 1}));
  // Any text is a name.
  const Graph reversed = read_graph(file(R"({"edges": [{"source": "1", "target": "0"}],
                                              "nodes": [{"id": "1"}, {"id": "0"}]})"));
  EXPECT_EQ(reversed.label(0), "1");
  EXPECT_EQ(complaint_about(R"({"nodes": [{"id": [1]}, {"id": [1]}], "edges": []})"),
            "nodes[1].id is also that of another node");
  EXPECT_EQ(complaint_about(R"({"nodes": [{"id": "a"}, {"id": "b"}], "edges": []})"),
            "it is not connected: node 'b' cannot be reached from node 'a'");
}

TEST_F(GraphFile, MayTellTheCablesOfItsLinks) {
  const Graph graph = read_graph(file(R"({"nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [
      {"source": 0, "target": 1}, {"source": 2, "target": 1, "multiplicity": 4}, {"source": 2, "target": 0}]})"));
  EXPECT_EQ(graph.multiplicity(0, 0), 1U);
  EXPECT_EQ(graph.multiplicity(1, 1), 4U);
  EXPECT_EQ(graph.multiplicity(2, 0), 1U);
  EXPECT_EQ(graph.multiplicity(2, 1), 4U);
  for (const std::string wrong : {"0", "1001", "1.5", "-1", "\"4\""}) {
    const std::string said = wrong.front() == '"' ? "a string" : wrong;
    EXPECT_EQ(complaint_about(R"({"nodes": [{"id": 0}, {"id": 1}], "links": [
                                  {"source": 0, "target": 1, "multiplicity": )" +
                              wrong + "}]}"),
              "links[0].multiplicity is " + said + ", not a whole number from 1 to 1000");
  }
}

TEST_F(GraphFile, MayNameAndPlaceItsNodes) {
  const std::string nodes = R"({"nodes": [{"id": 1, "label": "b\u001b", "x": -1, "y": 2.5},
                                           {"id": 0, "pos": [3, 4], "label": 5}], )";
  const Graph graph = read_graph(file(nodes + R"("edges": [{"source": 0, "target": 1, "x": 9}]})"));
  EXPECT_EQ(graph.label(0), "0");
  EXPECT_EQ(graph.label(1), "b?");
  EXPECT_EQ(graph.positions(), (std::vector<Position>{{3, 4}, {-1, 2.5}}));
  EXPECT_EQ(read_graph(file(R"({"nodes": [{"id": 0, "x": 1}], "edges": []})")).positions(), std::vector<Position>());
}

TEST_F(GraphFile, RandomGraphsComeOutAsTheyWentIn) {
  constexpr unsigned seed = 7;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 50; ++trial) {
    const Rank size = 1 + static_cast<Rank>(random() % 40);
    NaiveGraph expected;
    expected.neighbours.resize(size);
    std::vector<std::string> links;
    const auto link = [&](Rank a, Rank b) {
      if (a == b || !expected.neighbours[a].insert(b).second) return;
      expected.neighbours[b].insert(a);
      links.push_back(R"({"source": )" + std::to_string(a) + R"(, "target": )" + std::to_string(b) + "}");
    };
    for (Rank node = 1; node < size; ++node) link(node, static_cast<Rank>(random() % node));  // a tree
    for (Rank more = static_cast<Rank>(random() % (2 * size)); more > 0; --more) {
      link(static_cast<Rank>(random() % size), static_cast<Rank>(random() % size));
    }
    std::vector<std::string> nodes;
    for (Rank node = 0; node < size; ++node) nodes.push_back(R"({"id": )" + std::to_string(node) + "}");
    std::shuffle(nodes.begin(), nodes.end(), random);
    std::shuffle(links.begin(), links.end(), random);
    const auto listed = [](const std::vector<std::string>& items) {
      std::string text;
      for (const std::string& item : items) text.append(text.empty() ? "" : ", ").append(item);
      return "[" + text + "]";
    };
    const std::string path = file(R"({"edges": )" + listed(links) + R"(, "nodes": )" + listed(nodes) + "}");

    const MachineSpec spec = parse_machine("graph:" + path);
    const Topology topology = build(spec);
    EXPECT_EQ(graph_of(topology), expected);
    std::uint64_t diameter = 0;
    std::uint64_t status = 0;
    for (Rank rank = 0; rank < size; ++rank) {
      std::vector<Rank> neighbours;
      for (Port port = 0; port < topology.ports(); ++port) {
        if (topology.peer(rank, port)) neighbours.push_back(topology.peer(rank, port).rank);
      }
      EXPECT_TRUE(std::is_sorted(neighbours.begin(), neighbours.end()));
      for (const std::uint64_t distance : expected.distances(rank)) {
        diameter = std::max(diameter, distance);
        status += distance;
      }
    }
    const MachineFacts known = facts(spec);
    EXPECT_EQ(known.links, links.size());
    EXPECT_EQ(known.diameter, diameter);
    EXPECT_EQ(known.average_status, Fraction(status, size));
  }
}

TEST_F(GraphFile, MayHaveAnyName) {
  const std::string text = with_links(R"({"source": 0, "target": 1}, {"source": 1, "target": 2})");
  for (const std::string name :
       {"a,b.json", "a:b=c.json", "with space.json", "no extension", "-", "star*.json", "\xC3\xA9"}) {
    EXPECT_EQ(parse_machine("graph:" + file(text, name)).processors, 3U) << name;
  }
  const MachineSpec product = parse_machine("product:ring:3*graph:" + file(text, "a,b:c.json") + "*path:2");
  EXPECT_EQ(product.processors, 18U);
  EXPECT_EQ(product.ports, 2U + 2U + 2U);
  EXPECT_EQ(facts(product).diameter, 1U + 2U + 1U);
}

TEST_F(GraphFile, IsReadOnce) {
  const std::string path = file(with_links(R"({"source": 0, "target": 1}, {"source": 1, "target": 2})"));
  const MachineSpec spec = parse_machine("graph:" + path);
  fs::remove(path);
  EXPECT_EQ(build(spec).links(), 2U);
}

TEST_F(GraphFile, LargeOnesAreNotSearched) {
  std::string nodes = R"({"id": 0})";
  std::string links;
  for (Rank node = 1; node <= 5000; ++node) {
    const std::string number = std::to_string(node);
    nodes.append(R"(,{"id":)").append(number).append("}");
    links.append(node == 1 ? "" : ",").append(R"({"source":0,"target":)").append(number).append("}");
  }
  const MachineSpec spec = parse_machine("graph:" + file(R"({"nodes":[)" + nodes + R"(],"links":[)" + links + "]}"));
  EXPECT_EQ(spec.ports, 5000U);
  const MachineFacts known = facts(spec);
  EXPECT_EQ(known.links, 5000U);
  EXPECT_EQ(known.degree_min, 1U);
  EXPECT_EQ(known.diameter, std::nullopt);
  EXPECT_EQ(known.average_status, std::nullopt);
}

TEST_F(GraphFile, ThatCannotBeReadIsRefused) {
  EXPECT_EQ(complaint_about_file(path("none.json")), "cannot read the file: No such file or directory");
  EXPECT_EQ(complaint_about_file(path("none/at/all.json")), "cannot read the file: No such file or directory");
  EXPECT_EQ(complaint_about_file(file("{}") + "/below"), "cannot read the file: Not a directory");
  EXPECT_EQ(complaint_about_file(path("")), "cannot read the file: it is a directory");
  EXPECT_EQ(complaint_about_file("/dev/zero"), "cannot read the file: it is not a regular file");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(complaint_about_file(path("pipe")), "cannot read the file: it is not a regular file");
  fs::create_symlink("loop", path("loop"));
  EXPECT_EQ(complaint_about_file(path("loop")), "cannot read the file: Too many levels of symbolic links");
}

TEST_F(GraphFile, ThatIsNotJsonIsRefused) {
  EXPECT_EQ(complaint_about(""), "it is not JSON at line 1, column 1");
  EXPECT_EQ(complaint_about("nodes: 3"), "it is not JSON at line 1, column 2");  // "null" would be a beginning
  EXPECT_EQ(complaint_about("{\n  \"nodes\": [\n    {\"id\": 0},,\n"), "it is not JSON at line 3, column 15");
  EXPECT_EQ(complaint_about("{\"nodes\": [{\"id\": 0}"), "it is not JSON at line 1, column 21");
  EXPECT_EQ(complaint_about(with_links("") + "\n\n}"), "it is not JSON at line 3, column 1");
  EXPECT_EQ(complaint_about("{\"nodes\": \"\xFF\"}"), "it is not JSON at line 1, column 12");
  EXPECT_EQ(complaint_about(std::string(3, '\0')), "it is not JSON at line 1, column 1");
  EXPECT_EQ(complaint_about("{\"weight\": NaN}"), "it is not JSON at line 1, column 12");
  EXPECT_EQ(complaint_about("\x1b[31m"), "it is not JSON at line 1, column 1");
}

TEST_F(GraphFile, ThatIsNotNodeLinkIsRefused) {
  const std::string wanted = ", not an object with \"nodes\" and \"links\"";
  EXPECT_EQ(complaint_about("[]"), "it holds an array" + wanted);
  EXPECT_EQ(complaint_about("3"), "it holds 3" + wanted);
  EXPECT_EQ(complaint_about("null"), "it holds null" + wanted);
  EXPECT_EQ(complaint_about("\"{}\""), "it holds a string" + wanted);
  EXPECT_EQ(complaint_about("{}"), "\"nodes\" is missing");
  EXPECT_EQ(complaint_about("{\"links\": []}"), "\"nodes\" is missing");
  EXPECT_EQ(complaint_about("{" + triangle_nodes + "}"), "\"links\" (or \"edges\") is missing");
  EXPECT_EQ(complaint_about("{" + triangle_nodes + ", \"adjacency\": [[]]}"), "\"links\" (or \"edges\") is missing");
  EXPECT_EQ(complaint_about("{\"nodes\": 3}"), "\"nodes\" is 3, not an array");
  EXPECT_EQ(complaint_about("{\"nodes\": {\"id\": 0}}"), "\"nodes\" is an object, not an array");
  EXPECT_EQ(complaint_about("{\"links\": null}"), "\"links\" is null, not an array");
  EXPECT_EQ(complaint_about("{\"edges\": \"\"}"), "\"edges\" is a string, not an array");
  EXPECT_EQ(complaint_about("{\"nodes\": [0, 1]}"), "nodes[0] is 0, not an object");
  EXPECT_EQ(complaint_about("{\"nodes\": [{\"id\": 0}, [1]]}"), "nodes[1] is an array, not an object");
  EXPECT_EQ(complaint_about("{\"edges\": [[0, 1]]}"), "edges[0] is an array, not an object");
  EXPECT_EQ(complaint_about("{\"nodes\": [], \"links\": []}"), "there are no nodes");
  EXPECT_EQ(complaint_about("{" + triangle_nodes + ", " + triangle_nodes + "}"), "\"nodes\" occurs twice");
  EXPECT_EQ(complaint_about("{\"links\": [], \"edges\": []}"),
            "it has \"links\" and \"edges\"; only one list of links is read");
}

TEST_F(GraphFile, OfDirectedAndMultigraphsSaysSoByATruth) {
  for (const std::string flag : {"directed", "multigraph"}) {
    const std::string key = "{\"" + flag + "\": ";
    const std::string name = "\"" + flag + "\" is ";
    EXPECT_EQ(complaint_about(key + "\"false\"}"), name + "a string, neither true nor false");
    EXPECT_EQ(complaint_about(key + "0}"), name + "0, neither true nor false");
    EXPECT_EQ(complaint_about(key + "[false]}"), name + "an array, neither true nor false");
  }
}

TEST_F(GraphFile, WithWrongLabelsIsRefused) {
  const auto with_ids = [this](const std::string& ids) {
    return complaint_about("{\"nodes\": [" + ids + "], \"links\": []}");
  };
  const std::string wanted = ", not a whole number from 0 up, a text or a list";
  EXPECT_EQ(with_ids(R"({"id": 0}, {"id": 1.0})"), "nodes[1].id is 1.0" + wanted);
  EXPECT_EQ(with_ids(R"({"id": 1e0})"), "nodes[0].id is 1e0" + wanted);
  EXPECT_EQ(with_ids(R"({"id": -1})"), "nodes[0].id is -1" + wanted);
  EXPECT_EQ(with_ids(R"({"id": -0})"), "nodes[0].id is -0" + wanted);
  EXPECT_EQ(with_ids(R"({"id": true})"), "nodes[0].id is true" + wanted);
  EXPECT_EQ(with_ids(R"({"id": null})"), "nodes[0].id is null" + wanted);
  EXPECT_EQ(with_ids(R"({"id": [0, {}]})"), "nodes[0].id is a list with an object in it");
  EXPECT_EQ(with_ids(R"({"id": {}})"), "nodes[0].id is an object" + wanted);
  EXPECT_EQ(with_ids(R"({"id": 1.)" + std::string(100, '0') + "}"),
            "nodes[0].id is 1." + std::string(64, '0') + "..." + std::string(31, '0') + wanted);
  for (const std::string large : {"18446744073709551616", "-9223372036854775809", "99999999999999999999999999999999"}) {
    EXPECT_EQ(with_ids("{\"id\": " + large + "}"), "nodes[0].id is an integer too large for 64 bits");
  }
  // For numbers beyond the parser's range the message gives the place.
  EXPECT_EQ(with_ids("{\"id\": 1" + std::string(400, '0') + "}"),
            "it has an integer too large for 64 bits at line 1, column 419");
  EXPECT_EQ(with_ids(R"({"id": 1e999})"), "it has a number too large at line 1, column 23");
  EXPECT_EQ(with_ids(R"({"id": 4294967295})"), "nodes[0].id is 4294967295, more than any node's number");
  EXPECT_EQ(with_ids(R"({"name": 0})"), "nodes[0] has no \"id\"");
  EXPECT_EQ(with_ids(R"({"id": 0}, {})"), "nodes[1] has no \"id\"");
  EXPECT_EQ(with_ids(R"({"id": 0, "id": 0})"), "nodes[0].id is given twice");
  EXPECT_EQ(with_ids(R"({"id": 1}, {"id": 0}, {"id": 1})"), "nodes[2].id is also that of another node");
}

TEST_F(GraphFile, WithWrongLinksIsRefused) {
  const auto links = [this](const std::string& list) { return complaint_about(with_links(list)); };
  const std::string path_of_three = R"({"source": 0, "target": 1}, {"source": 2, "target": 1})";
  EXPECT_EQ(links(path_of_three), "no complaint");
  EXPECT_EQ(links(path_of_three + R"(, {"source": 2, "target": "a"})"), "links[2] leads to 'a', which is no node");
  EXPECT_EQ(links(R"({"source": 0.5, "target": 1})"),
            "links[0].source is 0.5, not a whole number from 0 up, a text or a list");
  EXPECT_EQ(links(R"({"source": 4294967295, "target": 1})"),
            "links[0].source is 4294967295, more than any node's number");
  EXPECT_EQ(links(R"({"source": 0})"), "links[0] has no \"target\"");
  EXPECT_EQ(links(R"({"from": 0, "target": 1})"), "links[0] has no \"source\"");
  EXPECT_EQ(links(R"({"source": 0, "target": 1, "target": 2})"), "links[0].target is given twice");
  EXPECT_EQ(links(path_of_three + R"(, {"source": 3, "target": 0})"), "links[2] leads to 3, which is no node");
  EXPECT_EQ(links(path_of_three + R"(, {"source": 2, "target": 2})"),
            "links[2]: node 2 is linked to itself; multigraph=merge or count takes such links");
  EXPECT_EQ(links(path_of_three + R"(, {"source": 1, "target": 2})"),
            "links[2]: nodes 1 and 2 are joined by more than one link; multigraph=merge or count takes such links");
  EXPECT_EQ(links(R"({"source": 0, "target": 2})"), "it is not connected: node 1 cannot be reached from node 0");
}

TEST_F(GraphFile, ThatNestsDeeplyTakesNoStack) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(complaint_about(deep), "it holds an array, not an object with \"nodes\" and \"links\"");
  EXPECT_EQ(complaint_about("{\"graph\": " + deep), "it is not JSON at line 1, column 1000011");
  std::string nested = "{\"graph\": " + deep + std::string(deep.size(), ']') + ", ";
  EXPECT_EQ(read_graph(file(nested + triangle_nodes.substr(0, 19) + "], \"links\": []}")).nodes(), 1U);
}

TEST_F(GraphFile, ThatIsTooLargeIsRefused) {
  const std::string large = file("");
  fs::resize_file(large, std::uint64_t{1} << 40);  // a sparse file
  EXPECT_EQ(complaint_about_file(large), "cannot read the file: it has more than 268435456 bytes");
}

}  // namespace
}  // namespace lockstep::graph_test
