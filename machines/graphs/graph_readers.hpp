#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "lockstep/machines/graph.hpp"

// The readers of the forms of graph.hpp. Each takes the whole text of a file and throws std::invalid_argument with one
// line: what is wrong with it, and where.
namespace lockstep {

Graph read_node_link(const std::string& text, const GraphReading& reading);
Graph read_xml(const std::string& text, const GraphReading& reading);  ///< GraphML, or a topology as NCCL writes it
Graph read_edge_list(const std::string& text, const GraphReading& reading);
Graph read_anynet(const std::string& text, const GraphReading& reading);
Graph read_adjacency_list(const std::string& text, const GraphReading& reading);
Graph read_graph6(const std::string& text, const GraphReading& reading);
Graph read_metis(const std::string& text, const GraphReading& reading);
Graph read_gml(const std::string& text, const GraphReading& reading);
Graph read_pajek(const std::string& text, const GraphReading& reading);
Graph read_matrix_market(const std::string& text, const GraphReading& reading);
Graph read_dimacs(const std::string& text, const GraphReading& reading);
Graph read_dot(const std::string& text, const GraphReading& reading);

/// Whether the rows are those of METIS: as many as the first line says, and each neighbour names the node in turn.
bool is_metis(const std::string& text);
/// With small letters in place of those of ASCII that are large.
inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return small;
}

/// Whether the first line begins as one of a BookSim anynet file does, which no edge list could hold.
bool is_anynet(std::string_view text);

}  // namespace lockstep
