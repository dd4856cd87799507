#include "lockstep/machines/reduced_hypercube.hpp"

#include <stdexcept>
#include <string>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep {

ReducedHypercube::ReducedHypercube(unsigned k, unsigned n) : k_(k), n_(n) {
  // n = 5 needs 2^37 processors, too many for a rank.
  const bool fits = k >= n && n < 5 && k < 32 && k + (1U << n) < 32;
  if (fits) return;
  throw std::invalid_argument("RH(" + std::to_string(k) + "," + std::to_string(n) +
                              ") does not exist here: k >= n and k + 2^n <= 31");
}

Rank ReducedHypercube::permute_block(Rank block, Rank s) const {
  Rank result = 0;
  for (Port m = 0; m < block_dimensions(); ++m) {
    if (has_bit(block, m)) result |= Rank{1} << (m ^ s);
  }
  return result;
}

Rank ReducedHypercube::move(Rank x, Rank root) const {
  const Rank block = permute_block(bb(x), sb(root)) ^ bb(root);
  return block << k_ | (f0(x) ^ f0(root));
}

Rank ReducedHypercube::unmove(Rank y, Rank root) const {
  const Rank block = permute_block(bb(y) ^ bb(root), sb(root));
  return block << k_ | (f0(y) ^ f0(root));
}

std::vector<Port> ReducedHypercube::ecube_path(Rank from, Rank to) const {
  std::vector<Port> ports;
  const auto correct = [&](Rank wrong, Port first_port) {
    for (Port bit = 0; bit < width(wrong); ++bit) {
      if (has_bit(wrong, bit)) ports.push_back(first_port + bit);
    }
    from ^= wrong << first_port;
  };
  for (Port m = 0; m < block_dimensions(); ++m) {
    if (!has_bit(bb(from) ^ bb(to), m)) continue;
    correct(sb(from) ^ m, layer_dimensions());
    ports.push_back(outer_port());
    from = neighbour(from, outer_port());
  }
  correct(f0(from) ^ f0(to), 0);
  return ports;
}

}  // namespace lockstep
