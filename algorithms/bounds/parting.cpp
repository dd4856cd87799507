#include "parting.hpp"

#include "machine_view.hpp"
#include "method/kept_by_machine.hpp"

namespace lockstep::bounds {
namespace {

/// Removes each processor in turn, which takes time in proportion to the processors times the ends of links.
constexpr std::uint64_t most_visits = std::uint64_t{1} << 18;

std::vector<Parting> all_partings(const MachineSpec& machine) {
  const std::uint64_t ends = machine.processors * machine.ports;
  if (machine.medium || ends == 0 || machine.processors > most_visits / ends) return {};
  const Neighbours near = neighbours(machine);
  std::vector<Parting> found;
  for (Rank between = 0; between < machine.processors; ++between) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    Parting parting{.between = between, .parts = {}, .part_of = std::vector<std::uint32_t>(machine.processors, none)};
    for (const Rank first : near[between]) {
      if (parting.part_of[first] != none) {
        ++parting.parts[parting.part_of[first]].links;
        continue;
      }
      const auto part = static_cast<std::uint32_t>(parting.parts.size());
      std::vector<Rank> reached{first};
      parting.part_of[first] = part;
      for (std::size_t next = 0; next < reached.size(); ++next) {
        for (const Rank to : near[reached[next]]) {
          if (to == between || parting.part_of[to] != none) continue;
          parting.part_of[to] = part;
          reached.push_back(to);
        }
      }
      parting.parts.push_back({.processors = reached.size(), .links = 1});
    }
    if (parting.parts.size() > 1) found.push_back(std::move(parting));
  }
  return found;
}

}  // namespace

std::shared_ptr<const std::vector<Parting>> partings(const MachineSpec& machine) {
  static method::KeptByMachine<std::vector<Parting>> kept;
  return kept.find(machine, 0, [&] { return all_partings(machine); });
}

}  // namespace lockstep::bounds
