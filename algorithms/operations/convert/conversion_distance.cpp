#include "conversion_distance.hpp"

#include <vector>

namespace lockstep::convert {
namespace {

/// The relations among the masks: each is a set of masks whose sum modulo 2 is 0, as a mask over their numbers.
std::vector<std::uint64_t> relations(const std::vector<std::uint64_t>& masks) {
  struct EliminationRow {
    std::uint64_t sum;
    std::uint64_t terms;
  };
  std::vector<EliminationRow> independent;
  std::vector<std::uint64_t> found;
  for (std::size_t index = 0; index < masks.size(); ++index) {
    EliminationRow row{masks[index], std::uint64_t{1} << index};
    for (const EliminationRow& other : independent) {
      if ((row.sum & (other.sum & (~other.sum + 1))) != 0) row = {row.sum ^ other.sum, row.terms ^ other.terms};
    }
    if (row.sum == 0) {
      found.push_back(row.terms);
    } else {
      independent.push_back(row);
    }
  }
  return found;
}

// An element can cross any set of the `count` dimensions that shares an even number of them with every relation. The
// largest such set lacks the fewest dimensions whose memberships in relations sum up to the relations of odd size: the
// shortest way to that sum, a dimension a step.
unsigned fewest_lacking(unsigned count, const std::vector<std::uint64_t>& related) {
  std::vector<std::size_t> memberships(count);
  std::size_t odd = 0;
  for (unsigned d = 0; d < count; ++d) {
    for (std::size_t index = 0; index < related.size(); ++index) {
      if ((related[index] >> d & 1U) != 0) memberships[d] |= std::size_t{1} << index;
    }
    odd ^= memberships[d];
  }
  std::vector<bool> is_reached(std::size_t{1} << related.size());
  is_reached[0] = true;
  std::vector<std::size_t> reached{0};
  for (unsigned lacking = 0;; ++lacking) {
    if (is_reached[odd]) return lacking;
    std::vector<std::size_t> next;
    for (const std::size_t from : reached) {
      for (const std::size_t membership : memberships) {
        if (is_reached[from ^ membership]) continue;
        is_reached[from ^ membership] = true;
        next.push_back(from ^ membership);
      }
    }
    reached = std::move(next);
  }
}

}  // namespace

ConversionDistance distance_between(const StorageForm& before, const StorageForm& after) {
  std::vector<std::uint64_t> changes;
  for (Port d = 0; d < before.dimensions(); ++d) {
    const std::uint64_t change = before.node_bit(d) ^ after.node_bit(d);
    if (change != 0) changes.push_back(change);
  }
  const auto count = static_cast<unsigned>(changes.size());
  return {.dimensions = count, .greatest = count - fewest_lacking(count, relations(changes))};
}

}  // namespace lockstep::convert
