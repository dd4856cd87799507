#include <algorithm>
#include <memory>

#include "families/families.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

/// Everything after the colon is the file's name, with any characters.
void graph_read(const SpecReader& reader, MachineSpec& spec) {
  const std::string file(reader.parameters());
  if (file.empty()) reader.refuse("FILE is missing");
  const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; };
  if (std::any_of(file.begin(), file.end(), is_control)) reader.refuse("the name of FILE has control characters");
  try {
    spec.graph = std::make_shared<const Graph>(read_graph(file));
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
              "FILE a connected undirected simple graph in JSON, GraphML, graph6, as edges, as an adjacency list, "
              "as a topology of NCCL or RCCL or as an anynet file of BookSim",
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
