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

/// Bytes that verify keeps: one copy of all blocks.
std::uint64_t verify_bytes(const MachineSpec& machine, const Settings& settings);

}  // namespace lockstep::allgather
