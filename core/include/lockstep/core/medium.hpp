#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace lockstep {

/// Number of a slot of a shared memory.
using Slot = std::uint32_t;

/// What processors may share instead of links.
enum class MediumKind {
  bus,      ///< a payload goes from one processor to any set of others
  memory,   ///< processors write and read slots
  crossbar  ///< in a cycle every processor may send to one other and receive from one other
};

/// A message that crosses a switch in one cycle.
struct Crossing {
  std::uint32_t from;  ///< rank of the sender
  std::uint32_t to;    ///< rank of the receiver

  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

/// Two messages that want the same output of one stage of the network inside a switch.
struct Blocking {
  unsigned stage;   ///< from 0, where messages enter
  Crossing first;   ///< one of them
  Crossing second;  ///< the other
};

/// What all processors of a machine share instead of links of their own. Processors have no ports; those of a bus and a
/// switch name each other by rank.
struct Medium {
  /// What a crossbar for so many processors is made of: the first blocking of the crossings of one cycle, which are
  /// ordered by sender and have different receivers; none if all pass.
  using Network = std::optional<Blocking> (*)(std::uint32_t processors, std::span<const Crossing>);

  MediumKind kind = MediumKind::crossbar;  ///< what it is
  /// kstar: most transactions of a bus, or accesses to a memory, in one cycle.
  std::uint64_t users = std::numeric_limits<std::uint64_t>::max();
  Network network = nullptr;  ///< none: everything passes
  bool copies = false;        ///< of a crossbar: one send may go to several receivers
  std::uint64_t banks = 0;  ///< of a memory: slot s is in bank s mod banks, which serves one processor a cycle; 0: all
};

}  // namespace lockstep
