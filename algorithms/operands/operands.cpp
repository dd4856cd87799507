#include "lockstep/algorithms/operation/operands.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/string_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep::operands {
namespace {

/// The counts around `number` that are multiples of `unit`: "8 or 16 would fit".
std::string fitting(std::uint64_t number, std::uint64_t unit) {
  const std::uint64_t below = number / unit * unit;
  return (below == 0 ? "" : std::to_string(below) + " or ") + std::to_string(below + unit) + " would fit";
}

/// The words of one value if the file has those of all ranks.
std::uint64_t words_of_each(const Settings& settings, std::uint64_t in_file, Rank ranks, std::uint64_t element) {
  const std::string file_has =
      input_name(*settings.input) + " has " + counted(in_file, is_concat(settings) ? "line" : "number");
  if (in_file % (ranks * element) != 0) {
    throw InputError(file_has + ", which " + counted(ranks, "rank") + " cannot share evenly" +
                     (element > 1 ? " in elements of " + counted(element, "word") : "") + ": " +
                     fitting(in_file, ranks * element));
  }
  const std::uint64_t each = in_file / ranks;
  if (settings.words.value_or(each) != each) {
    throw InputError("--words " + std::to_string(*settings.words) + " does not fit: " + file_has + ", " +
                     std::to_string(each) + " for each of " + counted(ranks, "rank"));
  }
  return each;
}

/// Fills in --type and returns the number of words in --input, if it is given.
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
constexpr std::int64_t small_number(Word random) { return static_cast<std::int64_t>(random % 2001) - 1000; }

/// Bits of a double's fraction, and those among them that have even numbers.
constexpr unsigned fraction_bits = 52;
constexpr Word fraction = (Word{1} << fraction_bits) - 1;
constexpr Word even_bits = 0x5555555555555555 & fraction;
/// Sign and exponent of doubles of 1 or more and less than 2.
constexpr Word from_one_to_two = Word{0x3ff} << fraction_bits;

/// Signed permutation matrices do not commute, and products of them are such matrices again: exact in doubles too.
std::array<std::int64_t, 4> signed_permutation(Word random) {
  const std::int64_t first = (random & 1) != 0 ? 1 : -1;
  const std::int64_t second = (random & 2) != 0 ? 1 : -1;
  if ((random & 4) != 0) return {first, 0, 0, second};
  return {0, first, second, 0};
}

static_assert(std::numeric_limits<long double>::max_exponent > 2 * std::numeric_limits<double>::max_exponent,
              "sums of doubles must not overflow");
using Wides = std::vector<long double>;

Wides wide(const Block& block) {
  Wides numbers;
  numbers.reserve(block.size());
  for (std::uint64_t index = 0; index < block.size(); ++index) {
    numbers.push_back(std::bit_cast<double>(block[index]));
  }
  return numbers;
}

Block narrow(const Wides& numbers) {
  Block block(numbers.size());
  for (std::uint64_t index = 0; index < numbers.size(); ++index) {
    block[index] = std::bit_cast<Word>(static_cast<double>(numbers[index]));
  }
  return block;
}

Wides absolute(Wides numbers) {
  for (long double& number : numbers) number = std::abs(number);
  return numbers;
}

/// lower := lower (+) higher, for sums and for products of 2x2 matrices.
void combine_wide(Wides& lower, const Wides& higher, std::uint64_t element_words) {
  if (element_words == 1) {
    std::ranges::transform(lower, higher, lower.begin(), std::plus());
    return;
  }
  for (std::size_t first = 0; first < lower.size(); first += element_words) {
    const std::array<long double, 4> left{lower[first], lower[first + 1], lower[first + 2], lower[first + 3]};
    for (const std::size_t row : {0U, 2U}) {
      for (const std::size_t column : {0U, 1U}) {
        lower[first + row + column] = left[row] * higher[first + column] + left[row + 1] * higher[first + 2 + column];
      }
    }
  }
}

/// Raises every number of `largest` to that of the others, if that is more.
void raise(Wides& largest, const Wides& others) {
  std::ranges::transform(largest, others, largest.begin(), [](long double a, long double b) { return std::max(a, b); });
}

/// The largest number of the element that begins with word `first`.
long double largest_of(const Wides& numbers, std::uint64_t first, std::uint64_t element_words) {
  const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
  return std::max(0.0L, *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(element_words)));
}

/// Unit matrices.
Wides units(std::uint64_t size) {
  Wides numbers(size);
  for (std::uint64_t index = 0; index < size; ++index) numbers[index] = index % 4 == 0 || index % 4 == 3 ? 1 : 0;
  return numbers;
}

