#include "parting.hpp"

#include "lockstep/machines/topologies.hpp"

namespace lockstep::bounds {
namespace {

/// Removes each processor in turn, which takes time in proportion to the processors times the ends of links.
constexpr std::uint64_t most_visits = std::uint64_t{1} << 18;

}  // namespace

std::vector<Parting> partings(const MachineSpec& machine) {
  const std::uint64_t ends = machine.processors * machine.ports;
  if (machine.medium || ends == 0 || machine.processors > most_visits / ends) return {};
  const Wiring end = wiring(machine);
  std::vector<Parting> found;
  for (Rank between = 0; between < machine.processors; ++between) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    Parting parting{.between = between, .parts = {}, .part_of = std::vector<std::uint32_t>(machine.processors, none)};
    for (Port port = 0; port < machine.ports; ++port) {
      const End first = end(between, port);
      if (!first) continue;
      if (parting.part_of[first.rank] != none) {
        ++parting.parts[parting.part_of[first.rank]].links;
        continue;
      }
      const auto part = static_cast<std::uint32_t>(parting.parts.size());
      std::vector<Rank> reached{first.rank};
      parting.part_of[first.rank] = part;
      for (std::size_t next = 0; next < reached.size(); ++next) {
        for (Port of_next = 0; of_next < machine.ports; ++of_next) {
          const End to = end(reached[next], of_next);
          if (!to || to.rank == between || parting.part_of[to.rank] != none) continue;
          parting.part_of[to.rank] = part;
          reached.push_back(to.rank);
        }
      }
      parting.parts.push_back({.processors = reached.size(), .links = 1});
    }
    if (parting.parts.size() > 1) found.push_back(std::move(parting));
  }
  return found;
}

}  // namespace lockstep::bounds
