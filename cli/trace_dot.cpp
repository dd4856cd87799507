#include <map>
#include <nlohmann/json.hpp>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli {

std::string trace_dot(const TracedRun& run) {
  const MachineSpec& machine = run.plan().machine;
  std::map<std::pair<Rank, Port>, std::uint64_t> words_from;
  for (const TracedMessage& message : run.trace.messages()) {
    words_from[{message.from, message.port}] += message.words;
  }
  const auto load = [&](Rank rank, Port port) {
    const auto found = words_from.find({rank, port});
    return std::to_string(found == words_from.end() ? 0 : found->second);
  };
  const Topology topology = build(machine);
  std::string text = "// " + printable(run.plan().name) + ": the words that left each end of every link\n";
  if (const std::string line = missing_line(run); !line.empty()) text += "// " + line + "\n";
  text += "graph " + nlohmann::json(printable(machine.text)).dump() + " {\n  node [shape=circle];\n";
  for (Rank rank = 0; rank < topology.processors(); ++rank) text += "  " + std::to_string(rank) + ";\n";
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const End to = topology.peer(rank, port);
      if (!to || std::pair(to.rank, to.port) < std::pair(rank, port)) continue;
      const std::string there = load(rank, port), back = load(to.rank, to.port);
      text += "  " + std::to_string(rank) + " -- " + std::to_string(to.rank) + " [taillabel=\"" + there +
              "\", headlabel=\"" + back + "\"" + (there == "0" && back == "0" ? ", style=dotted" : "") + "];\n";
    }
  }
  text += "}\n";
  return text;
}

}  // namespace lockstep::cli
