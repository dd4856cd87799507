#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {

// Real data: text files of numbers with white space between them. A file of whole numbers of 64 bits holds int64; one
// with a fraction or an exponent anywhere holds doubles. All functions throw InputError, one line that names the file.

/// What the words of a file stand for: the bits of an int64 or of a double.
enum class NumberType { int64, float64 };

struct Numbers {
  NumberType type = NumberType::int64;
  std::vector<Word> words;
};

/// How many numbers the file has, all of which are looked at and none kept. Refuses what is no regular file or cannot
/// be read, a file without numbers or with more than `most`, and, naming its line, what is no finite number.
std::uint64_t count_numbers(const std::string& path, std::uint64_t most = most_words);

/// The numbers of the file. Refuses what count_numbers refuses.
Numbers read_numbers(const std::string& path, std::uint64_t most = most_words);

/// Refuses a file to which write_numbers could not write: "-", a directory, one in a directory that does not exist, ...
void check_writable(const std::string& path);

/// Writes one number a line so that read_numbers reads the same words and type. The file is replaced at once by a whole
/// new one, or stays as it was.
void write_numbers(const std::string& path, std::span<const Word> words, NumberType type);

}  // namespace lockstep
