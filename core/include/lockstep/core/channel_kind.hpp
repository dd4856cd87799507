#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

/// The container of the messages on their way over a link. Results never depend on it.
enum class ChannelKind {
  lockfree,  ///< boost::lockfree::spsc_queue
  compact    ///< places addressed by the link's own states, for machines whose queues would not fit in the caches
};

/// As reports name it: "lockfree".
std::string_view name(ChannelKind kind);

/// The default of a machine whose queues would take this many bytes: compact channels above 16 MiB, where cache misses
/// dominate.
constexpr ChannelKind channel_kind(std::uint64_t bytes_of_queues) {
  return bytes_of_queues <= std::uint64_t{16} << 20 ? ChannelKind::lockfree : ChannelKind::compact;
}

}  // namespace lockstep
