#include "reduce.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/string_file.hpp"

namespace lockstep::reduce {
namespace {

std::string plural(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// The counts around `number` that are multiples of `unit`: "8 or 16 would fit".
std::string fitting(std::uint64_t number, std::uint64_t unit) {
  const std::uint64_t below = number / unit * unit;
  return (below == 0 ? "" : std::to_string(below) + " or ") + std::to_string(below + unit) + " would fit";
}

/// The words of one value if the file's words are to be those of all ranks.
std::uint64_t words_of_each(const Settings& settings, std::uint64_t in_file, Rank ranks, std::uint64_t element) {
  const std::string file_has = *settings.input + " has " + plural(in_file, is_concat(settings) ? "line" : "number");
  if (in_file % (ranks * element) != 0) {
    throw InputError(file_has + ", which " + plural(ranks, "rank") + " cannot share evenly" +
                     (element > 1 ? " in elements of " + plural(element, "word") : "") + ": " +
                     fitting(in_file, ranks * element));
  }
  const std::uint64_t each = in_file / ranks;
  if (settings.words.value_or(each) != each) {
    throw InputError("--words " + std::to_string(*settings.words) + " does not fit: " + file_has + ", " +
                     std::to_string(each) + " for each of " + plural(ranks, "rank"));
  }
  return each;
}

/// Fills in --type and returns how many words --input has, if it is given.
std::optional<std::uint64_t> resolve_data(Settings& settings) {
  if (is_concat(settings)) {
    if (settings.type) throw InputError("--type is for operators on numbers; concat appends strings");
    if (!settings.input) return {};
    return scan_strings(*settings.input).count;
  }
  std::optional<NumberType> type;
  if (settings.type) type = number_type(*settings.type);
  std::optional<std::uint64_t> in_file;
  if (settings.input) {
    const NumberSummary file = scan_numbers(*settings.input, {.type = type});
    type = file.type;
    in_file = file.count;
  }
  settings.type = name(type.value_or(NumberType::int64));
  return in_file;
}

/// A generated number: small, so that sums of any order are the same in doubles too.
std::int64_t small_number(Word random) { return static_cast<std::int64_t>(random % 2001) - 1000; }

/// Signed permutation matrices do not commute, and products of them are such matrices again: exact in doubles too.
std::array<std::int64_t, 4> signed_permutation(Word random) {
  const std::int64_t first = (random & 1) != 0 ? 1 : -1;
  const std::int64_t second = (random & 2) != 0 ? 1 : -1;
  if ((random & 4) != 0) return {first, 0, 0, second};
  return {0, first, second, 0};
}

/// A block of doubles without their signs.
Block absolute(Block block) {
  for (std::uint64_t index = 0; index < block.size(); ++index) {
    block[index] = std::bit_cast<Word>(std::abs(std::bit_cast<double>(block[index])));
  }
  return block;
}

/// Raises largest[e] to the largest double of the block's element e, if that is more.
void keep_largest(std::vector<double>& largest, const Block& block, std::uint64_t element_words) {
  for (std::uint64_t index = 0; index < block.size(); ++index) {
    double& of_element = largest[index / element_words];
    of_element = std::max(of_element, std::bit_cast<double>(block[index]));
  }
}

/// Whether a word that should be `expected` may be `found`.
bool is_near(Word found, Word expected, Word tolerance) {
  const auto off_by = std::abs(std::bit_cast<double>(found) - std::bit_cast<double>(expected));
  const auto allowed = std::bit_cast<double>(tolerance);
  // Where even absolute values overflow, a different order may come to infinity, to no number or to neither.
  return off_by <= allowed || !std::isfinite(allowed);
}

std::string holds(std::uint64_t found, std::uint64_t expected, std::uint64_t right, const std::string& noun) {
  return "the root holds a result of " + std::to_string(found) + " " + noun + " of " + std::to_string(expected) +
         ", the first " + std::to_string(right) + " right";
}

}  // namespace

bool is_concat(const Settings& settings) { return settings.operation == "concat"; }

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  const Operator& chosen = find_operator(settings.operation.value_or("sum"));
  settings.operation = chosen.name;
  const std::uint64_t element = chosen.element_words;
  const auto in_file = resolve_data(settings);
  if (in_file) settings.words = words_of_each(settings, *in_file, static_cast<Rank>(machine.processors), element);
  settings.words = whole_number("words", settings.words.value_or(element), element, most_words);
  if (*settings.words % element != 0) {
    throw InputError("--words " + std::to_string(*settings.words) + " is no whole number of " +
                     std::string(chosen.name) + "'s elements, each of " + plural(element, "word") + ": " +
                     fitting(*settings.words, element));
  }
  settings.root = whole_number("root", settings.root.value_or(0), 0, machine.processors - 1);
  if (settings.output) check_writable(*settings.output);
}

std::uint64_t value_bytes(const MachineSpec& machine, const Settings& settings) {
  constexpr std::uint64_t overhead = 32;  // of an allocation, and of a vector
  const Wide all_words = Wide{machine.processors} * *settings.words;
  const std::uint64_t copies = settings.input ? 2 : 1;
  if (!is_concat(settings)) return saturated(machine.processors * overhead + copies * all_words * sizeof(Word));
  constexpr std::uint64_t longest_generated = 4;
  const Wide text = settings.input ? data_bytes(*settings.input) : longest_generated * all_words;
  // Strings that grow have room for twice as much, and the oracle makes the result once more.
  return saturated(machine.processors * overhead + copies * (all_words * sizeof(std::string) + text) + 3 * text);
}

NumberValues::NumberValues(const RunRequest& request)
    : settings_(request.settings),
      ranks_(request.topology.processors()),
      type_(number_type(*settings_.type)),
      operator_(find_operator(*settings_.operation)),
      apply_(operator_.on(type_)) {
  if (!settings_.input) return;
  input_ = read_numbers(*settings_.input, {.type = type_}).words;
  if (input_.size() != ranks_ * *settings_.words) throw InputError(*settings_.input + " has changed meanwhile");
}

Block NumberValues::value(Rank rank) const {
  const std::uint64_t size = *settings_.words;
  Block block(size);
  for (std::uint64_t index = 0; index < size; ++index) {
    if (!input_.empty()) {
      block[index] = input_[rank * size + index];
    } else if (operator_.element_words == 4) {
      const Word random = generated_word(settings_.seed, rank, rank, index / 4);
      block[index] = word_of(signed_permutation(random)[index % 4], type_);
    } else {
      block[index] = word_of(small_number(generated_word(settings_.seed, rank, rank, index)), type_);
    }
  }
  return block;
}

Block NumberValues::tolerance() const {
  if (apply_ == operator_.on_int64) return {};  // of int64, or of bits whatever they stand for
  if (input_.empty() || !operator_.rounds) return Block(*settings_.words);
  // The largest parts of the products from rank 0 to any rank, and from any rank to the last; 1 for none.
  const std::uint64_t element_words = operator_.element_words;
  std::vector<double> before(*settings_.words / element_words, 1);
  std::vector<double> behind = before;
  Block tail = absolute(value(ranks_ - 1));
  for (Rank rank = ranks_ - 1; rank > 0; --rank) {
    keep_largest(behind, tail, element_words);
    Block longer = absolute(value(rank - 1));
    apply_(longer, tail);
    tail = std::move(longer);
  }
  Block block = absolute(value(0));
  for (Rank rank = 1; rank < ranks_; ++rank) {
    keep_largest(before, block, element_words);
    apply_(block, absolute(value(rank)));
  }
  const double relative = std::ldexp(static_cast<double>(ranks_), -51);
  const double lost = operator_.commutative ? 0 : std::ldexp(static_cast<double>(ranks_), -1071);
  for (std::uint64_t index = 0; index < block.size(); ++index) {
    const std::uint64_t element = index / element_words;
    const double allowed = relative * std::bit_cast<double>(block[index]) + lost * before[element] * behind[element];
    block[index] = std::bit_cast<Word>(allowed);
  }
  return block;
}

std::string NumberValues::what_is_wrong(const Block& result) const {
  Block expected = value(0);
  for (Rank rank = 1; rank < ranks_; ++rank) apply_(expected, value(rank));
  const Block allowed = tolerance();
  const auto is_right = [&](std::uint64_t index) {
    return result[index] == expected[index] ||
           (allowed.size() > 0 && is_near(result[index], expected[index], allowed[index]));
  };
  std::uint64_t right = 0;
  while (right < std::min(result.size(), expected.size()) && is_right(right)) ++right;
  if (right == expected.size() && right == result.size()) return {};
  return holds(result.size(), expected.size(), right, "words");
}

void NumberValues::add_to(Digest& digest, const Block& result) const {
  for (std::uint64_t index = 0; index < result.size(); ++index) digest.add(result[index]);
}

void NumberValues::write(const std::string& path, const Block& result) const {
  write_numbers(path, {result.data(), result.size()}, type_);
}

StringValues::StringValues(const RunRequest& request)
    : settings_(request.settings), ranks_(request.topology.processors()) {
  if (!settings_.input) return;
  input_ = read_strings(*settings_.input);
  if (input_.size() != ranks_ * *settings_.words) throw InputError(*settings_.input + " has changed meanwhile");
}

Strings StringValues::value(Rank rank) const {
  const std::uint64_t size = *settings_.words;
  Strings strings;
  strings.elements.reserve(size);
  for (std::uint64_t index = 0; index < size; ++index) {
    strings.elements.push_back(input_.empty() ? short_text(generated_word(settings_.seed, rank, rank, index))
                                              : input_[rank * size + index]);
  }
  return strings;
}

std::string StringValues::what_is_wrong(const Strings& result) const {
  Strings expected = value(0);
  for (Rank rank = 1; rank < ranks_; ++rank) concatenate(expected, value(rank));
  if (result == expected) return {};
  const auto right =
      std::mismatch(result.elements.begin(), result.elements.end(), expected.elements.begin(), expected.elements.end())
          .first -
      result.elements.begin();
  return holds(words(result), words(expected), static_cast<std::uint64_t>(right), "strings");
}

void StringValues::add_to(Digest& digest, const Strings& result) const {
  for (const std::string& element : result.elements) digest.add(element);
}

void StringValues::write(const std::string& path, const Strings& result) const { write_strings(path, result.elements); }

}  // namespace lockstep::reduce
