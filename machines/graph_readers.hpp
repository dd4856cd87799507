#pragma once

#include <string>

#include "lockstep/machines/graph.hpp"

// The readers of the forms of graph.hpp. Each takes the whole text of a file and throws std::invalid_argument: in one
// line what is wrong with it, with the place.
namespace lockstep {

Graph read_node_link(const std::string& text);
Graph read_graphml(const std::string& text);
Graph read_edge_list(const std::string& text);
Graph read_adjacency_list(const std::string& text);
Graph read_graph6(const std::string& text);

}  // namespace lockstep
