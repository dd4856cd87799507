#include "lockstep/machines/hamiltonian_cycles.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace {

/// The links of a cube in n/2 parts; every processor has two links of each part, so the links of a part form rings.
class TwoFactors {
 public:
  /// Part i has the links of dimensions 2i and 2i + 1, whose rings have four processors.
  explicit TwoFactors(Port dimensions)
      : dimensions_(dimensions), part_(std::size_t{processors()} * dimensions), rings_(dimensions / 2) {
    for (std::size_t place = 0; place < part_.size(); ++place) part_[place] = static_cast<Port>(place % dimensions) / 2;
    for (Port part = 0; part < rings_.size(); ++part) rings_[part] = processors() / 4;
  }

  Rank processors() const { return Rank{1} << dimensions_; }

  std::uint64_t rings() const {
    std::uint64_t all = 0;
    for (const Rank of_part : rings_) all += of_part;
    return all;
  }

  /// In the square of a rank over two dimensions, if the links of one dimension belong to one part and those of the
  /// other dimension to another, swaps their parts unless that makes more rings.
  void turn(Rank rank, Port one, Port other) {
    const Rank over_one = rank ^ Rank { 1 } << one;
    const Rank over_other = rank ^ Rank { 1 } << other;
    const Port first = part(rank, one);
    const Port second = part(rank, other);
    if (first == second || part(over_other, one) != first || part(over_one, other) != second) return;
    const auto give = [&](Port of_one, Port of_other) {
      put(rank, one, of_one);
      put(over_other, one, of_one);
      put(rank, other, of_other);
      put(over_one, other, of_other);
    };
    give(second, first);
    const Rank rings_of_first = counted(first);
    const Rank rings_of_second = counted(second);
    if (rings_of_first + rings_of_second > rings_[first] + rings_[second]) return give(first, second);
    rings_[first] = rings_of_first;
    rings_[second] = rings_of_second;
  }

  /// The ring of that part through rank 0.
  std::vector<Rank> ring(Port part) const {
    std::vector<Rank> ranks;
    follow(part, 0, [&](Rank rank) { ranks.push_back(rank); });
    return ranks;
  }

 private:
  Port part(Rank rank, Port dimension) const { return part_[std::size_t{rank} * dimensions_ + dimension]; }
  void put(Rank rank, Port dimension, Port part) {
    part_[std::size_t{rank} * dimensions_ + dimension] = part;
    part_[std::size_t{rank ^ Rank{1} << dimension} * dimensions_ + dimension] = part;
  }

  template <class Visit>
  void follow(Port part, Rank start, const Visit& visit) const {
    Port came_by = dimensions_;
    Rank rank = start;
    do {
      visit(rank);
      Port next = 0;
      while (next == came_by || this->part(rank, next) != part) ++next;
      rank ^= Rank{1} << next;
      came_by = next;
    } while (rank != start);
  }

  Rank counted(Port part) const {
    std::vector<bool> seen(processors());
    Rank count = 0;
    for (Rank start = 0; start < processors(); ++start) {
      if (seen[start]) continue;
      ++count;
      follow(part, start, [&](Rank rank) { seen[rank] = true; });
    }
    return count;
  }

  Port dimensions_;
  std::vector<Port> part_;   // by rank and dimension
  std::vector<Rank> rings_;  // by part
};

}  // namespace

// Random squares are swapped until each part is one ring. The number of rings never grows, and for n up to 12 the
// search was seen to end after a few hundred rounds at most.
std::vector<std::vector<Rank>> hamiltonian_cycles(Port dimensions) {
  if (dimensions % 2 == 1 || dimensions > most_dimensions_of_cycles) {
    throw std::invalid_argument("no cycles for " + std::to_string(dimensions) + " dimensions");
  }
  TwoFactors parts(dimensions);
  std::uint64_t random = 1;
  while (parts.rings() > dimensions / 2) {
    for (Rank rank = 0; rank < parts.processors(); ++rank) {
      for (Port other = 1; other < dimensions; ++other) {
        for (Port one = 0; one < other; ++one) {
          if (has_bit(rank, one) || has_bit(rank, other)) continue;
          random = random * 6364136223846793005U + 1442695040888963407U;  // Knuth, MMIX
          if (random >> 62 == 0) parts.turn(rank, one, other);
        }
      }
    }
  }
  std::vector<std::vector<Rank>> cycles;
  for (Port part = 0; part < dimensions / 2; ++part) cycles.push_back(parts.ring(part));
  return cycles;
}

}  // namespace lockstep
