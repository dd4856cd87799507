#include "lockstep/machines/machine_family.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "families/families.hpp"
#include "lockstep/machines/search.hpp"
#include "picture/picture.hpp"

namespace lockstep {
namespace {

std::vector<MachineFamily>& all_families() {
  static std::vector<MachineFamily> families = declared_families();
  return families;
}

MachineFacts facts_by_search(const MachineSpec& spec) {
  const Wiring wiring = family_of(spec).wiring(spec);
  MachineFacts facts;
  facts.degree_min = spec.ports;
  std::uint64_t ends = 0;
  for (std::uint64_t rank = 0; rank < spec.processors; ++rank) {
    std::uint64_t degree = 0;
    for (std::uint64_t port = 0; port < spec.ports; ++port) {
      if (wiring(static_cast<Rank>(rank), static_cast<Port>(port)).rank != no_rank) ++degree;
    }
    facts.degree_min = std::min(facts.degree_min, degree);
    facts.degree_max = std::max(facts.degree_max, degree);
    ends += degree;
  }
  facts.links = ends / 2;
  if (const auto found = all_distances(spec, wiring)) {
    facts.diameter = found->diameter;
    facts.average_status = found->average_status;
  }
  facts.parted_pairs = most_parted_pairs(spec, wiring);
  return facts;
}

std::string table_of_neighbours(const MachineSpec& spec) {
  return caption(spec.text, spec) + neighbour_table(spec, family_of(spec).wiring(spec));
}

}  // namespace

Topology::Label no_label(const MachineSpec&) { return {}; }

const std::vector<MachineFamily>& machine_families() { return all_families(); }

void add_machine_family(MachineFamily family) {
  const std::string name = "machine family \"" + family.name + "\"";
  if (family.name.empty()) throw std::invalid_argument("a machine family without a name");
  if (family.read == nullptr || family.wiring == nullptr) throw std::invalid_argument(name + " has no read or wiring");
  if (std::ranges::find(all_families(), family.name, &MachineFamily::name) != all_families().end()) {
    throw std::invalid_argument(name + " exists already");
  }
  if (family.label == nullptr) family.label = no_label;
  if (family.facts == nullptr) family.facts = facts_by_search;
  if (family.picture == nullptr) family.picture = table_of_neighbours;
  all_families().push_back(std::move(family));
}

const MachineFamily& family_of(const MachineSpec& spec) {
  const auto family = std::ranges::find(all_families(), spec.family, &MachineFamily::name);
  if (family == all_families().end()) {
    throw std::invalid_argument("there is no machine family \"" + spec.family + "\"");
  }
  return *family;
}

}  // namespace lockstep
