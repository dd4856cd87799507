#include "lockstep/algorithms/number_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>
#include <system_error>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/written_number.hpp"

namespace lockstep {
namespace {

struct Number {
  NumberType type;
  std::int64_t whole;
  double value;

  Word word(NumberType as) const {
    if (as == NumberType::float64) return std::bit_cast<Word>(value);
    return std::bit_cast<Word>(whole);
  }
};

bool is_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

/// The number that the whole text is. Throws InputError: what is wrong with it.
Number parse(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto as_whole = std::from_chars(text.data(), end, whole);
  if (as_whole.ptr == end) {
    if (as_whole.ec == std::errc()) return {NumberType::int64, whole, static_cast<double>(whole)};
    if (as_whole.ec == std::errc::result_out_of_range) throw InputError(quoted(text) + " does not fit 64 bits");
  }
  double value = 0;
  const auto as_double = std::from_chars(text.data(), end, value);
  if (as_double.ptr != end || as_double.ec == std::errc::invalid_argument) {
    throw InputError(quoted(text) + " is no number, such as -7 or 1.5e3");
  }
  if (as_double.ec != std::errc()) throw InputError(quoted(text) + " is out of a double's range");
  if (!std::isfinite(value)) throw InputError(quoted(text) + " is not finite");
  return {NumberType::float64, 0, value};
}

/// Calls use(number) for all numbers of the file, one after the other; returns how many there are.
template <class Use>
std::uint64_t for_each_number(const std::string& path, const NumberLimits& limits, const Use& use) {
  std::ifstream file = open_data(path);
  std::string text;
  std::uint64_t line = 1;
  std::uint64_t count = 0;
  const auto end_of_text = [&] {
    if (text.empty()) return;
    if (++count > limits.most) throw InputError(path + " has more than " + std::to_string(limits.most) + " numbers");
    try {
      const Number number = parse(text);
      if (limits.type == NumberType::int64 && number.type != NumberType::int64) {
        throw InputError(quoted(text) + " is no int64; --type double takes it");
      }
      use(number);
    } catch (const InputError& problem) {
      throw InputError(path + ", line " + std::to_string(line) + ": " + problem.what());
    }
    text.clear();
  };
  for (char letter = 0; file.get(letter);) {
    if (!is_space(letter)) {
      text += letter;
      continue;
    }
    end_of_text();
    if (letter == '\n') ++line;
  }
  if (file.bad()) refuse_to_read(path);
  end_of_text();
  if (count == 0 && !limits.may_be_empty) throw InputError(path + " has no numbers");
  return count;
}

/// Shortest text that reads as the same double, and as a double.
std::string text_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string shortest(text.data(), end);
  if (shortest.find_first_of(".e") == std::string::npos) shortest += ".0";
  return shortest;
}

}  // namespace

std::string_view name(NumberType type) { return type == NumberType::int64 ? "int64" : "double"; }

Word word_of(std::int64_t number, NumberType type) {
  return type == NumberType::int64 ? std::bit_cast<Word>(number) : std::bit_cast<Word>(static_cast<double>(number));
}

NumberType number_type(std::string_view text) {
  for (const NumberType type : {NumberType::int64, NumberType::float64}) {
    if (name(type) == text) return type;
  }
  refuse_choice("--type", text, {"int64", "double"});
}

NumberSummary scan_numbers(const std::string& path, const NumberLimits& limits) {
  NumberSummary summary{.count = 0, .type = limits.type.value_or(NumberType::int64)};
  summary.count = for_each_number(path, limits, [&](const Number& number) {
    if (number.type == NumberType::float64) summary.type = NumberType::float64;
  });
  return summary;
}

Numbers read_numbers(const std::string& path, const NumberLimits& limits) {
  const NumberSummary summary = scan_numbers(path, limits);
  Numbers numbers{.type = summary.type, .words = {}};
  numbers.words.reserve(summary.count);
  for_each_number(path, limits, [&](const Number& number) { numbers.words.push_back(number.word(numbers.type)); });
  return numbers;
}

void write_numbers(const std::string& path, std::span<const Word> words, NumberType type) {
  replace_data(path, [&](std::ostream& file) {
    for (const Word word : words) {
      file << (type == NumberType::int64 ? std::to_string(std::bit_cast<std::int64_t>(word))
                                         : text_of(std::bit_cast<double>(word)))
           << '\n';
    }
  });
}

}  // namespace lockstep
