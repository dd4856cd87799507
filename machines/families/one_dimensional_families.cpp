// Ring, path and complete graph: the usual factors of a product.
#include <algorithm>

#include "families/families.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

constexpr Port up = 0;
constexpr Port down = 1;

void read_with_two_ports(const SpecReader& reader, MachineSpec& spec) {
  spec.processors = reader.count(reader.parameters(), "M");
  spec.parameters = {spec.processors};
  spec.ports = 2;
}

Wiring ring_wiring(const MachineSpec& spec) {
  return [m = static_cast<Rank>(spec.processors)](Rank rank, Port port) {
    if (m == 1) return End{};
    if (m == 2) return port == up ? End{1 - rank, up} : End{};
    if (port == up) return End{rank + 1 == m ? 0 : rank + 1, down};
    return End{rank == 0 ? m - 1 : rank - 1, up};
  };
}

MachineFacts ring_facts(const MachineSpec& spec) {
  const std::uint64_t m = spec.processors;
  MachineFacts facts;
  facts.links = m < 3 ? m - 1 : m;
  facts.degree_min = facts.degree_max = std::min<std::uint64_t>(m - 1, 2);
  facts.diameter = m / 2;
  facts.average_status = Fraction(Wide{m} * m / 4);
  facts.bisection_width = facts.degree_max;
  return facts;
}

std::string ring_picture(const MachineSpec& spec) {
  const std::uint64_t drawn = spec.processors <= longest_line ? spec.processors : 5;
  return caption("ring:" + std::to_string(drawn), spec) + line_picture(drawn, drawn > 2);
}

Positions path_layout(const MachineSpec& spec) { return on_line(spec.processors); }

Wiring path_wiring(const MachineSpec& spec) {
  return [m = static_cast<Rank>(spec.processors)](Rank rank, Port port) {
    if (port == up) return rank + 1 == m ? End{} : End{rank + 1, down};
    return rank == 0 ? End{} : End{rank - 1, up};
  };
}

MachineFacts path_facts(const MachineSpec& spec) {
  const std::uint64_t m = spec.processors;
  MachineFacts facts;
  facts.links = m - 1;
  facts.degree_min = std::min<std::uint64_t>(m - 1, 1);
  facts.degree_max = std::min<std::uint64_t>(m - 1, 2);
  facts.diameter = m - 1;
  facts.average_status = Fraction(Wide{m} * m - 1, 3);
  facts.bisection_width = facts.degree_min;
  facts.parted_pairs = static_cast<std::uint64_t>(Wide{m - 1} * (m - 1) / 2);  // by the middle, both ways
  return facts;
}

std::string path_picture(const MachineSpec& spec) {
  const std::uint64_t drawn = spec.processors <= longest_line ? spec.processors : 5;
  return caption("path:" + std::to_string(drawn), spec) + line_picture(drawn, false);
}

void read_complete(const SpecReader& reader, MachineSpec& spec) {
  spec.processors = reader.count(reader.parameters(), "M");
  spec.parameters = {spec.processors};
  spec.ports = spec.processors - 1;
}

Wiring complete_wiring(const MachineSpec&) {
  return [](Rank rank, Port port) {
    const Rank other = port < rank ? port : port + 1;
    return End{other, rank < other ? rank : rank - 1};
  };
}

MachineFacts complete_facts(const MachineSpec& spec) {
  const std::uint64_t m = spec.processors;
  MachineFacts facts;
  facts.links = m % 2 == 0 ? m / 2 * (m - 1) : m * ((m - 1) / 2);
  facts.degree_min = facts.degree_max = m - 1;
  facts.diameter = m == 1 ? 0 : 1;
  facts.average_status = Fraction(m - 1);
  facts.bisection_width = (m / 2) * (m - m / 2);
  return facts;
}

std::string complete_picture(const MachineSpec& spec) {
  const std::uint64_t drawn = std::min<std::uint64_t>(spec.processors, 4);
  const std::string picture = drawn == 4   ? "0---1\n|\\ /|\n| X |\n|/ \\|\n2---3\n"
                              : drawn == 3 ? "0---1\n \\ /\n  2\n"
                                           : line_picture(drawn, false);
  return caption("complete:" + std::to_string(drawn), spec) + picture;
}

}  // namespace

MachineFamily ring_family() {
  return {.name = "ring",
          .form = "ring:M",
          .limits = "M from 1 up",
          .example = "ring:5",
          .summary = "ring of M processors",
          .ports = "0 = rank + 1, 1 = rank - 1",
          .read = read_with_two_ports,
          .wiring = ring_wiring,
          .label = no_label,
          .facts = ring_facts,
          .picture = ring_picture};
}

MachineFamily path_family() {
  return {.name = "path",
          .form = "path:M",
          .limits = "M from 1 up",
          .example = "path:5",
          .summary = "linear array of M processors",
          .ports = "0 = rank + 1, 1 = rank - 1",
          .read = read_with_two_ports,
          .wiring = path_wiring,
          .label = no_label,
          .facts = path_facts,
          .picture = path_picture,
          .layout = path_layout};
}

MachineFamily complete_family() {
  return {.name = "complete",
          .form = "complete:M",
          .limits = "M from 1 up",
          .example = "complete:4",
          .summary = "every two of M processors linked",
          .ports = "the other ranks, ascending",
          .read = read_complete,
          .wiring = complete_wiring,
          .label = no_label,
          .facts = complete_facts,
          .picture = complete_picture};
}

}  // namespace lockstep
