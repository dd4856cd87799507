#include "graph_options.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "value_option.hpp"

namespace lockstep::cli::flags {
namespace {

constexpr std::string_view graph_prefix = "graph:";

bool is_graph_file(const std::string* machine) { return machine->starts_with(graph_prefix); }

/// Adds "multigraph=merge", which --multigraph asks for, to the machine's text.
void add_choice(std::string& machine, const std::string& key, const std::optional<std::string>& value) {
  if (!value) return;
  const std::string choice = key + "=" + *value;
  const std::size_t end_of_name = graph_prefix.size() + graph_file_name(machine.substr(graph_prefix.size())).size();
  if (end_of_name == machine.size()) {
    machine += "?" + choice;
    return;
  }
  std::string_view rest = std::string_view(machine).substr(end_of_name + 1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part == choice) return;
    if (part.starts_with(key + "=")) {
      throw InputError("--" + key + " is " + *value + ", but the machine " + printable(machine) + " says " +
                       printable(part));
    }
  }
  machine += "&" + choice;
}

}  // namespace

void choose_reading(const GraphChoices& choices, const std::vector<std::string*>& machines) {
  if (!choices.multigraph && !choices.edge_column) return;
  if (std::ranges::none_of(machines, is_graph_file)) {
    const std::string flag = choices.multigraph ? "--multigraph" : "--edge-column";
    throw InputError(flag + " is for machines from a file, graph:FILE" +
                     (machines.empty() || machines.front()->empty()
                          ? std::string()
                          : "; " + printable(*machines.front()) + " is none"));
  }
  for (std::string* const machine : machines) {
    if (!is_graph_file(machine)) continue;
    add_choice(*machine, "multigraph", choices.multigraph);
    add_choice(*machine, "edge-column", choices.edge_column);
  }
}

std::vector<std::string*> pointers_to(std::vector<std::string>& texts) {
  std::vector<std::string*> pointers;
  for (std::string& text : texts) pointers.push_back(&text);
  return pointers;
}

void add_graph_options(CLI::App& app, std::function<std::vector<std::string*>()> machines) {
  const auto choices = std::make_shared<GraphChoices>();
  const auto add = [&](const std::string& flag, const std::string& type, const std::string& description,
                       const std::vector<std::string>& values, std::optional<std::string> GraphChoices::*choice) {
    add_value_option(app, flag, type, description, [=](const std::string& text) {
      if (std::ranges::find(values, text) == values.end()) refuse_choice(flag, text, values);
      (*choices).*choice = text;
    }).group("Graph files");
  };
  add("--multigraph", "HOW",
      "of graph:FILE with several links between two nodes, or loops: refuse (default); merge them into one link, or "
      "count them as its cables, without the loops",
      {"refuse", "merge", "count"}, &GraphChoices::multigraph);
  add("--edge-column", "MEANING",
      "of the number behind the names in an edge list graph:FILE: weight (default), which is ignored, multiplicity or "
      "capacity, the link's cables",
      {"weight", "multiplicity", "capacity"}, &GraphChoices::edge_column);
  when_read(app, [choices, machines = std::move(machines)] { choose_reading(*choices, machines()); });
}

}  // namespace lockstep::cli::flags
