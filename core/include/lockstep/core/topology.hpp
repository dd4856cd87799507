#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/medium.hpp"

namespace lockstep {

/// Number of an emulated processor, 0 .. processors-1.
using Rank = std::uint32_t;
/// Number of a port of a processor, 0 .. ports-1.
using Port = std::uint32_t;

inline constexpr Rank no_rank = ~Rank{0};  ///< the rank of no processor

/// One end of a link. A default-constructed end means that there is no link.
struct End {
  Rank rank = no_rank;  ///< of the processor there
  Port port = 0;        ///< of the link, at that processor

  /// Whether there is a link.
  explicit operator bool() const { return rank != no_rank; }
  friend bool operator==(const End&, const End&) = default;
};

namespace detail {
class LinkNetwork;

/// An entry of a topology's table: 0 until it is filled in; then its low half is rank + 1, or 0 if there is no link,
/// and its high half the port, or any number but 0 if there is no link.
struct PeerEntry {
  static constexpr std::uint64_t unknown = 0;
  static constexpr std::uint64_t no_link = std::uint64_t{1} << 32;

  static Port port(std::uint64_t entry) { return static_cast<Port>(entry >> 32); }
  /// no_rank if there is no link or the entry is not filled in.
  static Rank rank(std::uint64_t entry) { return static_cast<Rank>(entry) - 1; }
};

}  // namespace detail

/// Which processors are neighbours, by port. Its observable state never changes, so every thread may read it.
///
/// Every processor has the ports 0 .. ports()-1; a port without a link leads nowhere. A link joins two ends, and
/// both directions of it belong to the two ports named: if peer(r, p) is {s, q} then peer(s, q) is {r, p}.
/// The ends are stored port by port (all ranks of port 0, then of port 1, ...), the order in which the processors of
/// one cycle usually read them. A computed topology fills in an entry at its first use; concurrent first uses store the
/// same value, atomically.
class Topology {
 public:
  /// Names a processor for people, e.g. "(3,1)" on a torus.
  using Label = std::function<std::string(Rank)>;

  /// A machine of `processors` processors with `ports` ports each; `wiring(rank, port)` returns the End that the port
  /// leads to. `name` is the machine's specification, e.g. "hypercube:3". With an executor, its threads fill in the
  /// ends together and the wiring must not throw. Throws std::bad_alloc if the ends do not fit in memory. verify()
  /// checks the wiring.
  template <class Wiring>
  Topology(std::string name, Rank processors, Port ports, const Wiring& wiring, Label label = {},
           Executor* executor = nullptr)
      : name_(std::move(name)),
        label_(std::move(label)),
        processors_(processors),
        ports_(ports),
        peers_(std::size_t{processors} * ports) {
    auto fill = [&](unsigned, std::size_t first, std::size_t last) {
      for (Port port = 0; port < ports; ++port) {
        for (std::size_t rank = first; rank < last; ++rank) {
          note(static_cast<Rank>(rank), port, wiring(static_cast<Rank>(rank), port));
        }
      }
    };
    if (executor == nullptr) {
      fill(0, 0, processors);
    } else {
      executor->for_ranges(processors, fill);
    }
  }

  /// Where a port leads.
  using Wiring = std::function<End(Rank, Port)>;

  /// The same, but `wiring` is kept and called for an end at its first use, from any thread. It must own what it uses,
  /// always return the same end, and not throw.
  static Topology computed(std::string name, Rank processors, Port ports, Wiring wiring, Label label = {}) {
    Topology topology(std::move(name), processors, ports, std::move(label));
    topology.wiring_ = std::move(wiring);
    return topology;
  }

  /// A machine whose processors share a medium and have no ports.
  Topology(std::string name, Rank processors, const Medium& medium)
      : name_(std::move(name)), medium_(medium), processors_(processors), ports_(0) {}

  /// The machine's specification, or the name given to it.
  const std::string& name() const { return name_; }
  /// The medium that the processors share instead of links, if any.
  const std::optional<Medium>& medium() const { return medium_; }
  /// How many there are.
  Rank processors() const { return processors_; }
  /// Ports of every processor, those without a link included; 0 on a medium.
  Port ports() const { return ports_; }

  /// Index of (rank, port) in every array with one entry per end.
  std::size_t slot(Rank rank, Port port) const { return std::size_t{port} * processors_ + rank; }
  /// The size of such an array.
  std::size_t slots() const { return peers_.size(); }

  /// Where the port leads; an empty End if it has no link. The rank and port must exist.
  End peer(Rank rank, Port port) const {
    const std::uint64_t known = peers_[slot(rank, port)].load(std::memory_order_relaxed);
    if (known == detail::PeerEntry::unknown) [[unlikely]]
      return first_look(rank, port);
    if (known == detail::PeerEntry::no_link) return {};
    return {detail::PeerEntry::rank(known), detail::PeerEntry::port(known)};
  }
  /// Uncached; for callers that scan all ends where a run uses only a few.
  End glance(Rank rank, Port port) const { return wiring_ ? wiring_(rank, port) : peer(rank, port); }
  /// The port that leads to a neighbour; ports() if the other processor is none. Takes time in proportion to the ports.
  Port port_to(Rank rank, Rank neighbour) const {
    Port port = 0;
    while (port < ports_ && peer(rank, port).rank != neighbour) ++port;
    return port;
  }

  /// Links of this processor; none on a medium.
  Port degree(Rank rank) const;
  /// Links of the machine, each counted once.
  std::uint64_t links() const;
  /// The processor's name for people: its coordinates if the machine has some, else its rank.
  std::string label(Rank rank) const { return label_ ? label_(rank) : std::to_string(rank); }

  /// Checks that every link joins two existing, different processors and that both ends agree on it.
  /// Throws std::invalid_argument naming the first end that is wrong.
  void verify() const;

  /// Upper bound of the bytes that a topology of this size keeps.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports) {
    return processors * ports * sizeof(std::uint64_t);
  }

 private:
  Topology(std::string name, Rank processors, Port ports, Label label)
      : name_(std::move(name)),
        label_(std::move(label)),
        processors_(processors),
        ports_(ports),
        peers_(std::size_t{processors} * ports) {}

  friend class detail::LinkNetwork;

  const End& note(Rank rank, Port port, const End& end) const {
    const std::uint64_t entry = end ? std::uint64_t{end.port} << 32 | (end.rank + 1) : detail::PeerEntry::no_link;
    peers_[slot(rank, port)].store(entry, std::memory_order_relaxed);
    return end;
  }
  End first_look(Rank rank, Port port) const;

  std::string name_;
  Label label_;
  Wiring wiring_;
  std::optional<Medium> medium_;
  Rank processors_;
  Port ports_;
  mutable detail::LargeArray<detail::Atomic<std::uint64_t>> peers_;  // by slot
};

}  // namespace lockstep
