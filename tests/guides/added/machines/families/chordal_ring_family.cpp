#include "families/families.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"

namespace lockstep {

namespace {

constexpr Port up_port = 0;
constexpr Port down_port = 1;
constexpr Port chord_port = 2;

void chordal_ring_read(const SpecReader& reader, MachineSpec& spec) {
  const std::vector<std::string_view> numbers = reader.split(',');
  if (numbers.size() != 2) reader.refuse("it has not two numbers");
  const std::uint64_t m = reader.count(numbers[0], "M");
  const std::uint64_t s = reader.count(numbers[1], "S");
  if (m % 2 != 0 || m < 6) reader.refuse("M is not an even number from 6 up");
  if (s % 2 == 0 || s < 3 || s > m - 3) reader.refuse("S is not an odd number from 3 to M-3");
  spec.parameters = {m, s};
  spec.processors = m;
  spec.ports = 3;
}

// The chord of an odd rank leads S up, so that of an even one leads S down.
Wiring chordal_ring_wiring(const MachineSpec& spec) {
  return [m = spec.parameters[0], s = spec.parameters[1]](Rank rank, Port port) {
    const bool is_up = port == chord_port ? rank % 2 == 1 : port == up_port;
    const std::uint64_t step = port == chord_port ? s : 1;
    const auto peer = static_cast<Rank>((rank + (is_up ? step : m - step)) % m);
    return End{peer, port == chord_port ? chord_port : is_up ? down_port : up_port};
  };
}

MachineFacts chordal_ring_facts(const MachineSpec& spec) {
  MachineFacts facts;
  facts.links = spec.processors / 2 * 3;
  facts.degree_min = facts.degree_max = 3;
  // It looks the same from every processor: a turn by 2, and rank r to 1 - r, map links to links.
  if (const auto found = symmetric_distances(spec, chordal_ring_wiring(spec))) {
    facts.diameter = found->diameter;
    facts.average_status = found->average_status;
  }
  return facts;
}

std::string chordal_ring_picture(const MachineSpec& spec) {
  return caption(spec.text, spec) + neighbour_table(spec, chordal_ring_wiring(spec));
}

}  // namespace

MachineFamily chordal_ring_family() {
  return {.name = "chordal-ring",
          .form = "chordal-ring:M,S",
          .limits = "M even from 6 up, S odd from 3 to M-3",
          .example = "chordal-ring:14,5",
          .summary = "ring of M processors, each with a chord over S of them",
          .ports = "0 = rank + 1, 1 = rank - 1, 2 = rank + S of odd and rank - S of even ranks, mod M",
          .read = chordal_ring_read,
          .wiring = chordal_ring_wiring,
          .label = no_label,
          .facts = chordal_ring_facts,
          .picture = chordal_ring_picture};
}

}  // namespace lockstep
