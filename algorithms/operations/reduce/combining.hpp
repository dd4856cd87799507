#pragma once

#include <string>
#include <vector>

#include "cube.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "plans/bfs/timing.hpp"

// Reductions up a breadth-first tree, whose subtrees are not runs of ranks: for operators that commute.
namespace lockstep::reduce {

/// Sub-program: a node combines its value with those of its children's subtrees and sends the result to its parent. In
/// the end the root's partial result stands for all. Throws std::logic_error if a message is not the one that is due.
Process combine_up(Processor<operands::Partial<Block>>& self, const operands::NumberValues& values,
                   const bfs::Tree& tree, const bfs::Timing& timing, reduce::HeldPartials<Block>& held);

/// Fills in the operations of combine_up().
void predict_operations(const bfs::Tree& tree, const bfs::Timing& timing, const Settings& settings,
                        Prediction& prediction);

/// The initial values of all ranks.
PerRank<reduce::HeldPartials<Block>> initially_held(const RunRequest& request, const operands::NumberValues& values);

/// If the result is right, judges what nodes received from their children, which may be wrong all the same: compared
/// with the values of the child's subtree, combined anew.
void judge_on_the_way(const RunRequest& request, const operands::NumberValues& values, const bfs::Tree& tree,
                      const PerRank<reduce::HeldPartials<Block>>& held, Outcome& outcome);

/// The values of all ranks, combined one after the other.
operands::NumberValues::Oracle oracle_of(const operands::NumberValues& values);

/// Bytes of all these.
Wide bytes_of_combining(const MachineSpec& machine, const Model& model, const Settings& settings, Wide directions);

}  // namespace lockstep::reduce
