#include "lockstep/machines/machine_spec.hpp"

#include "lockstep/machines/graph.hpp"

namespace lockstep {

bool operator==(const MachineSpec& a, const MachineSpec& b) {
  if (a.family != b.family || a.processors != b.processors || a.ports != b.ports) return false;
  if (a.parameters != b.parameters || a.factors != b.factors) return false;
  if (a.graph == nullptr && a.parameters.empty() && a.factors.empty()) return a.text == b.text;
  if (a.graph == b.graph) return true;
  return a.graph != nullptr && b.graph != nullptr && *a.graph == *b.graph;
}

}  // namespace lockstep
