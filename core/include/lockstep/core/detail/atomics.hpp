#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace lockstep::detail {

// How the emulator's threads share memory: aliases of the standard library's types. The programs of tests/model compile
// the same sources against their own version of this header, which checks every access.

template <class T>
using Atomic = std::atomic<T>;
template <class T>
using AtomicRef = std::atomic_ref<T>;
using Mutex = std::mutex;

/// Memory without atomics that several threads use, one after the other: each use happens before the next.
template <class T>
using Owned = T;

// Plain accesses, at the barrier where one thread runs alone, to data that is atomic within a cycle.

inline void read_alone(void* to, const void* bytes, std::size_t count) { std::memcpy(to, bytes, count); }
inline void clear_alone(void* bytes, std::size_t count) { std::memset(bytes, 0, count); }
/// Sets it to zero and returns its former value.
template <class T>
T take_alone(T& value) {
  return std::exchange(value, T{});
}

/// How often a thread polls for the next cycle before it sleeps.
inline constexpr unsigned looks_before_sleep = 2000;

/// Called between two polls of a value that another thread is about to change.
inline void pause(unsigned looks) {
  if (looks > 1000) std::this_thread::yield();
}

}  // namespace lockstep::detail
