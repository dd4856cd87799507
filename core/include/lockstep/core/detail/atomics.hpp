#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace lockstep::detail {

// What threads of the emulator share memory by. These are other names of what the standard library has, so that the
// programs of tests/model can compile the same sources against a header of their own in the place of this one, which
// looks at every access.

template <class T>
using Atomic = std::atomic<T>;
template <class T>
using AtomicRef = std::atomic_ref<T>;
using Mutex = std::mutex;

/// Memory without atomics that several threads use, one after the other: each use happens before the next.
template <class T>
using Owned = T;

// What is accessed as atomics within a cycle, and without by who is alone at the barrier.

inline void read_alone(void* to, const void* bytes, std::size_t count) { std::memcpy(to, bytes, count); }
inline void clear_alone(void* bytes, std::size_t count) { std::memset(bytes, 0, count); }
/// Sets it to zero and returns what it was.
template <class T>
T take_alone(T& value) {
  return std::exchange(value, T{});
}

/// How often a thread that waits for the next cycle looks before it sleeps.
inline constexpr unsigned looks_before_sleep = 2000;

/// Between two looks at what another thread is about to change.
inline void pause(unsigned looks) {
  if (looks > 1000) std::this_thread::yield();
}

}  // namespace lockstep::detail
