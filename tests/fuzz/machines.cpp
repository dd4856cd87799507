// Machine specifications: any of them gives a machine or a MachineSpecError; and for a small machine all facts of
// `lockstep info`, with every link the same from both ends.
#include <cstdlib>
#include <iostream>
#include <string>

#include "lockstep/machines/graph_text.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/layout.hpp"
#include "lockstep/machines/topologies.hpp"
#include "target.hpp"

namespace lockstep {
namespace {

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

void check_links(const Topology& topology) {
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    require(!topology.label(rank).empty(), "a processor without a label");
    for (Port port = 0; port < topology.ports(); ++port) {
      const End to = topology.peer(rank, port);
      if (!to) continue;
      require(to.rank < topology.processors() && to.port < topology.ports(), "a link to nowhere");
      require(to.rank != rank, "a link from a processor to itself");
      const End back = topology.peer(to.rank, to.port);
      require(back.rank == rank && back.port == port, "a link that leads elsewhere on its way back");
    }
  }
}

void take(const std::string& text) {
  constexpr std::uint64_t small = 64;
  // Files are left to other harnesses.
  if (text.find("graph:") != std::string::npos) return;
  const MachineSpec spec = parse_machine(text);
  require(spec.text == text, "a specification that is not as it was written");
  // Facts given by a formula are known for the largest machines, too.
  if (spec.processors > small || spec.ports > small) {
    Topology::bytes(spec.processors, spec.ports);
    return;
  }
  const MachineFacts known = facts(spec);
  require(known.processors == spec.processors, "facts about another machine");
  const Topology topology = build(spec);
  check_links(topology);
  require(spec.medium || layout(spec).size() == spec.processors, "processors without a place");
  node_link_text(spec);  // refuses machines without links
  dot_text(spec);
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  try {
    lockstep::take({reinterpret_cast<const char*>(bytes), count});
  } catch (const lockstep::MachineSpecError&) {
  } catch (const lockstep::InputError&) {
  }
  return 0;
}