/// Whether the double is one to which some number within `allowed` of `exact` is rounded.
bool is_near(double found, long double exact, long double allowed) {
  constexpr long double rounded_to_infinity = 0x1.fffffffffffff8p1023L;
  if (std::isnan(exact) || std::isnan(allowed)) return std::isnan(found);
  if (std::isinf(exact) || std::isinf(allowed)) return found == static_cast<double>(exact);
  if (std::isnan(found)) return false;
  if (std::isinf(found)) return (found > 0 ? exact : -exact) + allowed >= rounded_to_infinity;
  return std::abs(found - exact) <= allowed;
}

}  // namespace

const Operator& OperatorParameter::resolve(Settings& settings) const {
  const Operator& chosen = settings.operator_name ? find_operator(*settings.operator_name) : operators().front();
  settings.operator_name = chosen.name;
  return chosen;
}

bool is_concat(const Settings& settings) { return settings.operator_name == "concat"; }

void require_commutative(Settings& settings) {
  if (operator_parameter.resolve(settings).commutative) return;
  throw InputError("--operator " + *settings.operator_name +
                   " does not commute, and operands are combined in another order than that of the ranks");
}

void resolve(const MachineSpec& machine, Settings& settings) {
  const Operator& chosen = operator_parameter.resolve(settings);
  const std::uint64_t element = chosen.element_words;
  const auto in_file = resolve_data(settings);
  if (in_file) settings.words = words_of_each(settings, *in_file, static_cast<Rank>(machine.processors), element);
  words_parameter.resolve(settings, {.least = element, .otherwise = element});
  if (*settings.words % element != 0) {
    throw InputError("--words " + std::to_string(*settings.words) + " is no whole number of " +
                     std::string(chosen.name) + "'s elements, each of " + counted(element, "word") + ": " +
                     fitting(*settings.words, element));
  }
  if (settings.output) check_writable(*settings.output);
}

bool may_absorb(const Settings& settings) {
  const Operator& chosen = find_operator(*settings.operator_name);
  if (chosen.absorption != Absorption::none) return true;
  return chosen.rounds && settings.input && number_type(*settings.type) == NumberType::float64;
}

std::uint64_t wrapped_words(const Settings& settings, std::string_view operation) {
  if (!settings.operator_name || !settings.input || !settings.words || !settings.type) return 0;
  const Operator& chosen = find_operator(*settings.operator_name);
  if (!chosen.rounds || number_type(*settings.type) != NumberType::int64) return 0;
  const std::vector<Word> input = read_numbers(*settings.input, {.type = NumberType::int64}).words;
  const std::uint64_t words = *settings.words;
  const std::uint64_t ranks = input.size() / words;
  const auto number = [&](std::uint64_t rank, std::uint64_t word) {
    return std::bit_cast<std::int64_t>(input[rank * words + word]);
  };
  const bool is_of_each = operation == "scan" || operation == "exscan";
  const auto is_result = [&](std::uint64_t last) {
    if (operation == "exscan") return last + 1 < ranks;
    return is_of_each || last + 1 == ranks;
  };
  std::uint64_t wrapped = 0;
  if (chosen.element_words == 1) {
    constexpr Wide half = Wide{1} << 63;
    for (std::uint64_t word = 0; word < words; ++word) {
      Wide sum = 0;  // modulo 2^128
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        sum += static_cast<Wide>(number(rank, word));
        if (is_result(rank) && sum + half >= 2 * half) ++wrapped;
      }
    }
    return wrapped;
  }
  Wides product;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    Wides value;
    for (std::uint64_t word = 0; word < words; ++word) value.push_back(static_cast<long double>(number(rank, word)));
    if (rank == 0) {
      product = std::move(value);
    } else {
      combine_wide(product, value, chosen.element_words);
    }
    if (!is_result(rank)) continue;
    wrapped += static_cast<std::uint64_t>(
        std::ranges::count_if(product, [](long double one) { return !(one >= -0x1p63L && one < 0x1p63L); }));
  }
  return wrapped;
}

std::uint64_t text_bytes(const MachineSpec& machine, const Settings& settings) {
  constexpr std::uint64_t longest_generated = 4;
  if (settings.input) return data_bytes(*settings.input);
  return saturated(Wide{longest_generated} * machine.processors * *settings.words);
}

std::uint64_t value_bytes(const MachineSpec& machine, const Settings& settings) {
  constexpr std::uint64_t overhead = 32;  // of an allocation, and of a vector
  const Wide all_words = Wide{machine.processors} * *settings.words;
  const std::uint64_t copies = settings.input ? 2 : 1;
  const Wide oracle = settings.input ? Wide{*settings.words} * 5 * sizeof(long double) : 0;
  if (!is_concat(settings))
    return saturated(machine.processors * overhead + copies * all_words * sizeof(Word) + oracle);
  const Wide text = text_bytes(machine, settings);
  // Growing strings have room for twice as much, and the oracle makes the result once more.
  return saturated(machine.processors * overhead + copies * (all_words * sizeof(std::string) + text) + 3 * text);
}

