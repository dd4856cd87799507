#pragma once

#include <string>
#include <vector>

#include "bfs/timing.hpp"
#include "reduce/cube.hpp"

// Reductions up a breadth-first tree, whose subtrees have no ranks in a row: for operators that commute.
namespace lockstep::bfs {

/// Sub-program: a node combines its value with those of its children's subtrees and sends the result to its parent.
/// What it holds in the end at the root stands for all. Throws std::logic_error if something else comes than is due.
Process combine_up(Processor<operands::Partial<Block>>& self, const operands::NumberValues& values, const Tree& tree,
                   const Timing& timing, reduce::Held<Block>& held);

/// What every rank has at first.
std::vector<reduce::Held<Block>> initially_held(const RunRequest& request, const operands::NumberValues& values);

/// What is wrong with what nodes received from their children: compared with the values of the child's subtree,
/// combined anew; empty if nothing.
std::string what_is_wrong_on_the_way(const operands::NumberValues& values, const Tree& tree,
                                     const std::vector<reduce::Held<Block>>& held);

/// The values of all ranks, combined one after the other.
operands::NumberValues::Oracle oracle_of(const operands::NumberValues& values);

/// Bytes of what all these keep.
Wide bytes_of_combining(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::bfs
