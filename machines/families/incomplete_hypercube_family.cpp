#include "families/families.hpp"
#include "lockstep/machines/incomplete_hypercube.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

Wiring incomplete_cube_wiring(const MachineSpec& spec) {
  return [cube = IncompleteHypercube(spec)](Rank rank, Port port) {
    return cube.has_link(rank, port) ? End{rank ^ Rank{1} << port, port} : End{};
  };
}

Topology::Label incomplete_cube_label(const MachineSpec& spec) {
  return [n = static_cast<unsigned>(spec.parameters[0])](Rank rank) { return bits(rank, n + 1); };
}

MachineFacts incomplete_cube_facts(const MachineSpec& spec) {
  const std::uint64_t n = spec.parameters[0];
  const std::uint64_t m = spec.parameters[1];
  const std::uint64_t larger = std::uint64_t{1} << n;
  const std::uint64_t smaller = std::uint64_t{1} << m;
  MachineFacts facts;
  facts.links = n * larger / 2 + m * smaller / 2 + smaller;
  facts.degree_min = m + 1;
  facts.degree_max = n + 1;
  facts.diameter = n + 1;
  // Ordered pairs that differ in a bit: below m half of all ranks have it, below n half of the larger cube's, then all
  // of the smaller cube's.
  const auto differing = [&](std::uint64_t with_bit) { return Wide{2} * with_bit * (spec.processors - with_bit); };
  const Wide distances = m * differing(spec.processors / 2) + (n - m) * differing(larger / 2) + differing(smaller);
  facts.average_status = Fraction(distances, spec.processors);
  facts.parted_pairs = m == 0 ? 2 * (larger - 1) : 0;  // rank 0 separates a single rank from all others
  return facts;
}

std::string incomplete_cube_picture(const MachineSpec& spec) {
  if (spec.parameters[0] != 2 || spec.parameters[1] != 1) {
    return caption(spec.text, spec) + neighbour_table(spec, incomplete_cube_wiring(spec));
  }
  return caption(spec.text, spec) +
         "2 --- 3\n"
         "|     |\n"
         "0 --- 1\n"
         "|     |\n"
         "4 --- 5\n";
}

/// The places of the ranks in the next larger cube.
Positions incomplete_cube_layout(const MachineSpec& spec) {
  const auto n = static_cast<unsigned>(spec.parameters[0]);
  Positions positions = on_cube(n + 1, n);
  positions.resize(spec.processors);
  return positions;
}

}  // namespace

void read_incomplete_hypercube(const SpecReader& reader, MachineSpec& spec) {
  const std::vector<std::string_view> dimensions = reader.split('+');
  if (dimensions.size() != 2) reader.refuse("N+M joins two cubes");
  const std::uint64_t n = reader.number(dimensions[0], "N");
  const std::uint64_t m = reader.number(dimensions[1], "M");
  if (m >= n) reader.refuse("N+M joins an N-cube and a smaller M-cube, and M is " + std::to_string(m));
  reader.check_size(saturating_power_of_two(n));
  spec.family = "incomplete-hypercube";
  spec.parameters = {n, m};
  spec.processors = (std::uint64_t{1} << n) + (std::uint64_t{1} << m);
  spec.ports = n + 1;
}

MachineFamily incomplete_hypercube_family() {
  return {.name = "incomplete-hypercube",
          .form = "incomplete-hypercube:N+M",
          .limits = "N from 1 to 31, M from 0 to N-1, or hypercube:N+M",
          .example = "incomplete-hypercube:4+2",
          .summary = "N-cube and M-cube joined, 2^N + 2^M processors",
          .ports = "rank xor 2^p, where that is a rank",
          .read = read_incomplete_hypercube,
          .wiring = incomplete_cube_wiring,
          .label = incomplete_cube_label,
          .facts = incomplete_cube_facts,
          .picture = incomplete_cube_picture,
          .layout = incomplete_cube_layout};
}

}  // namespace lockstep
