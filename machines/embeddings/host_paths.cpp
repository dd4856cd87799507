// The paths of a host over which a guest's links lead: E-cube paths, row and column paths, or shortest ones of a table.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/grid.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

/// The distances between all processors.
class DistanceTable {
 public:
  DistanceTable(const MachineSpec& machine, const std::string& guest)
      : processors_(static_cast<Rank>(machine.processors)),
        ports_(static_cast<Port>(machine.ports)),
        wiring_(wiring(machine)),
        links_(machine.processors * machine.processors, unreached) {
    std::vector<Rank> reached;
    for (Rank to = 0; to < processors_; ++to) {
      reached.assign(1, to);
      at(to, to) = 0;
      for (std::size_t next = 0; next < reached.size(); ++next) {
        const Rank here = reached[next];
        for (Port port = 0; port < ports_; ++port) {
          const End there = wiring_(here, port);
          if (!there || at(there.rank, to) != unreached) continue;
          at(there.rank, to) = static_cast<std::uint16_t>(at(here, to) + 1);
          reached.push_back(there.rank);
        }
      }
      if (reached.size() != processors_) {
        throw InputError(printable(machine.text) + " is not connected: " + printable(guest) +
                         " needs a path between any two processors");
      }
    }
  }

  /// At each step the lowest of the ports that lead closer.
  std::vector<Port> path(Rank from, Rank to) const {
    std::vector<Port> ports;
    while (from != to) {
      Port port = 0;
      End there = wiring_(from, port);
      while (!there || at(there.rank, to) >= at(from, to)) there = wiring_(from, ++port);
      ports.push_back(port);
      from = there.rank;
    }
    return ports;
  }

 private:
  static constexpr std::uint16_t unreached = std::numeric_limits<std::uint16_t>::max();

  std::uint16_t& at(Rank from, Rank to) { return links_[std::size_t{to} * processors_ + from]; }
  std::uint16_t at(Rank from, Rank to) const { return links_[std::size_t{to} * processors_ + from]; }

  Rank processors_;
  Port ports_;
  Wiring wiring_;
  std::vector<std::uint16_t> links_;  ///< by destination, then by origin
};

/// On a grid the shortest paths over the lowest ports go dimension by dimension.
std::vector<Port> grid_path(const Grid& grid, Rank from, Rank to) {
  std::vector<Port> ports;
  for (const GridAxis& axis : grid.axes()) {
    const std::int64_t offset = axis.offset(axis.position(from), axis.position(to));
    ports.insert(ports.end(), static_cast<std::size_t>(offset < 0 ? -offset : offset), axis.towards(offset > 0));
  }
  return ports;
}

/// The lowest port that leads there; none if there is no such link.
std::optional<Port> link_between(const Wiring& host, Port ports, Rank from, Rank to) {
  for (Port port = 0; port < ports; ++port) {
    const End end = host(from, port);
    if (end && end.rank == to) return port;
  }
  return {};
}

}  // namespace

bool has_only_host_links(const Embedding& made) {
  const Wiring host = wiring(made.host);
  const bool has_all_links = made.host.family == "complete";
  std::vector<Rank> reached;
  for (Rank from = 0; from < made.processors; ++from) {
    reached.clear();
    for (Port port = 0; port < made.ports; ++port) {
      const End to = made.wiring(from, port);
      if (!to) continue;
      if (std::ranges::find(reached, to.rank) != reached.end()) return false;  // two links between the same two
      reached.push_back(to.rank);
      if (has_all_links) continue;
      if (!link_between(host, static_cast<Port>(made.host.ports), made.place(from), made.place(to.rank))) return false;
    }
  }
  return true;
}

void find_paths(Embedding& made) {
  const MachineSpec& host = made.host;
  if (is_hypercube(host)) {
    made.host_path = ecube_path;
  } else if (host.family == "rh") {
    made.host_path = [rh = ReducedHypercube(host)](Rank from, Rank to) { return rh.ecube_path(from, to); };
  } else if (is_grid(host)) {
    made.host_path = [grid = Grid(host)](Rank from, Rank to) { return grid_path(grid, from, to); };
  } else if (made.is_subgraph) {
    made.host_path = [host = wiring(host), ports = static_cast<Port>(host.ports)](Rank from, Rank to) {
      return std::vector<Port>{*link_between(host, ports, from, to)};
    };
  } else if (host.processors > most_paired_processors) {
    throw InputError(printable(host.text) + " is too large a host for " + printable(made.guest) +
                     ": the distances of all pairs are kept for at most " + std::to_string(most_paired_processors) +
                     " processors");
  } else {
    made.host_path = [distances = std::make_shared<const DistanceTable>(host, made.guest)](Rank from, Rank to) {
      return distances->path(from, to);
    };
  }
}

}  // namespace lockstep
