#include "lockstep/machines/embedding.hpp"

#include <algorithm>
#include <array>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {

std::string embeddable_in(std::string_view family) {
  if (family == "hypercube") return "torus:AxB.., mesh:AxB.., ring:M, path:M, binary-tree or complete:2^N";
  if (family == "rh") return "hypercube:K+2^N, ccc:2^N, ring:M, path:M, binary-tree or complete:N";
  return "complete:N";
}

Embedding embedding(std::string_view guest, const MachineSpec& host) {
  if (guest.empty()) throw InputError("--embed needs a machine, e.g. torus:4x8");
  if (host.medium) {
    throw InputError("nothing can be embedded in " + printable(host.text) +
                     ": only a machine with links can be a host");
  }
  Embedding made;
  made.host = host;
  made.guest = guest;
  if (is_hypercube(host)) {
    made.host_path = ecube_path;
  } else if (host.family == "rh") {
    made.host_path = [rh = ReducedHypercube(host)](Rank from, Rank to) { return rh.ecube_path(from, to); };
  }
  if (guest == "binary-tree") {
    if (!made.host_path) {
      throw InputError("no embedding of binary-tree in " + printable(host.text) + " is known; " + host.family +
                       " holds " + embeddable_in(host.family));
    }
    embed_tree(made);
    return made;
  }
  made.machine = parse_machine(guest);
  const MachineSpec& machine = *made.machine;
  if (machine == host) throw InputError(printable(host.text) + " needs no embedding in itself");
  const bool is_held = embed_complete(made) || (is_hypercube(host) && embed_in_hypercube(made)) ||
                       (host.family == "rh" && embed_in_reduced_hypercube(made));
  if (!is_held) {
    throw InputError("no embedding of " + printable(machine.text) + " in " + printable(host.text) + " is known; " +
                     host.family + " holds " + embeddable_in(host.family));
  }
  made.processors = machine.processors;
  made.ports = static_cast<Port>(machine.ports);
  made.wiring = wiring(machine);
  return made;
}

Embedding emulated_hypercube(const MachineSpec& reduced) {
  return embedding("hypercube:" + std::to_string(ReducedHypercube(reduced).address_bits()), reduced);
}

std::uint64_t exchange_steps(const ReducedHypercube& rh, Port b, PortModel ports, bool is_both_ways) {
  if (b < rh.k() || rh.n() == 0) return 1;
  if (ports == PortModel::all || !is_both_ways) return rh.block_dimensions() + 1;
  constexpr std::array<std::uint64_t, 5> both_ways_with_one_port{1, 4, 10, 20, 39};
  return both_ways_with_one_port.at(rh.n());
}

EmbeddingCosts costs_of(const Embedding& embedding) {
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
