#include "families/families.hpp"
#include "lockstep/machines/cube_connected_cycles.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

void ccc_read(const SpecReader& reader, MachineSpec& spec) {
  const std::uint64_t d = reader.number(reader.parameters(), "D");
  if (d < 3) reader.refuse("D is " + std::to_string(d) + ", but a cycle has at least 3 positions");
  spec.parameters = {d};
  spec.processors = saturating_product(d, saturating_power_of_two(d));
  spec.ports = 3;
}

CubeConnectedCycles ccc_addresses(const MachineSpec& spec) {
  return CubeConnectedCycles(static_cast<unsigned>(spec.parameters[0]));
}

Wiring ccc_wiring(const MachineSpec& spec) {
  return [ccc = ccc_addresses(spec)](Rank rank, Port port) { return ccc.neighbour(rank, port); };
}

Topology::Label ccc_label(const MachineSpec& spec) {
  return [ccc = ccc_addresses(spec)](Rank rank) {
    return bits(ccc.corner(rank), ccc.dimensions()) + "." + std::to_string(ccc.position(rank));
  };
}

MachineFacts ccc_facts(const MachineSpec& spec) {
  const std::uint64_t d = spec.parameters[0];
  MachineFacts facts;
  facts.links = spec.processors / 2 * 3;
  facts.degree_min = facts.degree_max = 3;
  facts.diameter = d == 3 ? 6 : 2 * d + d / 2 - 2;
  if (const auto found = symmetric_distances(spec, ccc_wiring(spec))) facts.average_status = found->average_status;
  facts.bisection_width = std::uint64_t{1} << (d - 1);  // Manabe, Hagihara, Tokura 1984
  return facts;
}

std::string ccc_picture(const MachineSpec& spec) {
  return caption("ccc:3", spec) +
         "      [18 19 20] ---- [21 22 23]\n"
         "       / |             / |\n"
         "[12 13 14] ---- [15 16 17]\n"
         "   |     |         |     |\n"
         "   |  [ 6  7  8] --|- [ 9 10 11]\n"
         "   | /             | /\n"
         "[ 0  1  2] ---- [ 3  4  5]\n"
         "in brackets a corner's cycle; position p has the corner's link in dimension p\n";
}

Positions ccc_layout(const MachineSpec& spec) {
  const unsigned d = ccc_addresses(spec).dimensions();
  return nested(on_cube(d, d), on_circle(d));
}

}  // namespace

MachineFamily cube_connected_cycles_family() {
  return {.name = "ccc",
          .form = "ccc:D",
          .limits = "D from 3 to 27",
          .example = "ccc:3",
          .summary = "cube-connected cycles: a D-cube whose corners are cycles of D processors",
          .ports = "0 = next position, 1 = previous position, 2 = corner xor 2^position",
          .read = ccc_read,
          .wiring = ccc_wiring,
          .label = ccc_label,
          .facts = ccc_facts,
          .picture = ccc_picture,
          .layout = ccc_layout};
}

}  // namespace lockstep
