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

/// The conditions on a file of numbers.
struct NumberLimits {
  std::uint64_t most = most_words;   ///< most numbers
  bool may_be_empty = false;         ///< whether a file without a number is accepted
  std::optional<NumberType> type{};  ///< the type to read; empty: the file's own
};

/// The summary of a file of numbers.
struct NumberSummary {
  std::uint64_t count = 0;              ///< numbers in it
  NumberType type = NumberType::int64;  ///< their type: double if one of them is no int64
};

/// Reads all numbers of the file but keeps none. Refuses a file that is not regular, cannot be read or has too many
/// numbers or none, and, naming its line, anything but a finite number of the type.
NumberSummary scan_numbers(const std::string& path, const NumberLimits& limits = {});

/// The numbers of the file. Refuses what scan_numbers refuses.
Numbers read_numbers(const std::string& path, const NumberLimits& limits = {});

/// Writes one number a line so that read_numbers reads the same words and type. Throws OutputError for an infinity or a
/// NaN, which a computation can give and read_numbers refuses. The file is replaced at once by a new one, or left
/// unchanged.
void write_numbers(const std::string& path, std::span<const Word> words, NumberType type);

}  // namespace lockstep
