#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

// What the scatter and gather methods share: their parameters, data and oracle. The root has a block of --words words
// for every processor, itself included: before a scatter, or after a gather. At the other end every processor holds its
// own block and nothing else.
namespace lockstep::scatter {

/// A gather is a scatter read backwards: a processor receives in one what it sends in the other.
enum class Reading {
  forwards,  ///< a scatter
  backwards  ///< a gather
};

/// Blocks of a processor that are to move, or have arrived.
struct HeldBlocks {
  Bundle pieces;            ///< the blocks
  std::uint64_t words = 0;  ///< all words of the processor, other data included
};
/// The former name of HeldBlocks.
using Held [[deprecated("use HeldBlocks")]] = HeldBlocks;

inline constexpr NumberParameter words_parameter{{"words", "words of the block of one processor, at least 1",
                                                  "1, or as the numbers of --input give for each processor"},
                                                 &Settings::words};
inline constexpr RankParameter root_parameter{
    {"root", "rank that holds all blocks before a scatter or after a gather", "0"}, &Settings::root};
inline constexpr Parameter input_parameter{
    "input", "file of numbers as text that are the blocks, one word each, in the order of the ranks",
    "generated from --seed"};
inline constexpr Parameter output_parameter{
    "output", "file for all blocks in the order of the ranks as they are in the end, one number a line", "none"};

/// Defaults and ranges of --words and --root, and whether --input can be read and divided and --output written.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// The entry of a scatter, or of a gather, with its defaults filled in: the operation's names, parameters, resolve().
Method with_defaults(Method own);
/// The same for a gather.
Method gather_with_defaults(Method own);

/// Bytes of the machine with room for `pieces` pieces, each one of `parts` parts of a block. A shared memory has
/// `memory_slots` slots with a copy of a block in each.
std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t memory_slots = 0, std::uint64_t parts = 1);

/// As bytes_for(), where messages cross this number of directions of links.
std::uint64_t bytes_over(const MachineSpec& machine, const Model& model, const Settings& settings, Wide directions,
                         Wide pieces, std::uint64_t parts = 1);

/// The blocks that every processor holds before the run.
PerRank<HeldBlocks> initially_held(const RunRequest& request, Reading reading);
/// Compares the blocks that every processor holds after the run with the input, read or generated anew; fills in wrong,
/// data_digest and verify_seconds. If all is right, writes the output.
void finish(const RunRequest& request, Reading reading, const PerRank<HeldBlocks>& held, Outcome& outcome);

/// Runs program(self, root, held) on every processor and verifies their blocks.
Outcome run_own(const RunRequest& request, Reading reading, Process (*program)(Processor<Bundle>&, Rank, Bundle&));

/// Runs program(self, held) on every processor and verifies their blocks. Messages are of type T; a shared memory has
/// `memory_slots` slots.
template <Payload T = Bundle, class Program>
Outcome run(const RunRequest& request, Reading reading, const Program& program, std::size_t memory_slots = 0) {
  PerRank<HeldBlocks> held = initially_held(request, reading);
  Outcome outcome;
  outcome.report = run_program<T>(
      request, [&](Processor<T>& self) { return program(self, held[self.rank()]); }, memory_slots);
  finish(request, reading, held, outcome);
  return outcome;
}

/// Bytes of a run in which blocks are at two places at once at the most: bytes() of your own entries.
std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The entry of your own scatter: every processor runs the program, which holds the blocks for all at the root and
/// nothing elsewhere.
template <Process (*program)(Processor<Bundle>& self, Rank root, Bundle& held)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .bytes = bytes_of_own, .run = [](const RunRequest& request) {
         return run_own(request, Reading::forwards, program);
       }});
}

/// The same for a gather, in which every processor holds its block for the root.
template <Process (*program)(Processor<Bundle>& self, Rank root, Bundle& held)>
Method own_gather(std::string_view name, const std::vector<std::string_view>& families) {
  return gather_with_defaults(
      {.name = name, .families = families, .bytes = bytes_of_own, .run = [](const RunRequest& request) {
         return run_own(request, Reading::backwards, program);
       }});
}

}  // namespace lockstep::scatter
