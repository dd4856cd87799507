#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "lockstep/core/payload.hpp"

namespace lockstep::detail {

/// What the parts of a machine that are compiled once need to know of what its messages carry.
struct PayloadOperations {
  std::size_t bytes;
  std::size_t alignment;
  bool single_words;                         ///< every message is one word
  void (*move)(void* to, void* from);        ///< constructs `to` from `from`, which is left to be destroyed
  void (*copy)(void* to, const void* from);  ///< constructs a copy; null if there is none
  void (*destroy)(void* payload);            ///< null if that does nothing
  std::uint64_t (*words)(const void* payload);
  std::uint64_t (*startups)(const void* payload, const CostModel& cost);
};

template <Payload T>
constexpr PayloadOperations make_payload_operations() {
  PayloadOperations operations{
      sizeof(T),
      alignof(T),
      std::is_arithmetic_v<T>,
      [](void* to, void* from) { ::new (to) T(std::move(*static_cast<T*>(from))); },
      nullptr,
      nullptr,
      [](const void* payload) -> std::uint64_t { return words(*static_cast<const T*>(payload)); },
      [](const void* payload, const CostModel& cost) { return startups(*static_cast<const T*>(payload), cost); }};
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
