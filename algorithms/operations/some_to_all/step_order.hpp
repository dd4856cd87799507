#pragma once

#include <vector>

#include "some_to_all.hpp"

// The order of the steps of a some-to-all or all-to-some: Theorem 1 allows any (johnsson-ho.md, Some to all).
namespace lockstep::some_to_all {

/// The dimensions in the order in which they are crossed, each once. Over the upper ones, from `few` on, the holders
/// split or accumulate; over the others they exchange.
struct StepOrder {
  std::vector<Port> dimensions;
  Port few;
  Direction direction;

  /// A step of splitting or accumulating.
  bool is_upper(Port step) const { return dimensions[step] >= few; }
};

/// The order that --order gives, or else the best: splitting first, or accumulating last. Throws InputError if it does
/// not have as many steps of either kind as there are dimensions.
StepOrder step_order(const MachineSpec& machine, const Settings& settings, Direction direction);

/// Whether splitting comes first, or accumulating last.
bool is_best(const StepOrder& order);

/// For a method whose steps of one kind come together: whether those of splitting or accumulating come first. Throws
/// InputError if --order is neither of the two names.
bool begins_with_upper(const Settings& settings, Direction direction);

/// Processors that send in each step: those that hold anything, or half of them if they accumulate. All messages of a
/// step have the same size, and in each step half of all words move.
std::vector<std::uint64_t> senders(const StepOrder& order);

inline constexpr Parameter split_order_parameter{
    "order",
    "of the steps: split-first, exchange-first, or a list of n-L times s, splitting, and L times e, e.g. s,e,s",
    "split-first, which is the best"};
inline constexpr Parameter accumulate_order_parameter{
    "order",
    "of the steps: exchange-first, accumulate-first, or a list of n-L times a, accumulating, and L times e, e.g. a,e,a",
    "exchange-first, which is the best"};
inline constexpr Parameter split_phases_parameter{"order", "which phase comes first: split-first or exchange-first",
                                                  "split-first, which is the best"};
inline constexpr Parameter accumulate_phases_parameter{
    "order", "which phase comes first: exchange-first or accumulate-first", "exchange-first, which is the best"};

}  // namespace lockstep::some_to_all
