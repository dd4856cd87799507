#include "lockstep/algorithms/operation/sort.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <utility>

#include "compare_split.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/number_file.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/string_file.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep::sort {
namespace {

constexpr Word sign = Word{1} << 63;

/// The bits of a number as a word of the same order: a negative double grows as its bits shrink.
NumberKey key_of(Word bits, NumberType type) {
  if (type == NumberType::int64) return bits ^ sign;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

Word bits_of(NumberKey key, NumberType type) {
  if (type == NumberType::int64) return key ^ sign;
  return (key & sign) != 0 ? key & ~sign : ~key;
}

/// A number that occurs about four times among all; two or three records need not all be the same.
std::int64_t generated_number(Word random, std::uint64_t count) {
  const std::uint64_t different = count < 4 ? count : count / 4 + 1;
  return static_cast<std::int64_t>(random % different) - static_cast<std::int64_t>(different / 2);
}

std::uint64_t all_records(const MachineSpec& machine, const Settings& settings) {
  return machine.processors * *settings.words;
}

/// What the two kinds of records differ in.
template <class Key>
struct Kind;

template <>
struct Kind<NumberKey> {
  static NumberKey padding() { return std::numeric_limits<NumberKey>::max(); }

  static std::vector<NumberKey> read(const Settings& settings) {
    const NumberType type = number_type(*settings.type);
    std::vector<Word> numbers = read_numbers(*settings.input, {.may_be_empty = true, .type = type}).words;
    for (Word& number : numbers) number = key_of(number, type);
    return numbers;
  }

  static NumberKey generated(const Settings& settings, Word random, std::uint64_t count) {
    const NumberType type = number_type(*settings.type);
    return key_of(word_of(generated_number(random, count), type), type);
  }

  static Word digest(NumberKey key) { return key; }

  static void write(const Settings& settings, std::vector<NumberKey> sorted) {
    const NumberType type = number_type(*settings.type);
    for (Word& record : sorted) record = bits_of(record, type);
    write_numbers(*settings.output, sorted, type);
  }
};

template <>
struct Kind<TextKey> {
  static TextKey padding() { return {.padding = true, .text = {}}; }

  static std::vector<TextKey> read(const Settings& settings) {
    std::vector<TextKey> records;
    for (std::string& text : read_strings(*settings.input, {.may_be_empty = true})) {
      records.push_back({.padding = false, .text = std::move(text)});
    }
    return records;
  }

  static TextKey generated(const Settings&, Word random, std::uint64_t) {
    return {.padding = false, .text = short_text(random)};
  }

  static Word digest(const TextKey& key) { return digest_of(key.text); }

  static void write(const Settings& settings, std::vector<TextKey> sorted) {
    std::vector<std::string> strings;
    strings.reserve(sorted.size());
    for (TextKey& record : sorted) strings.push_back(std::move(record.text));
    write_strings(*settings.output, strings);
  }
};

/// What the ranks hold, one after the other, without the padding at the end.
template <class Key, class Blocks>
std::vector<Key> joined(const Blocks& held, std::uint64_t real) {
  std::vector<Key> records;
  records.reserve(real);
  for (const std::vector<Key>& block : held) {
    const std::uint64_t count = std::min<std::uint64_t>(block.size(), real - records.size());
    records.insert(records.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return records;
}

/// Empty if the rank holds the expected records, and only those.
template <class Key>
std::string what_is_wrong(Rank rank, const std::vector<Key>& held, std::span<const Key> expected) {
  const auto right = std::mismatch(held.begin(), held.end(), expected.begin(), expected.end()).first - held.begin();
  if (held.size() == expected.size() && right == std::ssize(held)) return {};
  return "rank " + std::to_string(rank) + " holds " + std::to_string(held.size()) + " of its " +
         std::to_string(expected.size()) + " records, the first " + std::to_string(right) + " right";
}

/// Fills in --type and returns how many records --input has.
std::uint64_t resolve_input(Settings& settings) {
  if (sorts_strings(settings)) return scan_strings(*settings.input, {.may_be_empty = true}).count;
  NumberLimits limits{.may_be_empty = true};
  if (settings.type) limits.type = number_type(*settings.type);
  const NumberSummary file = scan_numbers(*settings.input, limits);
  settings.type = name(file.type);
  return file.count;
}

/// Bytes of `copies` copies of all records, rank by rank.
Wide record_bytes(const MachineSpec& machine, const Settings& settings, std::uint64_t copies) {
  const Wide records = all_records(machine, settings);
  if (!sorts_strings(settings)) return records * copies * sizeof(NumberKey);
  constexpr std::uint64_t longest_in_place = 15;  // what a std::string holds without memory of its own
  const Wide text = settings.input ? data_bytes(*settings.input) : 0;
  // Memory of their own costs the longer strings up to 32 bytes beside the text.
  return copies * (records * sizeof(TextKey) + text + text / longest_in_place * 32);
}

}  // namespace

bool sorts_strings(const Settings& settings) { return settings.type == "string"; }

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  if (settings.type) type_parameter.resolve(settings);  // else what the input has
  std::uint64_t least = 1;
  if (settings.input) {
    const std::uint64_t records = resolve_input(settings);
    least = std::max<std::uint64_t>(1, (records + machine.processors - 1) / machine.processors);
    if (settings.words.value_or(least) < least) {
      throw InputError("--words " + std::to_string(*settings.words) + " is too few: " + input_name(*settings.input) +
                       " has " + std::to_string(records) + " records, at least " + std::to_string(least) +
                       " for some of " + std::to_string(machine.processors) + " ranks");
    }
  }
  type_parameter.resolve(settings);
  words_parameter.resolve(settings, {.otherwise = least});
  if (settings.output) check_writable(*settings.output);
}

template <class Key>
Input<Key> make_input(const RunRequest& request) {
  const Settings& settings = request.settings;
  const std::uint64_t size = all_records(request.machine, settings);
  Input<Key> input;
  if (settings.input) {
    input.records = Kind<Key>::read(settings);
    input.real = input.records.size();
    if (input.real > size) refuse_changed(*settings.input);
    input.records.resize(size, Kind<Key>::padding());
    return input;
  }
  input.real = size;
  input.records.reserve(size);
  for (Rank rank = 0; rank < request.topology.processors(); ++rank) {
    for (std::uint64_t index = 0; index < *settings.words; ++index) {
      const Word random = generated_word(settings.seed, rank, rank, index);
      input.records.push_back(Kind<Key>::generated(settings, random, size));
    }
  }
  return input;
}

template <class Key>
PerRank<std::vector<Key>> initial_blocks(const RunRequest& request) {
  Input<Key> input = make_input<Key>(request);
  const std::uint64_t b = *request.settings.words;
  PerRank<std::vector<Key>> blocks(request);
  for_all_ranks(request, [&](Rank rank) {
    const auto own = std::span(input.records).subspan(rank * b, b);
    blocks[rank].assign(std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  });
  return blocks;
}

template <class Key>
void finish(const RunRequest& request, const PerRank<std::vector<Key>>& held, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  Input<Key> sorted = make_input<Key>(request);
  std::sort(sorted.records.begin(), sorted.records.end());
  const std::uint64_t b = *request.settings.words;
  const auto judge = [&](Rank rank) -> Verdict {
    WordDigest digest;
    for (const Key& key : held[rank]) digest.add(Kind<Key>::digest(key));
    return {digest.value(), what_is_wrong(rank, held[rank], std::span<const Key>(sorted.records).subspan(rank * b, b))};
  };
  verify_ranks(request, start, judge, outcome);

  if (!request.settings.output || !outcome.wrong.empty()) return;
  sorted.records = std::vector<Key>();  // whose memory is needed
  if (request.division == nullptr) {
    Kind<Key>::write(request.settings, joined<Key>(held, sorted.real));
  } else {
    const auto all = shared(request, [&](Rank rank) { return held[rank]; });
    Kind<Key>::write(request.settings, joined<Key>(all, sorted.real));
  }
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t copies = 3;
  constexpr std::uint64_t overhead = sizeof(std::vector<NumberKey>) + copies * 16;  // of three allocations
  const Wide wired = sorts_strings(settings) ? machine_bytes<Records<TextKey>>(machine, model)
                                             : machine_bytes<Records<NumberKey>>(machine, model);
  return saturated(wired + Wide{machine.processors} * overhead + record_bytes(machine, settings, copies));
}

LowerBound worst_case_bound(const Model& model, const Settings& settings, std::uint64_t diameter,
                            std::uint64_t degree) {
  const std::uint64_t links = model.ports == PortModel::all ? std::max<std::uint64_t>(1, degree) : 1;
  const std::uint64_t words = *settings.words * diameter;
  return {.steps = diameter, .longest_sum = std::max(diameter, (words + links - 1) / links)};
}

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "sort",
                                    .known_as = "sorting",
                                    .parameters = {words_parameter, type_parameter, input_parameter, output_parameter},
                                    .resolve = resolve,
                                    .bytes = bytes});
}

void resolve_own(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  if (sorts_strings(settings)) {
    throw InputError("--type string is not for methods of your own: their records are numbers");
  }
}

Outcome run_own(const RunRequest& request,
                Process (*program)(Processor<Records<NumberKey>>&, std::vector<NumberKey>&)) {
  PerRank<std::vector<NumberKey>> held = initial_blocks<NumberKey>(request);
  Outcome outcome;
  outcome.report = run_program<Records<NumberKey>>(
      request, [&](Processor<Records<NumberKey>>& self) { return program(self, held[self.rank()]); });
  finish(request, held, outcome);
  return outcome;
}

template Input<NumberKey> make_input(const RunRequest&);
template Input<TextKey> make_input(const RunRequest&);
template PerRank<std::vector<NumberKey>> initial_blocks(const RunRequest&);
template PerRank<std::vector<TextKey>> initial_blocks(const RunRequest&);
template void finish(const RunRequest&, const PerRank<std::vector<NumberKey>>&, Outcome&);
template void finish(const RunRequest&, const PerRank<std::vector<TextKey>>&, Outcome&);

}  // namespace lockstep::sort
