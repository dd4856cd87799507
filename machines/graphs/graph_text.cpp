#include "lockstep/machines/graph_text.hpp"

#include <array>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/layout.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// The shortest text that reads back as that number.
std::string text(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

/// The data written for a machine.
class GraphDrawing {
 public:
  explicit GraphDrawing(const MachineSpec& spec) : spec_(spec) {
    const auto refuse = [&spec](const std::string& what) {
      throw InputError("machine " + quoted(spec.text) + " " + what);
    };
    if (spec.medium) refuse("cannot be written as a graph: its processors share a medium and have no links");
    const std::string most = std::to_string(most_written);
    if (spec.processors > most_written) refuse("has more than the " + most + " processors that are written");
    if (family_of(spec).facts(spec).links > most_written)
      refuse("has more than the " + most + " links that are written");
    wiring_ = family_of(spec).wiring(spec);
    label_ = family_of(spec).label(spec);
    positions_ = layout(spec);
  }

  std::string name() const { return printable(spec_.text); }
  bool has_labels() const { return static_cast<bool>(label_); }
  /// The label of a processor; the machine must have labels.
  std::string label(Rank rank) const { return label_(rank); }

  /// Calls take(rank, place) for every processor.
  template <class Take>
  void each_processor(const Take& take) const {
    for (Rank rank = 0; rank < spec_.processors; ++rank) take(rank, positions_[rank]);
  }

  bool has_cables() const { return spec_.graph && spec_.graph->has_multiplicities(); }
  /// The cables of the link at that end; 1 but for a graph with multiplicities.
  std::uint32_t cables(const End& end) const { return spec_.graph ? spec_.graph->multiplicity(end.rank, end.port) : 1; }

  /// Calls take(one end, other end) for every link, the end of the lower rank first.
  template <class Take>
  void each_link(const Take& take) const {
    for (Rank rank = 0; rank < spec_.processors; ++rank) {
      for (Port port = 0; port < spec_.ports; ++port) {
        const End there = wiring_(rank, port);
        if (there && there.rank > rank) take(End{rank, port}, there);
      }
    }
  }

 private:
  const MachineSpec& spec_;
  Wiring wiring_;
  Topology::Label label_;
  std::vector<Position> positions_;
};

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string dot_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

/// An array with one element per line.
class LinesOfJson {
 public:
  void add(const OrderedJson& element) {
    text_ += text_.empty() ? "\n" : ",\n";
    text_ += "    " + element.dump();
  }
  std::string array() const { return "[" + text_ + "\n  ]"; }

 private:
  std::string text_;
};

}  // namespace

std::string node_link_text(const MachineSpec& spec) {
  const GraphDrawing drawing(spec);
  LinesOfJson nodes;
  drawing.each_processor([&](Rank rank, const Position& at) {
    OrderedJson node{{"id", rank}};
    if (drawing.has_labels()) node["label"] = drawing.label(rank);
    node["x"] = at.x;
    node["y"] = at.y;
    nodes.add(node);
  });
  LinesOfJson edges;
  drawing.each_link([&](const End& a, const End& b) {
    OrderedJson edge{{"source", a.rank}, {"target", b.rank}, {"source_port", a.port}, {"target_port", b.port}};
    if (drawing.cables(a) != 1) edge["multiplicity"] = drawing.cables(a);
    edges.add(edge);
  });
  return "{\n  \"directed\": false,\n  \"multigraph\": false,\n  \"graph\": " +
         OrderedJson{{"name", drawing.name()}}.dump() + ",\n  \"nodes\": " + nodes.array() +
         ",\n  \"links\": " + edges.array() + "\n}\n";
}

std::string graphml_text(const MachineSpec& spec) {
  const GraphDrawing drawing(spec);
  const auto key = [](const std::string& name, const std::string& of, const std::string& type) {
    return "  <key id=\"" + name + "\" for=\"" + of + "\" attr.name=\"" + name + "\" attr.type=\"" + type + "\"/>\n";
  };
  const auto data = [](const std::string& name, const std::string& value) {
    return "<data key=\"" + name + "\">" + value + "</data>";
  };
  std::string graph =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  if (drawing.has_labels()) graph += key("label", "node", "string");
  graph += key("x", "node", "double") + key("y", "node", "double") + key("source_port", "edge", "int") +
           key("target_port", "edge", "int") + (drawing.has_cables() ? key("multiplicity", "edge", "int") : "") +
           "  <graph id=\"" + xml_escaped(drawing.name()) + "\" edgedefault=\"undirected\">\n";
  drawing.each_processor([&](Rank rank, const Position& at) {
    graph += "    <node id=\"" + std::to_string(rank) + "\">";
    if (drawing.has_labels()) graph += data("label", xml_escaped(drawing.label(rank)));
    graph += data("x", text(at.x)) + data("y", text(at.y)) + "</node>\n";
  });
  drawing.each_link([&](const End& a, const End& b) {
    graph += "    <edge source=\"" + std::to_string(a.rank) + "\" target=\"" + std::to_string(b.rank) + "\">" +
             data("source_port", std::to_string(a.port)) + data("target_port", std::to_string(b.port)) +
             (drawing.cables(a) == 1 ? "" : data("multiplicity", std::to_string(drawing.cables(a)))) + "</edge>\n";
  });
  return graph + "  </graph>\n</graphml>\n";
}

std::string dot_text(const MachineSpec& spec) {
  constexpr double points = 72;
  const GraphDrawing drawing(spec);
  std::string graph =
      "graph " + dot_quoted(drawing.name()) +
      " {\n  layout=neato;\n  inputscale=72;\n  outputorder=edgesfirst;\n  node [shape=box, style=\"rounded,filled\", "
      "fillcolor=white, width=0, height=0, margin=0.04, fontsize=9];\n";
  drawing.each_processor([&](Rank rank, const Position& at) {
    const std::string label = drawing.has_labels() ? "label=" + dot_quoted(drawing.label(rank)) + ", " : "";
    graph += "  " + std::to_string(rank) + " [" + label + "pos=\"" + text(points * at.x) + "," + text(points * at.y) +
             "!\"];\n";
  });
  drawing.each_link([&](const End& a, const End& b) {
    graph += "  " + std::to_string(a.rank) + " -- " + std::to_string(b.rank) +
             (drawing.cables(a) == 1 ? "" : " [multiplicity=" + std::to_string(drawing.cables(a)) + "]") + ";\n";
  });
  return graph + "}\n";
}

}  // namespace lockstep
