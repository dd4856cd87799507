// DOT, the language of Graphviz, by the reader of Boost.Graph.
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <charconv>
#include <string>
#include <string_view>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

struct DotNode {
  std::string name;
  std::string label;
  std::string pos;
};

struct DotEdge {
  std::string multiplicity;
};

template <class Direction>
using DotGraph = boost::adjacency_list<boost::vecS, boost::vecS, Direction, DotNode, DotEdge>;

/// "72,144!", in points.
void set_position(GraphDraft::Node& node, std::string_view pos) {
  const std::size_t comma = pos.find(',');
  if (comma == std::string_view::npos) return;
  const auto inches = [](std::string_view text) -> std::optional<double> {
    if (text.ends_with('!')) text.remove_suffix(1);
    double points = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), points);
    if (error != std::errc() || rest != text.data() + text.size()) return {};
    return points / 72;
  };
  node.x = inches(pos.substr(0, comma));
  node.y = inches(pos.substr(comma + 1));
}

/// The cables of an edge; 1 if it does not say.
std::uint32_t cables(const std::string& multiplicity) {
  if (multiplicity.empty()) return 1;
  std::uint32_t number = 0;
  const char* const end = multiplicity.data() + multiplicity.size();
  const auto [rest, error] = std::from_chars(multiplicity.data(), end, number);
  if (error == std::errc() && rest == end && number >= 1 && number <= GraphDraft::most_cables) return number;
  refuse_graph("the multiplicity " + quoted(std::string_view(multiplicity)) + " is no whole number from 1 to " +
               std::to_string(GraphDraft::most_cables));
}

/// In the order of their names, as Boost.Graph has them.
template <class Direction>
Graph read_as(const std::string& text, const GraphReading& reading) {
  DotGraph<Direction> read;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property("node_id", boost::get(&DotNode::name, read));
  properties.property("label", boost::get(&DotNode::label, read));
  properties.property("pos", boost::get(&DotNode::pos, read));
  properties.property("multiplicity", boost::get(&DotEdge::multiplicity, read));
  boost::read_graphviz(text, read, properties, "node_id");
  GraphDraft draft(reading);
  if (boost::is_directed(read)) draft.set_directed();
  const auto name = [&](auto vertex) { return draft.number_or_word(read[vertex].name); };
  for (const auto vertex : boost::make_iterator_range(boost::vertices(read))) {
    GraphDraft::Node node{.name = name(vertex), .label = printable(read[vertex].label)};
    set_position(node, read[vertex].pos);
    draft.add(std::move(node));
  }
  for (const auto edge : boost::make_iterator_range(boost::edges(read))) {
    draft.link(name(boost::source(edge, read)), name(boost::target(edge, read)), cables(read[edge].multiplicity));
  }
  return draft.graph([](std::size_t link) { return "edge " + std::to_string(link + 1); });
}

}  // namespace

Graph read_dot(const std::string& text, const GraphReading& reading) {
  try {
    return read_as<boost::undirectedS>(text, reading);
  } catch (const boost::directed_graph_error&) {
    return read_as<boost::directedS>(text, reading);
  } catch (const boost::graph_exception& error) {
    refuse_graph("it is not DOT as Boost.Graph reads it: " + printable(error.what()));
  }
}

}  // namespace lockstep
