#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "families/families.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

/// What follows the file's name: "multigraph=merge&edge-column=capacity".
GraphReading reading_of(const SpecReader& reader, std::string_view rest) {
  GraphReading reading;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view value = part.substr(std::min(equals + 1, part.size()));
    const auto choose = [&](auto& chosen, const auto& values) {
      const auto* const found = std::ranges::find_if(values, [&](const auto& one) { return one.first == value; });
      if (found == std::end(values)) reader.refuse(quoted(part) + " is none of the choices");
      chosen = found->second;
    };
    using Repeated = GraphReading::Repeated;
    using Column = GraphReading::Column;
    constexpr std::pair<std::string_view, Repeated> repeated[] = {
        {"refuse", Repeated::refuse}, {"merge", Repeated::merge}, {"count", Repeated::count}};
    constexpr std::pair<std::string_view, Column> columns[] = {
        {"weight", Column::weight}, {"multiplicity", Column::multiplicity}, {"capacity", Column::capacity}};
    if (part.substr(0, equals) == "multigraph") {
      choose(reading.repeated, repeated);
    } else if (part.substr(0, equals) == "edge-column") {
      choose(reading.column, columns);
    } else {
      reader.refuse(quoted(part) + " is neither multigraph=.. nor edge-column=..");
    }
  }
  return reading;
}

/// Everything after the colon is the file's name, with any characters, and how it is read.
void graph_read(const SpecReader& reader, MachineSpec& spec) {
  const std::string text(reader.parameters());
  const std::string file = graph_file_name(text);
  if (file.empty()) reader.refuse("FILE is missing");
  const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; };
  if (std::any_of(file.begin(), file.end(), is_control)) reader.refuse("the name of FILE has control characters");
  const GraphReading reading =
      reading_of(reader, std::string_view(text).substr(std::min(file.size() + 1, text.size())));
  try {
    spec.graph = std::make_shared<const Graph>(read_graph(file, reading));
  } catch (const std::invalid_argument& error) {
    reader.refuse(error.what());
  }
  spec.processors = spec.graph->nodes();
  spec.ports = spec.graph->degree_max();
}

Wiring graph_wiring(const MachineSpec& spec) {
  return [graph = spec.graph](Rank rank, Port port) { return graph->neighbour(rank, port); };
}

Topology::Label graph_label(const MachineSpec& spec) {
  if (!spec.graph->has_labels()) return {};
  return [graph = spec.graph](Rank rank) { return graph->label(rank); };
}

/// On a circle, unless the file has a place for every node and no two are too near each other to be distinguished.
Positions graph_layout(const MachineSpec& spec) {
  constexpr double nearest = 1e-5;
  const Positions& positions = spec.graph->positions();
  return !positions.empty() && closest_distance(positions) >= nearest ? positions : on_circle(spec.processors);
}

MachineFacts graph_facts(const MachineSpec& spec) {
  MachineFacts facts;
  facts.links = spec.graph->links();
  facts.degree_min = spec.graph->degree_min();
  facts.degree_max = spec.graph->degree_max();
  if (const auto found = all_distances(spec, graph_wiring(spec))) {
    facts.diameter = found->diameter;
    facts.average_status = found->average_status;
  }
  facts.parted_pairs = most_parted_pairs(spec, graph_wiring(spec));
  return facts;
}

std::string graph_picture(const MachineSpec& spec) {
  return caption(spec.text, spec) + neighbour_table(spec, graph_wiring(spec));
}

}  // namespace

MachineFamily graph_family() {
  return {.name = "graph",
          .form = "graph:FILE",
          .limits =
              "FILE a connected undirected graph as edges (CSV too), adjacency list, JSON, GraphML, GML, DOT, Pajek, "
              "METIS, Matrix Market, DIMACS, graph6, topology of NCCL or RCCL or anynet file of BookSim",
          .example = "graph:petersen.json",
          .summary = "any connected graph, read from a file",
          .ports = "the neighbours, ascending",
          .read = graph_read,
          .wiring = graph_wiring,
          .label = graph_label,
          .facts = graph_facts,
          .picture = graph_picture,
          .layout = graph_layout};
}

}  // namespace lockstep
