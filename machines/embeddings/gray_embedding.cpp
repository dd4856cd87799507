// Rings, paths, tori and meshes in the hypercube, each side at Gray codes.
#include <bit>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/mixed_radix.hpp"

namespace lockstep {
namespace {

/// Dimensions that a side takes.
Port dimensions_of(std::uint64_t side) { return static_cast<Port>(std::bit_width(side - 1)); }

/// A side of the guest. A path goes along the Gray code. A ring of even length goes along its first half, and back
/// along the same code words with the top bit set: for a power of two that is the Gray code itself.
struct GuestSide {
  Rank length;
  bool is_ring;

  Rank code(Rank place) const {
    if (!is_ring || place < length / 2 || length == 1) return gray(place);
    return Rank{1} << (dimensions_of(length) - 1) | gray(length - 1 - place);
  }
};

std::vector<GuestSide> sides_of(const MachineSpec& machine) {
  const bool is_ring = machine.family == "ring" || machine.family == "torus";
  std::vector<GuestSide> sides;
  for (const std::uint64_t length : machine.parameters) sides.push_back({static_cast<Rank>(length), is_ring});
  return sides;
}

void refuse_sides(const MachineSpec& machine, const MachineSpec& cube) {
  const bool is_ring = machine.family == "ring" || machine.family == "torus";
  std::uint64_t dimensions = 0;
  std::string sum;
  for (const std::uint64_t length : machine.parameters) {
    if (is_ring && length % 2 == 1 && length > 1) {
      throw InputError(printable(machine.text) + " has a ring of odd length, " + std::to_string(length) +
                       ", and a hypercube has none");
    }
    dimensions += dimensions_of(length);
    sum += (sum.empty() ? "" : " + ") + std::to_string(dimensions_of(length));
  }
  if (dimensions == cube.parameters[0]) return;
  throw InputError(printable(machine.text) + " takes a hypercube:" + std::to_string(dimensions) + " (" + sum +
                   " dimensions for its sides), not " + printable(cube.text));
}

}  // namespace

bool embed_in_hypercube(Embedding& made) {
  const MachineSpec& machine = *made.machine;
  const std::string& family = machine.family;
  if (family != "ring" && family != "path" && family != "torus" && family != "mesh") return false;
  refuse_sides(machine, made.host);
  std::vector<Rank> lengths;
  const std::vector<GuestSide> sides = sides_of(machine);
  for (const GuestSide& side : sides) lengths.push_back(side.length);
  made.place = [sides, ranks = MixedRadix(lengths)](Rank rank) {
    Rank place = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      place = place << dimensions_of(sides[i].length) | sides[i].code(ranks.digit(rank, i));
    }
    return place;
  };
  made.map =
      sides.size() == 1 ? "the rank in Gray code" : "each coordinate in Gray code, the first in the highest dimensions";
  made.source = "Saad & Schultz 1985: Gray codes (saad-schultz-1985.md, Embeddings)";
  made.is_subgraph = true;
  return true;
}

}  // namespace lockstep
