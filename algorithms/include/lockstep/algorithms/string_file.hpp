#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithms/written_number.hpp"

namespace lockstep {

// Real data that is text: a string is a line, whatever bytes are in it; the line feed ends it and is no part of it.
// What follows the last line feed is a string if there is something. All functions throw InputError, one line that
// names the file.

/// What a file of strings must be like.
struct StringLimits {
  std::uint64_t most = most_words;  ///< strings, at the most
  bool may_be_empty = false;        ///< a file without a string will do
};

/// What a look at a file of strings tells.
struct StringSummary {
  std::uint64_t count = 0;  ///< strings in it
  std::uint64_t bytes = 0;  ///< of all strings together
};

/// Looks at all strings of the file and keeps none. Refuses what is no regular file or cannot be read, and a file of
/// more strings than it may have or of none.
StringSummary scan_strings(const std::string& path, const StringLimits& limits = {});

/// The strings of the file. Refuses what scan_strings refuses.
std::vector<std::string> read_strings(const std::string& path, const StringLimits& limits = {});

/// Writes one string a line; read_strings reads the same. The file is replaced at once by a whole new one, or stays as
/// it was.
void write_strings(const std::string& path, std::span<const std::string> strings);

}  // namespace lockstep
