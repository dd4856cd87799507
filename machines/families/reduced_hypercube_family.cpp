#include <algorithm>
#include <utility>
#include <vector>

#include "families/families.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

void rh_read(const SpecReader& reader, MachineSpec& spec) {
  const std::vector<std::string_view> numbers = reader.split(',');
  if (numbers.size() != 2) {
    reader.refuse("two numbers are needed, K and N, not " + std::to_string(numbers.size()));
  }
  const std::uint64_t k = reader.number(numbers[0], "K");
  const std::uint64_t n = reader.number(numbers[1], "N");
  if (k < n) reader.refuse("K = " + std::to_string(k) + " is less than N = " + std::to_string(n));
  spec.parameters = {k, n};
  spec.processors = saturating_product(saturating_power_of_two(k), saturating_power_of_two(saturating_power_of_two(n)));
  spec.ports = k + 1;
}

ReducedHypercube rh_addresses(const MachineSpec& spec) {
  return ReducedHypercube(static_cast<unsigned>(spec.parameters[0]), static_cast<unsigned>(spec.parameters[1]));
}

Wiring rh_wiring(const MachineSpec& spec) {
  return [rh = rh_addresses(spec)](Rank rank, Port port) { return End{rh.neighbour(rank, port), port}; };
}

Topology::Label rh_label(const MachineSpec& spec) {
  return [rh = rh_addresses(spec)](Rank rank) {
    return bits(rh.bb(rank), rh.block_dimensions()) + "." + bits(rh.f0(rank), rh.k());
  };
}

MachineFacts rh_facts(const MachineSpec& spec) {
  const ReducedHypercube rh = rh_addresses(spec);
  const std::uint64_t degree = rh.k() + 1;
  MachineFacts facts;
  facts.links = spec.processors * degree / 2;
  facts.degree_min = facts.degree_max = degree;
  facts.diameter = rh.diameter();
  facts.hypercube_dilation = hypercube_dilation(rh);
  if (rh.n() == 0) {  // the (k+1)-cube
    facts.average_status = Fraction(facts.links);
    facts.bisection_width = spec.processors / 2;
  } else if (const auto found = symmetric_distances(spec, rh_wiring(spec))) {
    facts.average_status = found->average_status;
  }
  return facts;
}

std::string rh_picture(const MachineSpec& spec) {
  const auto [k, n] = std::pair(spec.parameters[0], spec.parameters[1]);
  if (n == 0) {
    const std::uint64_t drawn = std::min<std::uint64_t>(k, 2);
    return caption("rh:" + std::to_string(drawn) + ",0", spec) + hypercube_picture(static_cast<unsigned>(drawn + 1));
  }
  return caption("rh:1,1", spec) +
         "bb 01 [ 2 --- 3 ]---[ 7 --- 6 ] bb 11\n"
         "        |                   |\n"
         "bb 00 [ 0 --- 1 ]---[ 5 --- 4 ] bb 10\n"
         "in brackets a building block, a K-cube; one link leads out of it from every node\n";
}

Positions rh_layout(const MachineSpec& spec) {
  const ReducedHypercube rh = rh_addresses(spec);
  return on_cube(rh.address_bits(), rh.k());
}

}  // namespace

MachineFamily reduced_hypercube_family() {
  return {.name = "rh",
          .form = "rh:K,N",
          .limits = "K >= N >= 0 and K + 2^N at most 31",
          .example = "rh:2,1",
          .summary = "reduced hypercube RH(K,N), 2^(K+2^N) processors",
          .ports = "0..K-1 inside the building block: rank xor 2^p; K out of it",
          .read = rh_read,
          .wiring = rh_wiring,
          .label = rh_label,
          .facts = rh_facts,
          .picture = rh_picture,
          .layout = rh_layout};
}

}  // namespace lockstep
