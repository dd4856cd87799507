#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/graph_xml.hpp"
#include "graphs/number_in.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

using Element = pugi::xml_node;

std::optional<double> number(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  return number_in<double>(text);
}

class GraphmlReader {
 public:
  GraphmlReader(const GraphXml& file, const GraphReading& reading) : file_(file), draft_(reading) {}

  Graph graph() {
    const Element root = file_.root();
    if (name_of(root) != "graphml") refuse_graph(place(root) + ": it holds " + text_of(root) + ", not <graphml>");
    Element graph;
    for (const Element& part : root.children()) {
      if (name_of(part) == "key") read_key(part);
      if (name_of(part) != "graph") continue;
      if (graph) refuse_graph(place(part) + ": another graph follows the first; only one is read");
      graph = part;
    }
    if (!graph) refuse_graph("there is no <graph>");
    read_graph(graph);
    return draft_.graph([this](std::size_t edge) { return place(edges_[edge]); });
  }

 private:
  /// The ids of the keys of the nodes' data.
  struct Keys {
    std::string label;
    std::string x;
    std::string y;
    std::string multiplicity;  ///< of an edge
  };

  std::string place(const Element& element) const { return file_.place(element); }
  static std::string text_of(const Element& element) {
    return std::string("<").append(printable(name_of(element))).append(">");
  }

  void read_key(const Element& key) {
    const std::string_view of = key.attribute("for").value();
    const std::string_view name = key.attribute("attr.name").value();
    const char* const id = key.attribute("id").value();
    if (of != "node" && name == "multiplicity") keys_.multiplicity = id;
    if (of != "node" && of != "all") return;
    if (name == "label") keys_.label = id;
    if (name == "x") keys_.x = id;
    if (name == "y") keys_.y = id;
  }

  void read_graph(const Element& graph) {
    const std::string_view directed = graph.attribute("edgedefault").value();
    if (directed == "directed") {
      draft_.set_directed();
    } else if (directed != "undirected") {
      refuse_graph(place(graph) + ": edgedefault is " + quoted(directed) + ", neither directed nor undirected");
    }
    for (const Element& part : graph.children()) {
      const std::string_view name = name_of(part);
      if (name == "node") read_node(part);
      if (name == "edge") read_edge(part);
      if (name == "hyperedge") refuse_graph(place(part) + ": a hyperedge is no link between two processors");
    }
  }

  void read_node(const Element& element) {
    GraphDraft::Node node{.name = name(element, "id")};
    for (const Element& part : element.children()) {
      const std::string_view kind = name_of(part);
      if (kind == "port")
        refuse_graph(place(part) + ": ports of GraphML are not read; neighbours have ports ascending");
      if (kind == "graph") refuse_graph(place(part) + ": a graph inside a node is no machine");
      if (kind == "data") read_data(part, node);
    }
    if (!draft_.add(node)) {
      refuse_graph(place(element) + ": the id " + quoted(std::string_view(element.attribute("id").value())) +
                   " is also that of another node");
    }
  }

  void read_data(const Element& data, GraphDraft::Node& node) const {
    const std::string_view key = data.attribute("key").value();
    if (key.empty()) return;
    if (key == keys_.label) node.label = printable(data.child_value());
    if (key == keys_.x) node.x = number(data.child_value());
    if (key == keys_.y) node.y = number(data.child_value());
  }

  void read_edge(const Element& element) {
    if (element.attribute("directed").as_bool()) draft_.set_directed();
    if (element.attribute("sourceport") || element.attribute("targetport")) {
      refuse_graph(place(element) + ": ports of GraphML are not read; neighbours have ports ascending");
    }
    const GraphDraft::Name source = name(element, "source");
    draft_.link(source, name(element, "target"), multiplicity(element));
    edges_.push_back(element);
  }

  std::uint32_t multiplicity(const Element& edge) const {
    for (const Element& part : edge.children()) {
      if (name_of(part) != "data" || keys_.multiplicity.empty()) continue;
      if (part.attribute("key").value() != keys_.multiplicity) continue;
      const std::optional<double> cables = number(part.child_value());
      if (cables && *cables >= 1 && *cables <= GraphDraft::most_cables && *cables == std::floor(*cables)) {
        return static_cast<std::uint32_t>(*cables);
      }
      refuse_graph(place(part) + ": the multiplicity is no whole number from 1 to " +
                   std::to_string(GraphDraft::most_cables));
    }
    return 1;
  }

  /// The name that is the value of that attribute.
  GraphDraft::Name name(const Element& element, const char* attribute) {
    const std::string_view text = element.attribute(attribute).value();
    if (text.empty()) refuse_graph(place(element) + ": " + text_of(element) + " has no " + attribute);
    return draft_.number_or_word(text);
  }

  const GraphXml& file_;
  Keys keys_;
  std::vector<Element> edges_;
  GraphDraft draft_;
};

}  // namespace

Graph read_xml(const std::string& text, const GraphReading& reading) {
  const GraphXml file(text);
  return name_of(file.root()) == "system" ? read_nccl_topology(file) : GraphmlReader(file, reading).graph();
}

}  // namespace lockstep
