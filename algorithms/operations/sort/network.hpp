#pragma once

#include <vector>

#include "lockstep/machines/hypercube.hpp"

// Sorting networks of compare-splits as values (mukherjee.md, Sorting). Their processors, which may be virtual ones,
// are the corners of a cube; addresses are those of corners.
namespace lockstep::sort {

/// All processors compare-split with their neighbours in one dimension. The lower address keeps the lower half of the
/// records, or the upper half where the order is to be descending.
struct CompareSplit {
  Port dimension = 0;
  /// The order is descending where an odd number of these address bits are one. Bit `dimension` is none of them.
  Rank descending = 0;

  bool keeps_low(Rank address) const { return one_bits(address & (descending ^ Rank{1} << dimension)) % 2 == 0; }
};

/// Compare-splits, one after the other.
using SortingNetwork = std::vector<CompareSplit>;

/// Adds the merge that sorts a bitonic sequence in every subcube of the lowest dimensions: from the highest of these
/// dimensions to 0.
void append_merge(SortingNetwork& network, Port dimensions, Rank descending);

/// The bitonic sort of every subcube of the lowest dimensions, descending where an odd number of the address bits
/// `descending` are one.
SortingNetwork bitonic_sort(Port dimensions, Rank descending);

}  // namespace lockstep::sort
