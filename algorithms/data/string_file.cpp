#include "lockstep/algorithms/string_file.hpp"

#include <fstream>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {
namespace {

/// Calls use(string) for all strings of the file, one after the other.
template <class Use>
void for_each_string(const std::string& path, const StringLimits& limits, const Use& use) {
  std::ifstream file = open_data(path);
  std::uint64_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (++count > limits.most)
      throw InputError(input_name(path) + " has more than " + std::to_string(limits.most) + " lines");
    use(line);
  }
  if (file.bad()) refuse_to_read(path);
  if (count == 0 && !limits.may_be_empty) throw InputError(input_name(path) + " has no lines");
}

}  // namespace

StringSummary scan_strings(const std::string& path, const StringLimits& limits) {
  StringSummary summary;
  for_each_string(path, limits, [&](const std::string& line) {
    ++summary.count;
    summary.bytes += line.size();
  });
  return summary;
}

std::vector<std::string> read_strings(const std::string& path, const StringLimits& limits) {
  std::vector<std::string> strings;
  strings.reserve(scan_strings(path, limits).count);
  for_each_string(path, limits, [&](const std::string& line) { strings.push_back(line); });
  return strings;
}

void write_strings(const std::string& path, std::span<const std::string> strings) {
  replace_data(path, [&](std::ostream& file) {
    for (const std::string& string : strings) file << string << '\n';
  });
}

}  // namespace lockstep
