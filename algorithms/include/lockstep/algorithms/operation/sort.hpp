#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/operation/elements.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

// What the sort methods share: their parameters, data and oracle. Before the run every processor holds b = --words
// records; afterwards the records of rank 0, 1, 2, .. in sequence must be those of all processors, ascending, b each.
namespace lockstep::sort {

inline constexpr NumberParameter words_parameter{
    {"words", "records of one processor, each counted as one word, at least 1", "1, or as many as --input needs"},
    &Settings::words};
/// The types of records, the default first.
inline constexpr std::array<std::string_view, 3> types{"int64", "double", "string"};
inline constexpr ChoiceParameter type_parameter{
    {"type", "what records are: int64, double, or string (by bytes)", "int64, or what --input has"},
    &Settings::type,
    types};
inline constexpr Parameter input_parameter{
    "input", "file of records, numbers as text or one string a line; maximal ones fill up what is missing meanwhile",
    "generated from --seed"};
inline constexpr Parameter output_parameter{"output", "file for the sorted records, one a line", "none"};

/// A number as a record: a word whose order among words is that of the number, -0.0 before 0.0.
using NumberKey = Word;

/// A string as a record.
struct TextKey {
  bool padding = false;  ///< greater than any string
  std::string text;      ///< the text in the file

  friend std::strong_ordering operator<=>(const TextKey&, const TextKey&) = default;
};
/// The whole key, for another process.
inline void pack(const TextKey& key, ByteWriter& to) {
  to.put(key.padding);
  lockstep::pack(key.text, to);
}
/// The inverse of pack().
inline TextKey unpack(ByteReader& from, std::type_identity<TextKey>) {
  const bool padding = from.get<bool>();
  return {padding, lockstep::unpack(from, std::type_identity<std::string>{})};
}
/// Lengthens it; a fault that tests plant.
inline void corrupt(TextKey& key) { key.text.push_back('?'); }

/// Defaults and ranges of all parameters, and whether --input can be read and --output written.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// Whether records are strings.
bool sorts_strings(const Settings& settings);

/// All records before the run, rank by rank b of them; those from `real` on are padding.
template <class Key>
struct Input {
  std::vector<Key> records;  ///< rank by rank
  std::uint64_t real = 0;    ///< records that are not padding
};
/// Generates the records, or reads them; throws InputError if they cannot be read (any more).
template <class Key>
Input<Key> make_input(const RunRequest& request);

/// Records that travel together, each counted as one word, with labels whose meaning each schedule defines.
template <class Key>
using Records = Elements<std::vector<Key>>;

/// Numbers that travel together, without labels.
inline Records<NumberKey> records(std::vector<NumberKey> numbers) { return {.value = std::move(numbers)}; }

/// The same, a block of b for each rank.
template <class Key>
PerRank<std::vector<Key>> initial_blocks(const RunRequest& request);

/// Compares the records of the ranks with all records sorted one after the other; fills in wrong, data_digest and
/// verify_seconds. If all is right, writes the output.
template <class Key>
void finish(const RunRequest& request, const PerRank<std::vector<Key>>& held, Outcome& outcome);

/// Bytes of the machine and the records: a processor's own, those it receives, and both merged; before and after the
/// run there are the blocks and all records once, or twice while they are read.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

/// All records of every processor may belong to one that is a diameter away, a different one for each, as the machine
/// looks the same from all of them: so N b diameter words have to cross N links in a step, or with all ports N times
/// the degree.
LowerBound worst_case_bound(const Model& model, const Settings& settings, std::uint64_t diameter, std::uint64_t degree);

/// The entry of a sort with its defaults filled in: the operation's names, its parameters, resolve() and bytes().
Method with_defaults(Method own);

/// Runs program(self, own) on every processor, where `own` are its records, and compares the results with the oracle.
/// The program is for both kinds of records.
template <class Program>
Outcome run_sort(const RunRequest& request, const Program& program) {
  const auto run_with = [&]<class Key>(PerRank<std::vector<Key>> blocks) {
    Outcome outcome;
    outcome.report = run_program<Records<Key>>(
        request, [&](Processor<Records<Key>>& self) { return program(self, blocks[self.rank()]); });
    finish(request, blocks, outcome);
    return outcome;
  };
  if (sorts_strings(request.settings)) return run_with(initial_blocks<TextKey>(request));
  return run_with(initial_blocks<NumberKey>(request));
}

/// Runs program(self, own) on every processor, where `own` are its records, which are numbers.
Outcome run_own(const RunRequest& request, Process (*program)(Processor<Records<NumberKey>>&, std::vector<NumberKey>&));
/// resolve(), which refuses strings.
void resolve_own(const MachineSpec& machine, const Model& model, Settings& settings);

/// The entry of your own sort: every processor runs the program, whose records are its own at first. Records of numbers
/// are words whose order is that of the numbers.
template <Process (*program)(Processor<Records<NumberKey>>& self, std::vector<NumberKey>& own)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .resolve = resolve_own, .run = [](const RunRequest& request) {
         return run_own(request, program);
       }});
}

}  // namespace lockstep::sort
