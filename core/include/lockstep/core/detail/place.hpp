#pragma once

#include <cstdint>

#include "lockstep/core/detail/stamp.hpp"

namespace lockstep::detail {

/// The state of one place of a link's channel, as a number.
///   0               the link has never been used, and its channel is not made;
///   filled(stamp)   holds a message that was sent in the cycle of the stamp: negative, lower for earlier cycles;
///   empty(stamp)    its last message, if any, was taken in the cycle of the stamp: positive, higher for earlier ones.
using Place = std::int32_t;

inline Place filled(Stamp stamp) { return static_cast<Place>(std::uint32_t{1} << 31 | stamp); }
inline Place empty(Stamp stamp) { return ~filled(stamp); }
inline bool is_filled(Place place) { return place < 0; }
/// The cycle in which the message of a filled place was sent.
inline Stamp sent_in(Place place) { return static_cast<Stamp>(place - filled(0)); }
/// Whether a sender in the cycle of `now` finds the place ready and free: empty since an earlier cycle.
inline bool is_free(Place place, Stamp now) { return place > empty(now); }
/// Whether the place holds a message of an earlier cycle than that of `now`.
inline bool has_arrived(Place place, Stamp now) { return place < filled(now); }

}  // namespace lockstep::detail
