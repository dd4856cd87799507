#pragma once

// Boost.Lockfree pads the two indices of a queue to a cache line each. A machine has millions of channels, whose both
// sides mostly run on one thread, so the padding costs more in cache misses than it saves: 29.5 against 22 ns a message
// were measured. The padding is a macro that can only be changed between the header that sets it and the queue's, and
// it must be the same in every source that shares a queue: include this before spsc_queue.hpp.
#if defined(BOOST_LOCKFREE_SPSC_QUEUE_HPP_INCLUDED)
#error "include Lockstep's headers before <boost/lockfree/spsc_queue.hpp>"
#endif
#include <boost/lockfree/detail/prefix.hpp>
#pragma push_macro("BOOST_LOCKFREE_CACHELINE_BYTES")
#undef BOOST_LOCKFREE_CACHELINE_BYTES
#define BOOST_LOCKFREE_CACHELINE_BYTES sizeof(size_t)
#include <boost/lockfree/spsc_queue.hpp>
#pragma pop_macro("BOOST_LOCKFREE_CACHELINE_BYTES")