NumberValues::NumberValues(const RunRequest& request)
    : settings_(request.settings),
      division_(request.division),
      ranks_(request.topology.processors()),
      type_(number_type(*settings_.type)),
      operator_(find_operator(*settings_.operator_name)),
      apply_(operator_.on(type_)),
      may_absorb_(operands::may_absorb(settings_)),
      first_decider_(static_cast<Rank>(generated_word(settings_.seed, no_rank, no_rank, 0) % ranks_)) {
  const OperandSource* const source = request.observer == nullptr ? nullptr : request.observer->operand_source();
  if (source != nullptr) {
    for (Rank rank = 0; rank < ranks_; ++rank) {
      for (std::uint64_t index = 0; index < *settings_.words; ++index) input_.push_back(source->operand(rank, index));
    }
  }
  if (!settings_.input) return;
  input_ = read_numbers(*settings_.input, {.type = type_}).words;
  if (input_.size() != ranks_ * *settings_.words) refuse_changed(*settings_.input);
}

// Most operators take any numbers, which are drawn in a loop without further conditions.
Block NumberValues::value(Rank rank) const {
  const std::uint64_t size = *settings_.words;
  Block block(size);
  Word* const words = block.data();
  if (!input_.empty()) {
    std::copy_n(input_.data() + rank * size, size, words);
  } else if (operator_.absorption == Absorption::none) {
    for (std::uint64_t index = 0; index < size; ++index) {
      words[index] = word_of(small_number(generated_word(settings_.seed, rank, rank, index)), type_);
    }
  } else {
    for (std::uint64_t index = 0; index < size; ++index) words[index] = generated(rank, index);
  }
  return block;
}

Word NumberValues::generated(Rank rank, std::uint64_t index) const {
  const auto random = [&](std::uint64_t number) { return generated_word(settings_.seed, rank, rank, number); };
  const auto from_zero = [&] {
    const bool decides = (first_decider_ + index) % ranks_ == rank;
    return static_cast<std::int64_t>(random(index) % 500) + (decides ? 1 : 501);
  };
  const Word exponent = type_ == NumberType::float64 ? from_one_to_two : 0;
  switch (operator_.absorption) {
    case Absorption::none:
      break;  // any number
    case Absorption::least:
      return word_of(from_zero(), type_);
    case Absorption::greatest:
      return word_of(-from_zero(), type_);
    case Absorption::zeros:
      return exponent | (fraction & ~decided_bits(rank, index));
    case Absorption::ones:
      return exponent | decided_bits(rank, index);
    case Absorption::singular:
      return word_of(signed_permutation(random(index / 4))[index % 4], type_);
  }
  return word_of(small_number(random(index)), type_);
}

Word NumberValues::decided_bits(Rank rank, std::uint64_t index) const {
  constexpr unsigned pairs = fraction_bits / 2;
  // One of each pair of bits is decided by a single operand: the same one for all ranks, which is drawn.
  const Word drawn = generated_word(settings_.seed, no_rank, no_rank, index);
  const Word decided = (drawn & even_bits) | (~drawn & even_bits) << 1;
  const std::uint64_t first_of_word = (first_decider_ + index * pairs) % ranks_;
  Word of_rank = 0;
  for (std::uint64_t pair = (rank + ranks_ - first_of_word) % ranks_; pair < pairs; pair += ranks_) {
    of_rank |= Word{3} << (2 * pair);
  }
  return decided & of_rank;
}

bool NumberValues::is_rounded() const { return apply_ != operator_.on_int64 && !input_.empty() && operator_.rounds; }

void NumberValues::write(const std::string& path, std::span<const Block> results) const {
  std::vector<Word> all;
  for (const Block& result : results) all.insert(all.end(), result.data(), result.data() + result.size());
  write_numbers(path, all, type_);
}

NumberValues::Oracle::Oracle(const NumberValues& values, Block first) : values_(values), expected_(std::move(first)) {
  if (!values_.is_rounded()) return;
  exact_ = wide(expected_);
  absolute_ = absolute(exact_);
  if (values_.operator_.commutative) return;
  largest_head_.assign(absolute_.size() / values_.operator_.element_words, 1);
  largest_tails_ = units(absolute_.size());
  largest_part_ = largest_head_;
  note_largest_part();
}

