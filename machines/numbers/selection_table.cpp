#include "lockstep/machines/selection_table.hpp"

#include <algorithm>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace {

/// All n-bit words that rotations make of x, beginning with x.
std::vector<Rank> orbit_of(Rank x, Port n) {
  const Rank mask = (Rank{1} << n) - 1;
  std::vector<Rank> orbit{x};
  for (;;) {
    const Rank next = (orbit.back() << 1 | orbit.back() >> (n - 1)) & mask;
    if (next == x) return orbit;
    orbit.push_back(next);
  }
}

}  // namespace

std::vector<Port> selection_table(Port n) {
  std::vector<Port> table(std::size_t{1} << n);
  Port dimension = 0;  // continues through orbits and distances, which keeps the dimensions even
  for (Port distance = 1; distance <= n; ++distance) {
    for (Rank smallest = 1; smallest < table.size(); ++smallest) {
      if (one_bits(smallest) != distance) continue;
      const std::vector<Rank> orbit = orbit_of(smallest, n);
      if (*std::min_element(orbit.begin(), orbit.end()) != smallest) continue;
      Rank relative = no_rank;  // the smallest of the orbit with a one at the current dimension
      for (const Rank member : orbit) {
        if (has_bit(member, dimension)) relative = std::min(relative, member);
      }
      for (const Rank member : orbit_of(relative, n)) {
        table[member] = dimension;
        dimension = (dimension + 1) % n;
      }
    }
  }
  return table;
}

}  // namespace lockstep
