#pragma once

#include <functional>
#include <span>

#include "lockstep/algorithms/method.hpp"

// What the allgather methods share: their parameter, data and oracle. Before the run every processor holds a block of
// --words words; afterwards every processor must hold the blocks of all, in memory of its own.
namespace lockstep::allgather {

inline constexpr NumberParameter words_parameter{
    {"words", "words of the block that one processor has for all, at least 1", "1"}, &Settings::words};

/// Default and range of --words.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// The entry of an allgather with its defaults filled in: the operation's names, its parameter, resolve().
Method with_defaults(Method own);

/// Writes the block that the rank holds before the run.
void generate(const RunRequest& request, Rank rank, std::span<Word> block);

/// The block of `source` that the rank holds after the run. Called by several threads at once.
using HeldBlock = std::function<std::span<const Word>(Rank rank, Rank source)>;

/// Compares the blocks that every processor holds with the generated data; fills in wrong, data_digest and
/// verify_seconds. The request's executor shares the work.
void verify(const RunRequest& request, const HeldBlock& held, Outcome& outcome);
/// The same where the ranks that take part should hold each other's blocks, and the others nothing.
void verify(const RunRequest& request, const HeldBlock& held, const std::function<bool(Rank)>& takes_part,
            Outcome& outcome);

/// The bound of a machine on which every processor has `links` links: a block needs the diameter's steps to the
/// farthest processor, and each has to receive k-1 blocks, over one link or over all of them; only a part of them can
/// be busy where links or processors are half duplex.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t diameter,
                       std::uint64_t links);
/// The same for a cube.
LowerBound lower_bound_on_hypercube(const MachineSpec& machine, const Model& model, const Settings& settings);
/// The same for a torus, mesh, ring or path.
LowerBound lower_bound_on_grid(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The same for a switch: a step at most doubles the processors that hold a block.
LowerBound lower_bound_on_switch(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Bytes that verify keeps: one copy of all blocks.
std::uint64_t verify_bytes(const MachineSpec& machine, const Settings& settings);

}  // namespace lockstep::allgather
