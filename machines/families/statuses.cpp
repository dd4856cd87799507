#include "lockstep/machines/statuses.hpp"

#include <algorithm>

#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/search.hpp"

namespace lockstep {
namespace {

/// The status of a processor is n sum s_i / n_i (dimakopoulos.md, Status and bounds).
std::optional<Statuses> statuses_of_product(const MachineSpec& spec) {
  std::vector<Statuses> parts;
  for (const MachineSpec& factor : spec.factors) {
    std::optional<Statuses> part = statuses(factor);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  const bool alike = std::ranges::all_of(parts, [](const Statuses& part) { return part.alike; });
  if (!alike && spec.processors > most_statuses) return std::nullopt;
  Statuses result{.alike = alike, .values = {}};
  result.values.resize(alike ? 1 : spec.processors);
  for (Rank rank = 0; rank < result.values.size(); ++rank) {
    std::uint64_t stride = spec.processors;
    for (std::size_t index = 0; index < parts.size(); ++index) {
      const std::uint64_t side = spec.factors[index].processors;
      stride /= side;
      result.values[rank] += spec.processors / side * parts[index].of(static_cast<Rank>(rank / stride % side));
    }
  }
  return result;
}

}  // namespace

std::optional<Statuses> statuses(const MachineSpec& spec) {
  if (spec.medium) return std::nullopt;
  if (!spec.factors.empty()) return statuses_of_product(spec);
  if (is_cayley_graph(spec)) {
    const auto one = status(spec, 0);
    return one ? std::optional(Statuses{.alike = true, .values = {*one}}) : std::nullopt;
  }
  if (spec.processors > most_statuses) return std::nullopt;
  if (spec.family != "path") {
    auto values = statuses_by_search(spec, family_of(spec).wiring(spec));
    return values ? std::optional(Statuses{.alike = false, .values = std::move(*values)}) : std::nullopt;
  }
  Statuses result;
  for (Rank rank = 0; rank < spec.processors; ++rank) result.values.push_back(*status(spec, rank));
  return result;
}

}  // namespace lockstep
