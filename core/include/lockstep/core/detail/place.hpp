#pragma once

#include <cstdint>

#include "lockstep/core/detail/stamp.hpp"

namespace lockstep::detail {

/// One place of a link's channel, as a number that says what is there.
///   0               the link has never been used, and its channel is not made;
///   filled(stamp)   holds a message that was sent in the cycle of the stamp: negative, the more the earlier;
///   empty(stamp)    its last message was taken in the cycle of the stamp, if there was one: positive, likewise.
using Place = std::int32_t;

inline Place filled(Stamp stamp) { return static_cast<Place>(std::uint32_t{1} << 31 | stamp); }
inline Place empty(Stamp stamp) { return ~filled(stamp); }
inline bool is_filled(Place place) { return place < 0; }
/// In which cycle the message was sent that a filled place holds.
inline Stamp sent_in(Place place) { return static_cast<Stamp>(place - filled(0)); }
/// Whether who sends in the cycle of `now` finds the place ready and free: empty since an earlier cycle.
inline bool is_free(Place place, Stamp now) { return place > empty(now); }
/// Whether the place holds a message of an earlier cycle than that of `now`.
inline bool has_arrived(Place place, Stamp now) { return place < filled(now); }

}  // namespace lockstep::detail
