// Graphs from files of all forms: the first byte selects the file's extension and so its reader.
#include <array>
#include <span>
#include <string>

#include "directory.hpp"
#include "lockstep/machines/graph_text.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/layout.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/topologies.hpp"
#include "target.hpp"

namespace lockstep {
namespace {

void take(std::span<const std::uint8_t> bytes) {
  constexpr std::array extensions{"",        ".json",    ".graphml", ".xml", ".edges",
                                  ".anynet", ".adjlist", ".g6",      ".s6",  ".dot"};
  constexpr std::uint64_t small = 64;
  static const fuzz::Directory directory;
  if (bytes.empty()) return;
  const std::string name = std::string("input") + extensions[bytes.front() % extensions.size()];
  fuzz::Directory::write(name, bytes.subspan(1));
  const MachineSpec spec = parse_machine("graph:" + name);
  if (spec.processors > small) return;
  facts(spec);
  build(spec).degree(0);
  layout(spec);
  node_link_text(spec);
  graphml_text(spec);
  dot_text(spec);
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  try {
    lockstep::take({bytes, count});
  } catch (const lockstep::MachineSpecError&) {
  } catch (const lockstep::InputError&) {
  }
  return 0;
}
