#include <nlohmann/json.hpp>
#include <ostream>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {

void write_loads(const TracedRun& run, std::ostream& out) {
  const Topology topology = build(run.plan().machine);
  std::vector<std::uint64_t> words_from(topology.slots());
  for (const run::TracedMessage& message : run.trace.messages()) {
    words_from[topology.slot(message.from, message.port)] += message.words;
  }
  out << "// " + printable(run.plan().name) + ": the words that left each end of every link\n";
  if (const std::string line = missing_line(run); !line.empty()) out << "// " + line + "\n";
  out << "graph " + nlohmann::json(printable(run.plan().machine.text)).dump() + " {\n  node [shape=circle];\n";
  for (Rank rank = 0; rank < topology.processors(); ++rank) out << "  " + std::to_string(rank) + ";\n";
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const End to = topology.peer(rank, port);
      if (!to || to.rank < rank) continue;
      const std::uint64_t there = words_from[topology.slot(rank, port)];
      const std::uint64_t back = words_from[topology.slot(to.rank, to.port)];
      out << "  " + std::to_string(rank) + " -- " + std::to_string(to.rank) + " [taillabel=\"" + std::to_string(there) +
                 "\", headlabel=\"" + std::to_string(back) + "\"" + (there == 0 && back == 0 ? ", style=dotted" : "") +
                 "];\n";
    }
  }
  out << "}\n";
}

}  // namespace lockstep::cli::trace
