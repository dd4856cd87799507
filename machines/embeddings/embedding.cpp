#include "lockstep/machines/embedding.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {

namespace {

void refuse_guest(const Embedding& made, bool has_map) {
  const MachineSpec& machine = *made.machine;
  const MachineSpec& host = made.host;
  if (machine.medium) {
    throw InputError(printable(machine.text) + " has no links, and only a machine with links can be embedded");
  }
  if (machine == host && !has_map) throw InputError(printable(host.text) + " needs no embedding in itself");
  if (machine.processors > host.processors) {
    throw InputError(printable(host.text) + " has " + counted(host.processors, "processor") + ", too few for " +
                     printable(machine.text) + ", which has " + std::to_string(machine.processors));
  }
  if (machine.family == "complete" && machine.processors > most_paired_processors) {
    throw InputError(printable(machine.text) + " is too large a guest: at most " +
                     std::to_string(most_paired_processors) + " processors");
  }
}

void place(Embedding& made, const std::optional<std::string>& map) {
  if (map) return place_by_map(made, *map);
  const bool is_cube = is_hypercube(made.host);
  const bool is_placed =
      made.machine->family != "complete" &&
      ((is_cube && place_in_hypercube(made)) || (made.host.family == "rh" && place_in_reduced_hypercube(made)) ||
       (is_grid(made.host) && place_in_grid(made)) || place_along_path(made));
  if (!is_placed) place_at_equal_ranks(made);
}

}  // namespace

Embedding placed(std::string_view guest, const MachineSpec& host, const std::optional<std::string>& map) {
  if (guest.empty()) throw InputError("--embed needs a machine, e.g. torus:4x8");
  if (host.medium) {
    throw InputError("nothing can be embedded in " + printable(host.text) +
                     ": only a machine with links can be a host");
  }
  Embedding made;
  made.host = host;
  made.guest = guest;
  if (guest == "binary-tree") {
    if (map) throw InputError("--map is for machines; binary-tree is always placed by levels");
    place_tree(made);
    return made;
  }
  made.machine = parse_machine(guest);
  const MachineSpec& machine = *made.machine;
  refuse_guest(made, map.has_value());
  made.processors = machine.processors;
  made.ports = static_cast<Port>(machine.ports);
  made.wiring = wiring(machine);
  place(made, map);
  if (!made.is_subgraph) {
    refuse_large_table(made);
    made.is_subgraph = has_only_host_links(made);
  }
  return made;
}

Embedding embedding(std::string_view guest, const MachineSpec& host, const std::optional<std::string>& map) {
  Embedding made = placed(guest, host, map);
  find_paths(made);
  return made;
}

Embedding emulated_hypercube(const MachineSpec& host) {
  if (host.family == "rh") return embedding("hypercube:" + std::to_string(ReducedHypercube(host).address_bits()), host);
  if (!std::has_single_bit(host.processors)) {
    throw InputError(printable(host.text) + " has " + counted(host.processors, "processor") +
                     ", and a hypercube has a power of two");
  }
  return embedding("hypercube:" + std::to_string(std::bit_width(host.processors) - 1), host);
}

std::uint64_t exchange_steps(const ReducedHypercube& rh, Port b, PortModel ports, bool is_both_ways) {
  if (b < rh.k() || rh.n() == 0) return 1;
  if (ports == PortModel::all || !is_both_ways) return rh.block_dimensions() + 1;
  constexpr std::array<std::uint64_t, 5> both_ways_with_one_port{1, 4, 10, 20, 39};
  return both_ways_with_one_port.at(rh.n());
}

EmbeddingCosts costs_of(const Embedding& embedding, std::uint64_t most_links) {
  const Wiring host = wiring(embedding.host);
  std::vector<std::uint32_t> over_link(embedding.host.processors * embedding.host.ports);
  EmbeddingCosts costs;
  std::uint64_t length = 0;
  for (Rank from = 0; from < embedding.processors; ++from) {
    for (Port port = 0; port < embedding.ports; ++port) {
      const End to = embedding.wiring(from, port);
      if (!to) continue;
      const std::vector<Port> path = embedding.path(from, to.rank);
      ++costs.links;
      length += path.size();
      if (length > most_links) {
        throw InputError("the paths of " + printable(embedding.guest) + " in " + printable(embedding.host.text) +
                         " are followed link by link, and have more than " + std::to_string(most_links) + " links");
      }
      costs.dilation = std::max<std::uint64_t>(costs.dilation, path.size());
      Rank at = embedding.place(from);
      for (const Port step : path) {
        std::uint32_t& uses = over_link[std::size_t{at} * embedding.host.ports + step];
        costs.congestion = std::max<std::uint64_t>(costs.congestion, ++uses);
        at = host(at, step).rank;
      }
    }
  }
  costs.average_dilation = costs.links == 0 ? Fraction(0) : Fraction(length, costs.links);
  costs.expansion = Fraction(embedding.host.processors, embedding.processors);
  return costs;
}

}  // namespace lockstep
