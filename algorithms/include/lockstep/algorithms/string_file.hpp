#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithms/written_number.hpp"

namespace lockstep {

// Real data that is text: a string is a line of any bytes; the line feed ends it and is no part of it. Bytes after the
// last line feed are a string, too. All functions throw InputError, one line that names the file.

/// The conditions on a file of strings.
struct StringLimits {
  std::uint64_t most = most_words;  ///< most strings
  bool may_be_empty = false;        ///< whether a file without a string is accepted
};

/// The summary of a file of strings.
struct StringSummary {
  std::uint64_t count = 0;  ///< strings in it
  std::uint64_t bytes = 0;  ///< of all strings together
};

/// Reads all strings of the file but keeps none. Refuses a file that is not regular, cannot be read, or has too many
/// strings or none.
StringSummary scan_strings(const std::string& path, const StringLimits& limits = {});

/// The strings of the file. Refuses what scan_strings refuses.
std::vector<std::string> read_strings(const std::string& path, const StringLimits& limits = {});

/// Writes one string a line; read_strings reads the same. The file is replaced at once by a new one, or left unchanged.
void write_strings(const std::string& path, std::span<const std::string> strings);

}  // namespace lockstep