void NumberValues::Oracle::note_largest_part() {
  const std::uint64_t element_words = values_.operator_.element_words;
  for (std::uint64_t element = 0; element < largest_part_.size(); ++element) {
    for (const Wides* products : {&absolute_, &largest_tails_}) {
      largest_part_[element] =
          std::max(largest_part_[element], largest_of(*products, element * element_words, element_words));
    }
  }
}

void NumberValues::Oracle::extend(const Block& value) {
  if (!values_.is_rounded()) return values_.combine(expected_, value);
  const std::uint64_t element_words = values_.operator_.element_words;
  const Wides exact = wide(value);
  const Wides size = absolute(exact);
  combine_wide(exact_, exact, element_words);
  expected_ = narrow(exact_);
  for (std::uint64_t element = 0; element < largest_head_.size(); ++element) {
    largest_head_[element] =
        std::max(largest_head_[element], largest_of(absolute_, element * element_words, element_words));
  }
  combine_wide(absolute_, size, element_words);
  if (largest_head_.empty()) return;
  // What is lost on the way is multiplied by values of later ranks only.
  combine_wide(largest_tails_, size, element_words);
  raise(largest_tails_, units(size.size()));
  note_largest_part();
}

long double NumberValues::Oracle::tolerance(std::uint64_t index) const {
  const auto ranks = static_cast<long double>(values_.ranks_);
  const long double relative = std::ldexp(ranks, -51) * absolute_[index];
  if (largest_head_.empty()) return relative;
  const std::uint64_t element_words = values_.operator_.element_words;
  const std::uint64_t element = index / element_words;
  // What is more is infinite in doubles, and loses nothing.
  constexpr long double most = std::numeric_limits<double>::max();
  const long double head = std::min(most, largest_head_[element]);
  const long double tail = std::clamp(largest_of(largest_tails_, element * element_words, element_words), 1.0L, most);
  return relative + std::ldexp(ranks, -1071) * head * tail;
}

bool NumberValues::Oracle::is_right(Word found, std::uint64_t index) const {
  if (found == expected_[index]) return true;
  if (values_.apply_ == values_.operator_.on_int64) return false;
  const auto number = std::bit_cast<double>(found);
  if (exact_.empty()) return number == std::bit_cast<double>(expected_[index]);  // a zero may have either sign
  return is_near(number, exact_[index], tolerance(index));
}

std::uint64_t NumberValues::Oracle::right(const Block& result) const {
  const std::uint64_t size = std::min(result.size(), expected_.size());
  std::uint64_t right = 0;
  while (right < size && is_right(result[right], right)) ++right;
  return right;
}

std::string NumberValues::Oracle::remark(std::uint64_t index) const {
  constexpr long double largest = std::numeric_limits<double>::max();
  if (index >= absolute_.size()) return {};
  const long double most =
      largest_part_.empty() ? absolute_[index] : largest_part_[index / values_.operator_.element_words];
  if (most <= largest) return {};
  return "; there, absolute values exceed the largest double, so that the order of combining decides the result";
}

StringValues::StringValues(const RunRequest& request)
    : settings_(request.settings), division_(request.division), ranks_(request.topology.processors()) {
  if (!settings_.input) return;
  input_ = read_strings(*settings_.input);
  if (input_.size() != ranks_ * *settings_.words) refuse_changed(*settings_.input);
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

std::uint64_t StringValues::digest(const Strings& result) const {
  WordDigest digest;
  for (const std::string& element : result.elements) digest.add(digest_of(element));
  return digest.value();
}

void StringValues::write(const std::string& path, std::span<const Strings> results) const {
  std::vector<std::string> all;
  for (const Strings& result : results) all.insert(all.end(), result.elements.begin(), result.elements.end());
  write_strings(path, all);
}

std::uint64_t StringValues::Oracle::right(const Strings& result) const {
  const auto differs = std::mismatch(result.elements.begin(), result.elements.end(), expected_.elements.begin(),
                                     expected_.elements.end());
  return static_cast<std::uint64_t>(differs.first - result.elements.begin());
}

void resolve_own(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve(machine, settings);
  if (is_concat(settings)) throw InputError("--operator concat is not for your own methods: they combine numbers");
}

std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide value = sizeof(Block) + allocated_bytes(*settings.words);
  return saturated(machine_bytes<Block>(machine, model) + 2 * machine.processors * value +
                   value_bytes(machine, settings));
}

PerRank<Block> initial_values(const RunRequest& request, const NumberValues& values) {
  PerRank<Block> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank] = values.value(rank); });
  return held;
}

std::string what_is_wrong_at(Rank rank, const NumberValues::Oracle& oracle, const Block& result) {
  const std::string wrong = what_is_wrong(oracle, result, NumberValues::noun);
  return wrong.empty() ? wrong : "rank " + std::to_string(rank) + " holds " + wrong;
}

}  // namespace lockstep::operands
