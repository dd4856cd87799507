#pragma once

#include <string>
#include <string_view>

#include "lockstep/machines/graph.hpp"

// The readers of the forms of graph.hpp. Each takes the whole text of a file and throws std::invalid_argument with one
// line: what is wrong with it, and where.
namespace lockstep {

Graph read_node_link(const std::string& text);
Graph read_xml(const std::string& text);  ///< GraphML, or a topology as NCCL writes it
Graph read_edge_list(const std::string& text);
Graph read_anynet(const std::string& text);
Graph read_adjacency_list(const std::string& text);
Graph read_graph6(const std::string& text);

/// Whether the first line begins as one of a BookSim anynet file does, which no edge list could hold.
bool is_anynet(std::string_view text);

}  // namespace lockstep
