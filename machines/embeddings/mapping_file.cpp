// The places of a guest's processors from a file.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {
namespace {

[[noreturn]] void refuse_to_read(const std::string& path, const std::string& reason) {
  std::string names;
  for (const std::string& order : mapping_orders()) names += ", " + order;
  throw InputError("--map cannot read " + (is_standard_input(path) ? input_name(path) : quoted(path)) + ": " + reason +
                   " (it takes a file with a rank a line, or one of" + names.substr(1) + ")");
}

std::ifstream opened(const std::string& path) {
  const std::string place = [&path] {
    try {
      return input_place(path);
    } catch (const std::invalid_argument& problem) {
      refuse_to_read(path, problem.what());
    }
  }();
  std::error_code error;
  if (std::filesystem::is_directory(place, error)) refuse_to_read(path, "it is a directory");
  if (std::filesystem::exists(place, error) && !std::filesystem::is_regular_file(place, error)) {
    refuse_to_read(path, "it is not a regular file");
  }
  errno = 0;
  std::ifstream file(place, std::ios::binary);
  if (!file) refuse_to_read(path, std::strerror(errno));
  return file;
}

/// The line without its comment and the blanks round it.
std::string_view content(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  line = line.substr(0, line.find('#'));
  const std::size_t first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

}  // namespace

std::vector<Rank> read_mapping(const std::string& path, std::uint64_t processors, const MachineSpec& host) {
  std::ifstream file = opened(path);
  std::vector<Rank> places;
  std::vector<std::uint32_t> line_of(host.processors);
  std::uint32_t number = 0;
  const auto refuse = [&](const std::string& problem) {
    throw InputError("--map " + input_name(path) + ", line " + std::to_string(number) + ": " + problem);
  };
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string_view text = content(line);
    if (text.empty()) continue;
    std::uint64_t rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    const bool is_number = end == text.data() + text.size() && error != std::errc::invalid_argument;
    if (!is_number) refuse(quoted(text) + " is not a rank of the host: a whole number, one a line");
    if (error == std::errc::result_out_of_range || rank >= host.processors) {
      refuse("rank " + printable(text) + " is out of range: " + printable(host.text) + " has 0 to " +
             std::to_string(host.processors - 1));
    }
    if (line_of[rank] != 0) {
      refuse("rank " + std::to_string(rank) + " is given twice, first in line " + std::to_string(line_of[rank]));
    }
    if (places.size() == processors) {
      refuse("one rank too many: the guest has " + counted(processors, "processor") + ", each with one line");
    }
    line_of[rank] = number;
    places.push_back(static_cast<Rank>(rank));
  }
  if (file.bad()) refuse_to_read(path, std::strerror(errno));
  if (places.size() < processors) {
    throw InputError("--map " + input_name(path) + " has " + counted(places.size(), "rank") + ", where " +
                     std::to_string(processors) + " are needed, one a line for each processor of the guest");
  }
  return places;
}

void place_from_file(Embedding& made, const std::string& path) {
  refuse_large_table(made);
  const auto places = std::make_shared<const std::vector<Rank>>(read_mapping(path, made.processors, made.host));
  made.place = [places](Rank rank) { return (*places)[rank]; };
  made.map = "as in the file " + input_name(path);
  made.source = "your own";
}

}  // namespace lockstep
