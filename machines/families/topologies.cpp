#include "lockstep/machines/topologies.hpp"

#include <string>

#include "families/families.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

std::string joined(std::span<const Rank> numbers, const char* separator) {
  std::string text;
  for (const Rank number : numbers) text.append(text.empty() ? "" : separator).append(std::to_string(number));
  return text;
}

}  // namespace

Topology build(const MachineSpec& spec) {
  if (spec.medium) return Topology(printable(spec.text), static_cast<Rank>(spec.processors), *spec.medium);
  const MachineFamily& family = family_of(spec);
  return Topology::computed(printable(spec.text), static_cast<Rank>(spec.processors), static_cast<Port>(spec.ports),
                            family.wiring(spec), family.label(spec));
}

Wiring wiring(const MachineSpec& spec) { return family_of(spec).wiring(spec); }

Topology hypercube(unsigned n) { return build(parse_machine("hypercube:" + std::to_string(n))); }

Topology reduced_hypercube(unsigned k, unsigned n) {
  return build(parse_machine("rh:" + std::to_string(k) + "," + std::to_string(n)));
}

Topology ring(Rank m) { return build(parse_machine("ring:" + std::to_string(m))); }

Topology path(Rank m) { return build(parse_machine("path:" + std::to_string(m))); }

Topology complete(Rank m) { return build(parse_machine("complete:" + std::to_string(m))); }

Topology torus(std::span<const Rank> sides) { return build(parse_machine("torus:" + joined(sides, "x"))); }

Topology mesh(std::span<const Rank> sides) { return build(parse_machine("mesh:" + joined(sides, "x"))); }

Topology cube_connected_cycles(unsigned d) { return build(parse_machine("ccc:" + std::to_string(d))); }

Topology shuffle_exchange(unsigned n) { return build(parse_machine("shuffle-exchange:" + std::to_string(n))); }

Topology star(unsigned n) { return build(parse_machine("star:" + std::to_string(n))); }

Topology pancake(unsigned n) { return build(parse_machine("pancake:" + std::to_string(n))); }

Topology circulant(Rank m, std::span<const Rank> strides) {
  return build(parse_machine("circulant:" + std::to_string(m) + "," + joined(strides, ",")));
}

Topology graph(const std::string& file) { return build(parse_machine("graph:" + file)); }

Topology bus(Rank k, std::uint64_t kstar) {
  return build(parse_machine("bus:" + std::to_string(k) + ",kstar=" + std::to_string(kstar)));
}

Topology shared_memory(Rank k, std::uint64_t kstar) {
  return build(parse_machine("shared:" + std::to_string(k) + ",kstar=" + std::to_string(kstar)));
}

Topology crossbar_switch(Rank k) { return build(parse_machine("switch:" + std::to_string(k))); }

Topology omega_network(Rank k) { return build(parse_machine("omega:" + std::to_string(k))); }

Topology product(std::span<const MachineSpec> factors) { return build(product_of(factors)); }

}  // namespace lockstep
