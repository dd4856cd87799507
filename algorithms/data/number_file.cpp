#include "lockstep/algorithms/number_file.hpp"

#include <bit>
#include <cmath>
#include <fstream>
#include <string_view>

#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/new_file.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_file.hpp"
#include "number_reader.hpp"

namespace lockstep {
namespace {

/// Calls use(number) for all numbers of the file, one after the other; returns how many there are.
template <class Use>
std::uint64_t for_each_number(const std::string& path, const NumberLimits& limits, const Use& use) {
  std::ifstream file = open_data(path);
  data::NumberReader reader(file, path);
  std::uint64_t count = 0;
  while (reader.next()) {
    if (++count > limits.most)
      throw InputError(input_name(path) + " has more than " + std::to_string(limits.most) + " numbers");
    const data::FileNumber number = reader.number();
    if (limits.type == NumberType::int64 && number.type != NumberType::int64) {
      reader.refuse(quoted(reader.text()) + " is no int64; use --type double");
    }
    use(number);
  }
  if (count == 0 && !limits.may_be_empty) throw InputError(input_name(path) + " has no numbers");
  return count;
}

}  // namespace

std::string_view name(NumberType type) { return type == NumberType::int64 ? "int64" : "double"; }

NumberType number_type(std::string_view text) {
  for (const NumberType type : {NumberType::int64, NumberType::float64}) {
    if (name(type) == text) return type;
  }
  refuse_choice("--type", text, {"int64", "double"});
}

NumberSummary scan_numbers(const std::string& path, const NumberLimits& limits) {
  NumberSummary summary{.count = 0, .type = limits.type.value_or(NumberType::int64)};
  summary.count = for_each_number(path, limits, [&](const data::FileNumber& number) {
    if (number.type == NumberType::float64) summary.type = NumberType::float64;
  });
  return summary;
}

Numbers read_numbers(const std::string& path, const NumberLimits& limits) {
  const NumberSummary summary = scan_numbers(path, limits);
  Numbers numbers{.type = summary.type, .words = {}};
  numbers.words.reserve(summary.count);
  for_each_number(path, limits,
                  [&](const data::FileNumber& number) { numbers.words.push_back(number.word(numbers.type)); });
  return numbers;
}

void write_numbers(const std::string& path, std::span<const Word> words, NumberType type) {
  for (const Word word : words) {
    if (type == NumberType::int64 || std::isfinite(std::bit_cast<double>(word))) continue;
    throw OutputError(path, "a result is " + data::number_text(word, type) + ", and files have finite numbers");
  }
  replace_data(path, [&](std::ostream& file) {
    for (const Word word : words) file << data::number_text(word, type) << '\n';
  });
}

}  // namespace lockstep
