#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "lockstep/core/packing.hpp"
#include "lockstep/core/payload.hpp"

namespace lockstep::detail {

/// A payload on its way into or out of a network: its bits if they fit a register, else its address.
using Passed = std::uintptr_t;

template <class T>
inline constexpr bool passed_as_bits = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Passed);

/// Passes a payload, which must stay in place until it has been received.
template <class T>
Passed pass(T& payload) {
  if constexpr (passed_as_bits<T>) {
    Passed bits = 0;
    std::memcpy(&bits, &payload, sizeof payload);
    return bits;
  } else {
    return reinterpret_cast<Passed>(&payload);
  }
}

/// A payload that was passed.
template <class T>
class Received {
 public:
  explicit Received(Passed passed) : payload_(from(passed)) {}

  T& operator*() {
    if constexpr (passed_as_bits<T>) {
      return payload_;
    } else {
      return *payload_;
    }
  }

 private:
  static auto from(Passed passed) {
    if constexpr (passed_as_bits<T>) {
      std::array<std::byte, sizeof(T)> bytes;
      std::memcpy(bytes.data(), &passed, sizeof(T));
      return std::bit_cast<T>(bytes);
    } else {
      return std::bit_cast<T*>(passed);
    }
  }

  std::conditional_t<passed_as_bits<T>, T, T*> payload_;
};

/// A payload that has been taken; if it was passed by address it must be moved out and destroyed before the cycle ends.
struct Taken {
  Passed payload;
  double arrival;
};

/// The operations on the payload type that the type-independent parts of a machine use.
struct PayloadOperations {
  std::size_t bytes;
  std::size_t alignment;
  bool single_words;                         ///< every message is one word
  bool as_bits;                              ///< how it is passed
  void (*move)(void* to, void* from);        ///< constructs `to` from `from`, which is left to be destroyed
  void (*copy)(void* to, const void* from);  ///< constructs a copy; null if there is none
  void (*destroy)(void* payload);            ///< null if that does nothing
  std::uint64_t (*words)(const void* payload);
  std::uint64_t (*startups)(const void* payload, const CostModel& cost);
  Passage (*passage)(const void* payload, const CostModel& cost);  ///< how long it takes over a link
  void (*pack)(const void* payload, ByteWriter& to);               ///< null if it cannot go to another process
  void (*unpack)(void* to, ByteReader& from);                      ///< constructs it; null likewise
};

/// How long a message of this many start-ups and words takes over a link.
template <Payload T>
Passage passage_of(const T& payload, std::uint64_t startup_count, std::uint64_t length, const CostModel& cost) {
  if constexpr (HasJourney<T>) {
    return cost.passage(startup_count, length, journey(payload));
  } else {
    const double whole = cost.time(startup_count, length);
    return {whole, whole};
  }
}

template <Payload T>
constexpr PayloadOperations make_payload_operations() {
  PayloadOperations operations{
      sizeof(T),
      alignof(T),
      std::is_arithmetic_v<T>,
      passed_as_bits<T>,
      [](void* to, void* from) { ::new (to) T(std::move(*static_cast<T*>(from))); },
      nullptr,
      nullptr,
      [](const void* payload) -> std::uint64_t { return words(*static_cast<const T*>(payload)); },
      [](const void* payload, const CostModel& cost) { return startups(*static_cast<const T*>(payload), cost); },
      [](const void* payload, const CostModel& cost) {
        const T& message = *static_cast<const T*>(payload);
        return passage_of(message, startups(message, cost), words(message), cost);
      },
      nullptr,
      nullptr};
  if constexpr (Packable<T>) {
    operations.pack = [](const void* payload, ByteWriter& to) { pack(*static_cast<const T*>(payload), to); };
    operations.unpack = [](void* to, ByteReader& from) { ::new (to) T(unpack(from, std::type_identity<T>{})); };
  }
  if constexpr (std::copyable<T>) {
    operations.copy = [](void* to, const void* from) { ::new (to) T(*static_cast<const T*>(from)); };
  }
  if constexpr (!std::is_trivially_destructible_v<T>) {
    operations.destroy = [](void* payload) { std::destroy_at(static_cast<T*>(payload)); };
  }
  return operations;
}

template <Payload T>
inline constexpr PayloadOperations operations_of = make_payload_operations<T>();

}  // namespace lockstep::detail
