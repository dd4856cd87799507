#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/model.hpp"

namespace lockstep {

// Real data: text files of numbers with white space between them. A file of whole numbers of 64 bits holds int64; one
// with a fraction or an exponent anywhere holds doubles. All functions throw InputError, one line that names the file.

/// What the words of a file stand for: the bits of an int64 or of a double.
enum class NumberType {
  int64,   ///< whole numbers of 64 bits
  float64  ///< doubles
};

/// "int64" or "double".
std::string_view name(NumberType type);
/// The type of that name. Throws InputError that calls it a value of --type.
NumberType number_type(std::string_view name);

/// The word that stands for a whole number.
constexpr Word word_of(std::int64_t number, NumberType type) {
  return type == NumberType::int64 ? std::bit_cast<Word>(number) : std::bit_cast<Word>(static_cast<double>(number));
}

/// Numbers as words.
struct Numbers {
  NumberType type = NumberType::int64;  ///< what the words stand for
  std::vector<Word> words;              ///< one a number
};

/// What a file of numbers must be like.
struct NumberLimits {
  std::uint64_t most = most_words;   ///< numbers, at the most
  bool may_be_empty = false;         ///< a file without a number will do
  std::optional<NumberType> type{};  ///< what its numbers are read as; else what they are
};

/// What a look at a file of numbers tells.
struct NumberSummary {
  std::uint64_t count = 0;              ///< numbers in it
  NumberType type = NumberType::int64;  ///< what they are: double if one of them is no int64
};

/// Looks at all numbers of the file and keeps none. Refuses what is no regular file or cannot be read, a file of more
/// numbers than it may have or of none, and, naming its line, what is no finite number of the type.
NumberSummary scan_numbers(const std::string& path, const NumberLimits& limits = {});

/// The numbers of the file. Refuses what scan_numbers refuses.
Numbers read_numbers(const std::string& path, const NumberLimits& limits = {});

/// Writes one number a line so that read_numbers reads the same words and type; "inf" and "nan", to which a computation
/// can come, are written so and not read. The file is replaced at once by a whole new one, or stays as it was.
void write_numbers(const std::string& path, std::span<const Word> words, NumberType type);

}  // namespace lockstep
