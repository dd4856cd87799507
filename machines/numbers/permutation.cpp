#include "lockstep/machines/permutation.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace lockstep {

Permutation::Permutation(unsigned n, Rank rank) : size_(n) {
  if (n > most_symbols || rank >= factorial(n)) {
    throw std::invalid_argument("no permutation of " + std::to_string(n) + " symbols has the rank " +
                                std::to_string(rank));
  }
  // A rank's digits, in the radices n, n-1, .. 1, say which of the remaining symbols comes next.
  for (unsigned place = n; place-- > 0;) {
    symbols_[place] = static_cast<std::uint8_t>(rank % (n - place));
    rank /= n - place;
    for (unsigned later = place + 1; later < n; ++later) {
      if (symbols_[later] >= symbols_[place]) ++symbols_[later];
    }
  }
}

Rank Permutation::rank() const {
  Rank rank = 0;
  std::uint32_t left = (1U << size_) - 1;
  for (unsigned place = 0; place < size_; ++place) {
    const std::uint32_t smaller = (1U << symbols_[place]) - 1;
    rank = rank * (size_ - place) + static_cast<Rank>(std::popcount(left & smaller));
    left &= ~(1U << symbols_[place]);
  }
  return rank;
}

std::string Permutation::to_string() const {
  std::string text;
  for (unsigned place = 0; place < size_; ++place) text += static_cast<char>('0' + symbols_[place]);
  return text;
}

void Permutation::swap(std::size_t a, std::size_t b) {
  assert(a < size_ && b < size_);
  std::swap(symbols_[a], symbols_[b]);
}

void Permutation::reverse_first(std::size_t count) {
  assert(count <= size_);
  std::reverse(symbols_.begin(), symbols_.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace lockstep
