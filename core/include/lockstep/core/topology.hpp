#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/executor.hpp"
#include "lockstep/core/medium.hpp"
#include "lockstep/core/memory.hpp"

namespace lockstep {

/// Number of an emulated processor, 0 .. processors-1.
using Rank = std::uint32_t;
/// Number of a port of a processor, 0 .. ports-1.
using Port = std::uint32_t;

inline constexpr Rank no_rank = ~Rank{0};

/// One end of a link. A default-made end says that there is no link.
struct End {
  Rank rank = no_rank;
  Port port = 0;

  explicit operator bool() const { return rank != no_rank; }
  friend bool operator==(const End&, const End&) = default;
};

/// Who neighbours whom, by port. Immutable once made, so that every thread may read it.
///
/// Every processor has the ports 0 .. ports()-1; a port without a link leads nowhere. A link joins two ends, and
/// both directions of it belong to the two ports named: if peer(r, p) is {s, q} then peer(s, q) is {r, p}.
/// The ends are stored port by port (all ranks of port 0, then of port 1, ...), which is the order in which the
/// processors of one cycle usually walk through them.
class Topology {
 public:
  /// Names a processor for people, e.g. "(3,1)" on a torus.
  using Label = std::function<std::string(Rank)>;

  /// A machine of `processors` processors with `ports` ports each; `wiring(rank, port)` returns the End that the port
  /// leads to. `name` is the machine's specification, e.g. "hypercube:3". With an executor its threads fill in the ends
  /// together, and the wiring must not throw.
  /// Throws std::bad_alloc if the ends do not fit memory. verify() says whether the wiring is a legal one.
  template <class Wiring>
  Topology(std::string name, Rank processors, Port ports, const Wiring& wiring, Label label = {},
           Executor* executor = nullptr)
      : name_(std::move(name)),
        label_(std::move(label)),
        processors_(processors),
        ports_(ports),
        ends_(std::size_t{processors} * ports) {
    auto fill = [&](unsigned, std::size_t first, std::size_t last) {
      for (Port port = 0; port < ports; ++port) {
        for (std::size_t rank = first; rank < last; ++rank) {
          std::construct_at(&ends_[slot(static_cast<Rank>(rank), port)], wiring(static_cast<Rank>(rank), port));
        }
      }
    };
    if (executor == nullptr) {
      fill(0, 0, processors);
    } else {
      executor->for_ranges(processors, fill);
    }
  }

  /// A machine whose processors share a medium and have no ports.
  Topology(std::string name, Rank processors, const Medium& medium)
      : name_(std::move(name)), medium_(medium), processors_(processors), ports_(0), ends_(0) {}

  const std::string& name() const { return name_; }
  const std::optional<Medium>& medium() const { return medium_; }
  Rank processors() const { return processors_; }
  Port ports() const { return ports_; }

  /// Index of (rank, port) in every array that holds one entry an end.
  std::size_t slot(Rank rank, Port port) const { return std::size_t{port} * processors_ + rank; }
  std::size_t slots() const { return ends_.size(); }

  /// Where the port leads; an empty End if it has no link. The rank and port must exist.
  const End& peer(Rank rank, Port port) const { return ends_[slot(rank, port)]; }
  /// The port that leads to a neighbour; ports() if the other is none. Looks at one port after the other.
  Port port_to(Rank rank, Rank neighbour) const {
    Port port = 0;
    while (port < ports_ && peer(rank, port).rank != neighbour) ++port;
    return port;
  }
  /// All ends, by slot.
  const End* ends() const { return ends_.data(); }

  /// Links of this processor; none on a medium.
  Port degree(Rank rank) const;
  /// Links of the machine, each counted once.
  std::uint64_t links() const;
  /// What people call the processor: its coordinates if the machine has some, else its rank.
  std::string label(Rank rank) const { return label_ ? label_(rank) : std::to_string(rank); }

  /// Checks that every link joins two existing, different processors and that both ends agree on it.
  /// Throws std::invalid_argument naming the first end that is wrong.
  void verify() const;

  /// Bytes that a topology of this size keeps.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports) { return processors * ports * sizeof(End); }

 private:
  std::string name_;
  Label label_;
  std::optional<Medium> medium_;
  Rank processors_;
  Port ports_;
  detail::LargeArray<End> ends_;
};

}  // namespace lockstep
