#pragma once

#include <array>
#include <string>
#include <vector>

#include "lockstep/algorithms/operation/sort.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "network.hpp"

// What the sorts on the reduced hypercube RH(k,n) share (mukherjee.md, Sorting): bitonic sort inside every building
// block (phase I); the blocks of all its subblocks are gathered in subblock 0, D = 2^n of them in every layer; then the
// building blocks compare (phase II), for which a holder takes its list to the subblock that has the links, and keeps
// the blocks of D virtual processors; last, every block goes from subblock 0 to where it belongs (phase III).
//
// A block's virtual processor has the address of the node where the block belongs. So dimension d < c (the layers) is
// port d of the holders; c <= d < k (the subblocks) is inside a holder; k+j (building blocks) is port k, in subblock j.
namespace lockstep::sort {

inline constexpr std::array<std::string_view, 2> moves{"combine", "packets"};
inline constexpr ChoiceParameter move_parameter{
    {"move", "how blocks get to subblock 0 and back: combine (gathered on the way) or packets (each on its own)",
     "combine"},
    &Settings::move,
    moves};

/// Building blocks whose addresses differ in bit `dimension` compare.
struct Meeting {
  Port dimension = 0;
  SortingNetwork network;  ///< of the virtual processors
};

/// What the sorts differ in.
struct BlockSort {
  SortingNetwork in_block;  ///< phase I, of the nodes
  std::vector<Meeting> meetings;
};

/// The meetings for i = 0..D-1, for j = i..0, with what compares(i, j) returns for each.
template <class Compares>
std::vector<Meeting> meetings(const ReducedHypercube& rh, const Compares& compares) {
  std::vector<Meeting> all;
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    for (Port j = i + 1; j-- > 0;) all.push_back({j, compares(i, j)});
  }
  return all;
}

/// The bit of bb that sets the direction of iteration i: descending where it is one; no address has it for i = D-1.
inline Rank iteration_bit(const ReducedHypercube& rh, Port i) { return Rank{1} << (rh.k() + i + 1); }

/// Building blocks that differ in bit j compare over port k; the lower one keeps the low keys where bit i+1 of bb is 0.
inline CompareSplit between_blocks(const ReducedHypercube& rh, Port i, Port j) {
  return {rh.outer_port() + j, iteration_bit(rh, i)};
}

/// X of mukherjee.md, Sorting: the steps of phase II in which records are compared, over all meetings.
struct ComparingSteps {
  std::uint64_t value = 0;
  bool exact = true;
  std::string formula;
};

/// Defaults and ranges of all parameters.
void resolve_block_sort(const MachineSpec& machine, const Model& model, Settings& settings);
Prediction predict_block_sort(const MachineSpec& machine, const Model& model, const Settings& settings,
                              const ComparingSteps& comparing);
/// The bytes of any sort, and the frames of sub-programs.
std::uint64_t bytes_block_sort(const MachineSpec& machine, const Model& model, const Settings& settings);
LowerBound bound_block_sort(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_block_sort(const RunRequest& request, const BlockSort& sort);

/// The catalogue entry of the sort that block_sort(rh) makes, whose phase II takes comparing_steps(rh).
template <BlockSort (*block_sort)(const ReducedHypercube&), ComparingSteps (*comparing_steps)(const ReducedHypercube&)>
Method block_sort_method(std::string_view name, std::string_view source, std::string_view summary) {
  return {.name = name,
          .operation = "sort",
          .known_as = "sorting",
          .families = {"rh"},
          .source = source,
          .summary = summary,
          .parameters = {words_parameter, type_parameter, move_parameter, input_parameter, output_parameter},
          .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
          .resolve = resolve_block_sort,
          .predict =
              [](const MachineSpec& machine, const Model& model, const Settings& settings) {
                return predict_block_sort(machine, model, settings, comparing_steps(ReducedHypercube(machine)));
              },
          .proven = bound_block_sort,
          .bytes = bytes_block_sort,
          .run =
              [](const RunRequest& request) {
                return run_block_sort(request, block_sort(ReducedHypercube(request.machine)));
              }};
}

}  // namespace lockstep::sort
