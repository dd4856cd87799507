#include "2d_paths.hpp"

#include "lockstep/machines/hypercube.hpp"

namespace lockstep::transpose {
namespace {

/// The bits in which the halves of the rank differ.
Rank differing_bits(Rank rank, Port dimensions) {
  const Port h = dimensions / 2;
  return (rank >> h ^ rank) & ((Rank{1} << h) - 1);
}

}  // namespace

Port differing_pairs(Rank rank, Port dimensions) { return one_bits(differing_bits(rank, dimensions)); }

std::vector<Port> transposition_path(Rank rank, Port dimensions, std::uint32_t path) {
  const std::vector<Port> of_columns = ecube_path(0, differing_bits(rank, dimensions));  // b_0 < b_1 < ..
  const auto pairs = static_cast<std::uint32_t>(of_columns.size());
  std::vector<Port> crossed;
  for (std::uint32_t visit = 1; visit <= pairs; ++visit) {
    const Port b = of_columns[(path % pairs + pairs - visit) % pairs];
    const Port a = b + dimensions / 2;
    crossed.insert(crossed.end(), {path < pairs ? a : b, path < pairs ? b : a});
  }
  return crossed;
}

}  // namespace lockstep::transpose
