#include "block_sort.hpp"

namespace lockstep {
namespace sort {
namespace {

// A building block is sorted in the direction in which the next meeting needs it, so that two that meet are a bitonic
// sequence: they compare once over port k, and each merges what it keeps (mukherjee.md, Sorting, merge).
BlockSort block_sort_merge(const ReducedHypercube& rh) {
  const auto compares = [&](Port i, Port j) {
    SortingNetwork network{between_blocks(rh, i, j)};
    append_merge(network, rh.k(), j > 0 ? Rank{1} << (rh.k() + j - 1) : iteration_bit(rh, i));
    return network;
  };
  return {.in_block = bitonic_sort(rh.k(), Rank{1} << rh.k()), .meetings = meetings(rh, compares)};
}

ComparingSteps comparing_steps_merge(const ReducedHypercube& rh) {
  const std::uint64_t d = rh.block_dimensions();
  const std::uint64_t c = rh.layer_dimensions();
  return {.value = d * (d + 1) / 2 * (1 + c), .exact = true, .formula = "D(D+1)/2 (1 + c)"};
}

}  // namespace
}  // namespace sort

extern const Method sort_merge_method = sort::block_sort_method<sort::block_sort_merge, sort::comparing_steps_merge>(
    "sort/merge", "after Mukherjee, chapter 5 (mukherjee.md, Sorting, merge)",
    "building blocks in alternate directions: two that meet compare once and merge what they keep");

}  // namespace lockstep
