#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <vector>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// Length of a payload in words. A payload type of your own needs a free function `words(const T&)` beside the type;
/// labels count 0. A number is one word, a vector of numbers one word per element.
template <class T>
requires std::is_arithmetic_v<T>
constexpr std::uint64_t words(const T&) { return 1; }

/// Length of a vector of numbers: one word per element.
template <class T>
requires std::is_arithmetic_v<T> std::uint64_t words(const std::vector<T>& elements) { return elements.size(); }

/// A type whose values have a length.
template <class T>
concept HasWords = requires(const T& value) {
  { words(value) } -> std::convertible_to<std::uint64_t>;
};

/// A value that can be sent: it has a length and moves without throwing, since a message in flight can be neither
/// refused nor recalled.
template <class T>
concept Payload = std::movable<T> && std::is_nothrow_move_constructible_v<T> && HasWords<T>;

/// A type whose messages know their paths: a free function `journey(const T&)` returns a message's position on its
/// path.
template <class T>
concept HasJourney = requires(const T& value) {
  { journey(value) } -> std::convertible_to<Journey>;
};

/// Start-ups of a message: the sum over its blocks, at least 1. A type whose blocks are sent without being gathered has
/// a free function `blocks(const T&)` that returns their lengths in words as a range; others are one block. Zero if the
/// message has already paid for its path.
template <Payload T>
std::uint64_t startups(const T& value, const CostModel& cost) {
  if constexpr (HasJourney<T>) {
    if (cost.started_before(journey(value))) return 0;
  }
  if constexpr (requires {
                  { blocks(value) } -> std::ranges::range;
                }) {
    std::uint64_t sum = 0;
    for (const std::uint64_t block : blocks(value)) sum += cost.startups(block);
    return std::max<std::uint64_t>(1, sum);
  } else {
    return cost.startups(words(value));
  }
}

}  // namespace lockstep
