#include "lockstep/core/topology.hpp"

#include <stdexcept>

namespace lockstep {

Port Topology::degree(Rank rank) const {
  Port links = 0;
  for (Port port = 0; port < ports_; ++port) links += peer(rank, port) ? 1 : 0;
  return links;
}

std::uint64_t Topology::links() const {
  std::uint64_t ends = 0;
  for (Port port = 0; port < ports_; ++port) {
    for (Rank rank = 0; rank < processors_; ++rank) ends += peer(rank, port) ? 1 : 0;
  }
  return ends / 2;
}

End Topology::first_look(Rank rank, Port port) const { return note(rank, port, wiring_(rank, port)); }

void Topology::verify() const {
  for (Port port = 0; port < ports_; ++port) {
    for (Rank rank = 0; rank < processors_; ++rank) {
      const End there = peer(rank, port);
      if (!there) continue;
      const std::string here = "rank " + std::to_string(rank) + " port " + std::to_string(port);
      if (there.rank >= processors_ || there.port >= ports_) throw std::invalid_argument(here + " leads nowhere");
      if (there.rank == rank) throw std::invalid_argument(here + " leads to its own processor");
      if (peer(there.rank, there.port) != End{rank, port}) {
        throw std::invalid_argument(here + " leads to rank " + std::to_string(there.rank) + " port " +
                                    std::to_string(there.port) + ", which leads elsewhere");
      }
    }
  }
}

}  // namespace lockstep
