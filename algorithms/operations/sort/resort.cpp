#include "block_sort.hpp"

namespace lockstep {
namespace sort {
namespace {

// All building blocks are ascending; two that meet are sorted anew, by the full bitonic sort of a virtual (k+1)-cube
// whose bit k is 0 on the side that gets the low keys (mukherjee.md, Sorting, resort). Bit k is one where exactly one
// of bits j and i+1 of bb is. The first k stages sort either side, and meet data that is sorted already.
BlockSort block_sort_resort(const ReducedHypercube& rh) {
  const auto compares = [&](Port i, Port j) {
    const CompareSplit between = between_blocks(rh, i, j);
    SortingNetwork network = bitonic_sort(rh.k(), Rank{1} << between.dimension ^ between.descending);
    network.push_back(between);
    append_merge(network, rh.k(), 0);
    return network;
  };
  return {.in_block = bitonic_sort(rh.k(), 0), .meetings = meetings(rh, compares)};
}

ComparingSteps comparing_steps_resort(const ReducedHypercube& rh) {
  const std::uint64_t d = rh.block_dimensions();
  const std::uint64_t c = rh.layer_dimensions();
  const std::uint64_t k = rh.k();
  return {.value = d * (d + 1) / 2 * (1 + c * (k + 1) - c * (c - 1) / 2),
          .exact = c == 0,
          .formula = "D(D+1)/2 (1 + c(k+1) - c(c-1)/2)"};
}

}  // namespace
}  // namespace sort

extern const Method sort_resort_method = sort::block_sort_method<sort::block_sort_resort, sort::comparing_steps_resort>(
    "sort/resort", "Mukherjee, chapter 5 (mukherjee.md, Sorting, resort)",
    "building blocks that meet are sorted anew, by a bitonic sort of both");

}  // namespace lockstep
