#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/machine_facts.hpp"

// What the alltoall methods share: their parameter, data and oracle. Before the run every processor holds a
// block of --words words for every other; afterwards it must hold the block that every other had for it, and nothing
// else.
namespace lockstep::alltoall {

inline constexpr NumberParameter words_parameter{
    {"words", "words of the block that one processor has for another, at least 1", "1"}, &Settings::words};

/// Default and range of --words.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// The entry of an alltoall with its defaults filled in: the operation's names, its parameter, resolve().
Method with_defaults(Method own);

/// S_G, the sum of the distances of all ordered pairs (dimakopoulos.md, Status and bounds); empty if it is not known.
std::optional<Wide> sum_of_distances(const MachineSpec& machine);

/// The most messages that can move in one cycle.
std::uint64_t messages_a_cycle(const MachineFacts& machine, const Model& model);

/// The count as an upper bound, unless it passes 64 bits.
std::optional<Count> at_most_count(Wide value, std::string formula);

/// Bytes of a machine of bundles with room for `pieces` pieces, each one of `parts` parts of a block. A shared memory
/// has `memory_slots` slots with a copy of a block in each.
std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t memory_slots = 0, std::uint64_t parts = 1);

/// The same where every processor keeps its blocks until the end, and sends copies of them.
std::uint64_t bytes_with_copies(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The blocks that the rank has for the others before the run, by destination; none for itself.
Bundle initial_pieces(const RunRequest& request, Rank rank);
/// The blocks of all ranks.
PerRank<Bundle> initial_pieces(const RunRequest& request);

/// Compares held(rank), all that the rank holds after the run, with the generated data, block by block; fills in wrong,
/// data_digest and verify_seconds. held() is called by several threads.
void verify(const RunRequest& request, const std::function<std::vector<Piece>(Rank)>& held, Outcome& outcome);

using lockstep::can_be_at;
using lockstep::check;

/// Runs program(self, held) on every processor, where `held` is at first the processor's blocks for the others, and
/// verifies it in the end. Messages are of type T; a shared memory has `memory_slots` slots.
template <Payload T = Bundle, class Program>
Outcome run(const RunRequest& request, const Program& program, std::size_t memory_slots = 0);

template <Payload T, class Program>
Outcome run(const RunRequest& request, const Program& program, std::size_t memory_slots) {
  PerRank<Bundle> held = initial_pieces(request);
  Outcome outcome;
  outcome.report = run_program<T>(
      request, [&](Processor<T>& self) { return program(self, held[self.rank()]); }, memory_slots);
  verify(
      request, [&](Rank rank) { return held[rank].pieces(); }, outcome);
  return outcome;
}

/// Bytes of a run in which blocks are at two places at once at the most: bytes() of your own entries.
std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The entry of your own alltoall: every processor runs the program, which holds its blocks for the others.
template <Process (*program)(Processor<Bundle>& self, Bundle& held)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .bytes = bytes_of_own, .run = [](const RunRequest& request) {
         return run(request, program);
       }});
}

}  // namespace lockstep::alltoall
