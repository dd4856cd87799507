#include <algorithm>

#include "families/families.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

void cube_read(const SpecReader& reader, MachineSpec& spec) {
  if (reader.parameters().find('+') != std::string_view::npos) return read_incomplete_hypercube(reader, spec);
  const std::uint64_t n = reader.number(reader.parameters(), "N");
  spec.parameters = {n};
  spec.processors = saturating_power_of_two(n);
  spec.ports = n;
}

Wiring cube_wiring(const MachineSpec&) {
  return [](Rank rank, Port port) { return End{rank ^ Rank{1} << port, port}; };
}

Topology::Label cube_label(const MachineSpec& spec) {
  return [n = static_cast<unsigned>(spec.parameters[0])](Rank rank) { return bits(rank, n); };
}

MachineFacts cube_facts(const MachineSpec& spec) {
  const std::uint64_t n = spec.parameters[0];
  MachineFacts facts;
  facts.links = n * spec.processors / 2;
  facts.degree_min = facts.degree_max = n;
  facts.diameter = n;
  facts.average_status = Fraction(facts.links);  // d 2^(d-1), the number of links
  facts.bisection_width = spec.processors / 2;
  return facts;
}

std::string cube_picture(const MachineSpec& spec) {
  constexpr std::uint64_t largest_drawn = 3;
  const std::uint64_t n = std::min(spec.parameters[0], largest_drawn);
  return caption("hypercube:" + std::to_string(n), spec) + hypercube_picture(static_cast<unsigned>(n));
}

Positions cube_layout(const MachineSpec& spec) {
  const auto n = static_cast<unsigned>(spec.parameters[0]);
  return on_cube(n, n);
}

}  // namespace

MachineFamily hypercube_family() {
  return {.name = "hypercube",
          .form = "hypercube:N",
          .limits = "N from 0 to 31",
          .example = "hypercube:4",
          .summary = "N-cube, 2^N processors",
          .ports = "rank xor 2^p",
          .read = cube_read,
          .wiring = cube_wiring,
          .label = cube_label,
          .facts = cube_facts,
          .picture = cube_picture,
          .layout = cube_layout};
}

}  // namespace lockstep
