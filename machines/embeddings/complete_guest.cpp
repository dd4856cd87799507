// The complete graph on any connected machine with links: between any two processors, messages take shortest paths.
#include <limits>
#include <memory>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

/// The distances between all processors.
class DistanceTable {
 public:
  explicit DistanceTable(const MachineSpec& machine)
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
        throw InputError(printable(machine.text) + " is not connected: complete:" + std::to_string(processors_) +
                         " needs a way between any two");
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

/// The guest's links, and the distances, are as many as there are pairs.
constexpr std::uint64_t most_paired_processors = 4096;

}  // namespace

bool embed_complete(Embedding& made) {
  const MachineSpec& machine = *made.machine;
  if (machine.family != "complete") return false;
  if (machine.processors != made.host.processors) {
    throw InputError(printable(made.host.text) + " holds complete:" + std::to_string(made.host.processors) +
                     ", of as many processors, not " + printable(machine.text));
  }
  if (machine.processors > most_paired_processors) {
    throw InputError(printable(machine.text) + " is too large a guest: at most " +
                     std::to_string(most_paired_processors) + " processors");
  }
  made.place = [](Rank rank) { return rank; };
  made.map = "equal ranks";
  made.source = "any two processors have a shortest way between them";
  if (!made.host_path) {
    made.host_path = [distances = std::make_shared<const DistanceTable>(made.host)](Rank from, Rank to) {
      return distances->path(from, to);
    };
  }
  return true;
}

}  // namespace lockstep
