#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace lockstep {

/// Number of a slot of a shared memory.
using Slot = std::uint32_t;

/// The kinds of medium that processors may share instead of links.
enum class MediumKind {
  bus,      ///< a payload goes from one processor to any set of others
  memory,   ///< processors write and read slots
  crossbar  ///< in a cycle every processor may send to one other and receive from one other; to and from K under
            ///< k_ports()
};

/// A message that crosses a switch in one cycle.
struct Crossing {
  std::uint32_t from;  ///< rank of the sender
  std::uint32_t to;    ///< rank of the receiver

  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

/// Two messages that need the same output of one stage of the network inside a switch.
struct Blocking {
  unsigned stage;   ///< from 0, where messages enter
  Crossing first;   ///< one of them
  Crossing second;  ///< the other
};

/// The medium that all processors of a machine share instead of links. Processors have no ports; those of a bus and a
/// switch name each other by rank.
struct Medium {
  /// The network inside a crossbar: returns the first blocking among the crossings of one cycle, which are ordered by
  /// sender and have different receivers, or none if all pass.
  using Network = std::optional<Blocking> (*)(std::uint32_t processors, std::span<const Crossing>);

  MediumKind kind = MediumKind::crossbar;  ///< its kind
  /// kstar: the most transactions on a bus, or accesses to a memory, per cycle.
  std::uint64_t users = std::numeric_limits<std::uint64_t>::max();
  Network network = nullptr;  ///< none: everything passes
  bool copies = false;        ///< crossbar: one send may go to several receivers
  std::uint64_t banks =
      0;  ///< memory: slot s is in bank s mod banks, a bank serves one processor per cycle; 0: no banks

  /// Whether its processors may send and receive several messages in a cycle, under k_ports().
  bool takes_k_ports() const { return kind == MediumKind::crossbar && network == nullptr; }
};

}  // namespace lockstep
