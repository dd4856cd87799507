#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// n!, 0 <= n <= 20.
constexpr std::uint64_t factorial(unsigned n) {
  std::uint64_t product = 1;
  for (unsigned factor = 2; factor <= n; ++factor) product *= factor;
  return product;
}

/// A permutation of the symbols 0 .. n-1 with its rank in lexicographic order: the addresses of star and pancake
/// graphs.
///
///      n = 3      rank          0    1    2    3    4    5
///                 permutation  012  021  102  120  201  210
class Permutation {
 public:
  static constexpr unsigned most_symbols = 10;  ///< the largest n of a machine

  /// The permutation of n symbols with that rank. Throws std::invalid_argument unless n <= most_symbols and the rank is
  /// less than n!.
  Permutation(unsigned n, Rank rank);

  /// n, its symbols.
  unsigned size() const { return size_; }
  /// The symbol at a place below size().
  unsigned operator[](std::size_t place) const { return symbols_[place]; }
  /// Its place, from 0, among all permutations of n symbols in the order of the alphabet.
  Rank rank() const;
  /// The symbols in order, e.g. "2013".
  std::string to_string() const;

  /// Exchanges the symbols at two places.
  void swap(std::size_t a, std::size_t b);
  /// Reverses the order of the first `count` symbols, as when the top of a pile of pancakes is turned over.
  void reverse_first(std::size_t count);

 private:
  unsigned size_;
  std::array<std::uint8_t, most_symbols> symbols_{};
};

}  // namespace lockstep
