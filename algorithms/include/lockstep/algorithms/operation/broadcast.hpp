#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

// What the broadcast methods share: their parameters, data and oracle. Before the run the root holds an item of
// --words words; afterwards every processor must hold it.
namespace lockstep::broadcast {

inline constexpr NumberParameter words_parameter{
    {"words", "words of the whole item, at least 1", "1, or as many as the numbers of --input"}, &Settings::words};
inline constexpr RankParameter root_parameter{{"root", "rank that holds the item at first", "0"}, &Settings::root};

inline constexpr Parameter input_parameter{"input", "file of numbers as text that are the item, one word each",
                                           "generated from --seed"};
inline constexpr Parameter output_parameter{
    "output", "file for the item as the highest rank holds it in the end, one number a line", "none"};

/// Defaults and ranges of --words and --root, and whether --input can be read and --output written.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// The entry of a broadcast with its defaults filled in: the operation's names, its parameters, resolve() and bytes().
Method with_defaults(Method own);

/// Bytes of the machine and of the item, whose memory all processors share; over links, each receives it once.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
/// As bytes(), where the item, or a part of it, crosses this number of directions of links.
std::uint64_t bytes_over(const MachineSpec& machine, const Model& model, const Settings& settings, Wide directions);
/// The same with `slots` slots of a shared memory.
std::uint64_t bytes_with_slots(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t slots);

/// Runs program(self, item) on every processor and compares all items with the root's. A shared memory has
/// `memory_slots` slots.
template <class Program>
Outcome run(const RunRequest& request, const Program& program, std::size_t memory_slots = 0);

/// The items as they must be before the run: read or generated at the root, empty elsewhere.
PerRank<Block> initial_items(const RunRequest& request);
/// Compares the items with the input, read or generated anew, rank by rank; fills in wrong, data_digest and
/// verify_seconds. If all are right, writes the output.
void finish(const RunRequest& request, const PerRank<Block>& items, Outcome& outcome);

template <class Program>
Outcome run(const RunRequest& request, const Program& program, std::size_t memory_slots) {
  PerRank<Block> items = initial_items(request);
  Outcome outcome;
  outcome.report = run_program<Block>(
      request, [&](Processor<Block>& self) { return program(self, items[self.rank()]); }, memory_slots);
  finish(request, items, outcome);
  return outcome;
}

/// The entry of your own broadcast: every processor runs the program, whose item is the root's at the root and empty
/// elsewhere.
template <Process (*program)(Processor<Block>& self, Rank root, Block& item)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults({.name = name, .families = families, .run = [](const RunRequest& request) {
                          const Rank root = request.root();
                          return run(request,
                                     [root](Processor<Block>& self, Block& item) { return program(self, root, item); });
                        }});
}

}  // namespace lockstep::broadcast
