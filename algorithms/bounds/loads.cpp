#include "loads.hpp"

#include <algorithm>

#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "method/kept_by_machine.hpp"

namespace lockstep::bounds {
namespace {

/// The most elements of a group whose generators are looked at one by one.
constexpr std::uint64_t most_elements = 8192;

/// The least hops that the blocks of a node need of one generator and its inverse, shared evenly by the two; the most
/// over all generators.
Fraction load_of_generators(const CayleyGraph& graph) {
  Fraction most;
  for (Port s = 0; s < graph.generators(); ++s) {
    const Port back = graph.inverse(s);
    if (back < s) continue;
    std::vector<bool> is_counted(graph.generators());
    is_counted[s] = is_counted[back] = true;
    Wide sum = 0;
    for (const Rank distance : graph.distances(is_counted)) sum += distance;
    const Fraction load(sum, back == s ? 1 : 2);
    if (load.numerator() * most.denominator() > most.numerator() * load.denominator()) most = load;
  }
  return most;
}

std::vector<Fraction> all_loads(const MachineSpec& machine) {
  std::vector<Fraction> loads;
  if (machine.medium) return loads;
  const std::uint64_t n = machine.processors;
  for (const Dimension& dimension : dimensions(machine)) {
    const MachineSpec& factor = dimension.factor;
    const MachineFacts known = facts(factor);
    if (known.links == 0) continue;
    if (known.average_status) loads.push_back(*known.average_status * Fraction(n, Wide{2} * known.links));
    const Wide m = factor.processors;
    if (factor.family == "path") loads.emplace_back(n / m * (m * m / 4));
    const bool has_one_kind = factor.family == "ring" || factor.family == "complete" || factor.family == "hypercube";
    if (!has_one_kind && is_cayley_graph(factor) && m <= most_elements) {
      loads.push_back(load_of_generators(CayleyGraph(factor)) * Fraction(n / m));
    }
  }
  return loads;
}

}  // namespace

std::shared_ptr<const std::vector<Fraction>> loads_of_links(const MachineSpec& machine) {
  static method::KeptByMachine<std::vector<Fraction>> kept;
  return kept.find(machine, 0, [&] { return all_loads(machine); });
}

}  // namespace lockstep::bounds
