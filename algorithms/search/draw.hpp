#pragma once

#include <cstdint>
#include <iterator>
#include <utility>

// Random numbers from the bits of a 64-bit engine such as std::mt19937_64. The standard fixes the bits of an engine,
// but not how its shuffle and its distributions use them, which differs between standard libraries.
namespace lockstep::search {

/// A number below `bound`, which is not 0, all equally likely.
template <class Engine>
std::uint64_t draw_below(std::uint64_t bound, Engine& engine) {
  const std::uint64_t surplus = -bound % bound;  // 2^64 modulo the bound; smaller draws are rejected
  std::uint64_t bits = engine();
  while (bits < surplus) bits = engine();
  return bits % bound;
}

/// A number from 0 up to, but not including, 1.
template <class Engine>
double draw_fraction(Engine& engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

/// Shuffles the elements; all orders are equally likely.
template <class Range, class Engine>
void draw_order(Range& elements, Engine& engine) {
  const auto begin = std::begin(elements);
  for (auto left = static_cast<std::uint64_t>(std::size(elements)); left > 1; --left) {
    using std::swap;
    swap(begin[static_cast<std::ptrdiff_t>(left - 1)], begin[static_cast<std::ptrdiff_t>(draw_below(left, engine))]);
  }
}

}  // namespace lockstep::search
