#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep {

/// Lengths of the table of saad-schultz-1988.md, Four paths, for s >= 5 and for the special cases, by displacements p
/// and q.
inline std::vector<std::uint64_t> lengths_of_table(std::uint64_t s, std::uint64_t p, std::uint64_t q) {
  if (p == 0 || (s == 4 && p == 1 && q == 2)) std::swap(p, q);
  if (q == 0 && s <= 4) return {p, s - p, p + 2, p + 2};
  if (q == 0 && p == 1) return {1, 3, 5, 7};
  if (q == 0) return std::vector<std::uint64_t>(4, p + 4);
  if (s == 3) return {2, 2, 3, 3};
  if (s == 4 && p == 2) return {2 + q, 2 + q, 2 + q, 1 + 2 + (3 - q)};
  return std::vector<std::uint64_t>(4, p + q + 2);
}

}  // namespace lockstep
