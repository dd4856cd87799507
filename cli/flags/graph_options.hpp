#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::cli::flags {

/// How the files of machines graph:FILE are read, where flags say so.
struct GraphChoices {
  std::optional<std::string> multigraph;   ///< refuse, merge or count
  std::optional<std::string> edge_column;  ///< weight, multiplicity or capacity
};

/// Puts the choices behind the file's name of each machine that is a graph file: "graph:a.txt?multigraph=merge". Throws
/// InputError if there are choices but none of the machines is a graph file, or if the text of one says something else.
void choose_reading(const GraphChoices& choices, const std::vector<std::string*>& machines);

/// To each of the texts, in their order.
std::vector<std::string*> pointers_to(std::vector<std::string>& texts);

/// Adds --multigraph and --edge-column to a command. When all its flags are read, choose_reading() changes the machines
/// that `machines` returns.
void add_graph_options(CLI::App& app, std::function<std::vector<std::string*>()> machines);

}  // namespace lockstep::cli::flags
