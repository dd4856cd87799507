#include "lockstep/machines/machine_facts.hpp"

#include <algorithm>

#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/search.hpp"

namespace lockstep {

MachineFacts facts(const MachineSpec& spec) {
  const MachineFamily& family = family_of(spec);
  MachineFacts facts = family.facts(spec);
  facts.processors = spec.processors;
  facts.ports = spec.ports;
  facts.picture = family.picture(spec);
  if (facts.average_status) {
    const Fraction& status = *facts.average_status;
    facts.average_distance = spec.processors == 1 ? Fraction(0) : status / Fraction(spec.processors - 1);
    facts.total_exchange_bound = static_cast<std::uint64_t>(status.ceil());
  }
  if (facts.parted_pairs && !spec.medium) {
    facts.tree_bound = spec.processors - 1 + *facts.parted_pairs;
    facts.total_exchange_bound = std::max(facts.total_exchange_bound.value_or(0), *facts.tree_bound);
  }
  return facts;
}

// A product has s(v) = n sum s_i(v_i)/n_i (dimakopoulos.md, Status and bounds).
std::optional<std::uint64_t> status(const MachineSpec& spec, Rank rank) {
  if (!spec.factors.empty()) {
    std::uint64_t sum = 0;
    std::uint64_t stride = spec.processors;
    for (const MachineSpec& factor : spec.factors) {
      stride /= factor.processors;
      const auto part = status(factor, static_cast<Rank>(rank / stride % factor.processors));
      if (!part) return std::nullopt;
      sum += spec.processors / factor.processors * *part;
    }
    return sum;
  }
  const MachineFamily& family = family_of(spec);
  if (family.name == "path") {
    const std::uint64_t below = rank;
    const std::uint64_t above = spec.processors - 1 - rank;
    return below * (below + 1) / 2 + above * (above + 1) / 2;
  }
  const bool alike = spec.medium || is_cayley_graph(spec);
  if (!alike) return status_by_search(spec, family.wiring(spec), rank);
  const std::optional<Fraction> average = family.facts(spec).average_status;
  if (!average) return std::nullopt;
  return static_cast<std::uint64_t>(average->numerator());
}

}  // namespace lockstep
