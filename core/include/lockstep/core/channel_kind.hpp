#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

/// What holds the messages on their way over a link. Results never depend on it.
enum class ChannelKind {
  lockfree,  ///< boost::lockfree::spsc_queue
  compact    ///< places that the link's own states address, for machines of more links than caches hold queues of
};

/// As reports name it: "lockfree".
std::string_view name(ChannelKind kind);

/// What a machine uses unless it is told otherwise, if its queues would take so many bytes: compact channels from 16
/// MiB on, where caches decide.
constexpr ChannelKind channel_kind(std::uint64_t bytes_of_queues) {
  return bytes_of_queues <= std::uint64_t{16} << 20 ? ChannelKind::lockfree : ChannelKind::compact;
}

}  // namespace lockstep
