// Rings, paths, tori and meshes in the hypercube, each side at Gray codes.
#include <bit>

#include "embeddings/embeddings.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/mixed_radix.hpp"

namespace lockstep {
namespace {

/// Dimensions that a side takes.
Port dimensions_of(std::uint64_t side) { return static_cast<Port>(std::bit_width(side - 1)); }

/// A side of the guest. A path goes along the Gray code. A ring of even length goes along its first half, and back
/// along the same code words with the top bit set: for a power of two that is the Gray code itself. One of odd length,
/// which no hypercube has, is folded.
struct GuestSide {
  Rank length;
  bool is_ring;

  Rank code(Rank place) const {
    if (is_ring && length % 2 == 1) return gray(folded(place, length));
    if (!is_ring || place < length / 2) return gray(place);
    return Rank{1} << (dimensions_of(length) - 1) | gray(length - 1 - place);
  }
};

std::vector<GuestSide> sides_of(const MachineSpec& machine) {
  const bool is_ring = machine.family == "ring" || machine.family == "torus";
  std::vector<GuestSide> sides;
  for (const std::uint64_t length : machine.parameters) sides.push_back({static_cast<Rank>(length), is_ring});
  return sides;
}

}  // namespace

bool place_in_hypercube(Embedding& made) {
  if (!is_grid(*made.machine)) return false;
  std::vector<Rank> lengths;
  std::uint64_t dimensions = 0;
  bool is_folded = false;
  const std::vector<GuestSide> sides = sides_of(*made.machine);
  for (const GuestSide& side : sides) {
    lengths.push_back(side.length);
    dimensions += dimensions_of(side.length);
    is_folded = is_folded || (side.is_ring && side.length % 2 == 1 && side.length > 1);
  }
  if (dimensions > made.host.parameters[0]) return false;
  made.place = [sides, ranks = MixedRadix(lengths)](Rank rank) {
    Rank place = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      place = place << dimensions_of(sides[i].length) | sides[i].code(ranks.digit(rank, i));
    }
    return place;
  };
  made.map =
      sides.size() == 1 ? "the rank in Gray code" : "each coordinate in Gray code, the first in the highest dimensions";
  if (is_folded) made.map += "; rings of odd length are folded first";
  made.source = "Saad & Schultz 1985: Gray codes (saad-schultz-1985.md, Embeddings)";
  made.is_subgraph = !is_folded;
  return true;
}

}  // namespace lockstep
