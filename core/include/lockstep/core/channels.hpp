#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "lockstep/core/channel.hpp"
#include "lockstep/core/compact_channel.hpp"
#include "lockstep/core/memory.hpp"

namespace lockstep {

/// What holds the messages on their way.
enum class ChannelKind {
  lockfree,  ///< boost::lockfree::spsc_queue
  compact    ///< slots addressed by the counters of the link, for machines with many ports a processor
};

std::string_view name(ChannelKind kind);

// A build may choose for itself from how many ports a processor on channels are compact, the same in all its sources.
#ifndef LOCKSTEP_COMPACT_CHANNELS_FROM
#define LOCKSTEP_COMPACT_CHANNELS_FROM 8
#endif

/// What a machine whose processors have so many ports uses, unless it is told otherwise.
constexpr ChannelKind channel_kind(std::uint64_t ports) {
  const bool many = std::cmp_greater_equal(ports, LOCKSTEP_COMPACT_CHANNELS_FROM);
  return many ? ChannelKind::compact : ChannelKind::lockfree;
}

namespace detail {

/// The channels of a machine, one a directed link, by the slot of the receiving end.
template <Payload T, std::size_t Capacity>
class Channels {
  using Lockfree = Channel<T, Capacity>;
  using Compact = CompactChannel<T, Capacity>;

 public:
  /// Throws std::bad_alloc if they do not fit memory.
  Channels(ChannelKind kind, std::size_t slots)
      : kind_(kind),
        lockfree_(kind == ChannelKind::lockfree ? slots : 0),
        compact_(kind == ChannelKind::compact ? slots : 0) {}

  static constexpr std::uint64_t bytes(ChannelKind kind, std::uint64_t slots) {
    return slots * (kind == ChannelKind::lockfree ? sizeof(Lockfree) : sizeof(Compact));
  }

  void construct(std::size_t first, std::size_t last) {
    if (kind_ == ChannelKind::lockfree) {
      lockfree_.construct(first, last);
    } else {
      compact_.construct(first, last);
    }
  }

  /// Puts the message that follows `sent` others into a channel that is not full.
  void put(std::size_t slot, Total sent, T&& payload, double arrival) {
    if (kind_ == ChannelKind::compact) {
      compact_[slot].put(sent, std::move(payload), arrival);
    } else {
      lockfree_[slot].put(std::move(payload), arrival);
    }
  }

  /// Takes the message that follows `taken` others, which has arrived.
  Message<T> take(std::size_t slot, Total taken, Port port) {
    return kind_ == ChannelKind::compact ? compact_[slot].take(taken, port) : lockfree_[slot].take(port);
  }

  /// Destroys what is in the channel: the messages from number `taken` to `sent` - 1.
  void clear(std::size_t slot, Total taken, Total sent) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      if (kind_ == ChannelKind::compact) {
        compact_[slot].clear(taken, sent);
      } else {
        for (; taken != sent; ++taken) lockfree_[slot].take(0);
      }
    }
  }

 private:
  ChannelKind kind_;
  LargeArray<Lockfree> lockfree_;
  LargeArray<Compact> compact_;
};

}  // namespace detail
}  // namespace lockstep
