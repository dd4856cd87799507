#include "block_sort.hpp"

namespace lockstep {
namespace sort {
namespace {

// The bitonic sort of the whole cube on virtual processors: building blocks that meet compare over port k only, and
// merge inside at the end of an iteration (mukherjee.md, Sorting, classic).
BlockSort block_sort_classic(const ReducedHypercube& rh) {
  const auto compares = [&](Port i, Port j) {
    SortingNetwork network{between_blocks(rh, i, j)};
    if (j == 0) append_merge(network, rh.k(), iteration_bit(rh, i));
    return network;
  };
  return {.in_block = bitonic_sort(rh.k(), Rank{1} << rh.k()), .meetings = meetings(rh, compares)};
}

ComparingSteps comparing_steps_classic(const ReducedHypercube& rh) {
  const std::uint64_t d = rh.block_dimensions();
  const std::uint64_t c = rh.layer_dimensions();
  return {.value = d * (d + 1) / 2 + d * c, .exact = true, .formula = "D(D+1)/2 + D c"};
}

}  // namespace
}  // namespace sort

extern const Method sort_classic_method =
    sort::block_sort_method<sort::block_sort_classic, sort::comparing_steps_classic>(
        "sort/classic", "after Mukherjee, chapter 5 (mukherjee.md, Sorting, classic)",
        "bitonic sort of the cube with as many nodes, on virtual processors");

}  // namespace lockstep
