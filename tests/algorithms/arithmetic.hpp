#pragma once

#include <cstdint>

namespace lockstep {

/// C(n, k).
inline std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k;
}

/// a/b, rounded up.
inline std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// ceil(log2 k).
inline std::uint64_t log2_up(std::uint64_t k) {
  std::uint64_t n = 0;
  while (std::uint64_t{1} << n < k) ++n;
  return n;
}

}  // namespace lockstep
