#include "lockstep/algorithms/number_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

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

/// The text in quotes, short and without letters that would disturb a terminal.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown(text.substr(0, most));
  std::replace_if(
      shown.begin(), shown.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return "'" + shown + (text.size() > most ? "..." : "") + "'";
}

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

[[noreturn]] void refuse_to_read(const std::string& path, const std::string& reason) {
  throw InputError("cannot read '" + path + "': " + reason);
}

[[noreturn]] void refuse_to_write(const std::string& path, const std::string& reason) {
  throw InputError("cannot write '" + path + "': " + reason);
}

/// Calls use(number) for all numbers of the file, one after the other. Throws InputError as count_numbers says.
template <class Use>
void for_each_number(const std::string& path, std::uint64_t most, const Use& use) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse_to_read(path, error ? error.message() : "No such file or directory");
  if (fs::is_directory(status)) refuse_to_read(path, "it is a directory");
  if (!fs::is_regular_file(status)) refuse_to_read(path, "it is no regular file, and it has to be read several times");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_to_read(path, std::strerror(errno));

  std::string text;
  std::uint64_t line = 1;
  std::uint64_t count = 0;
  const auto end_of_text = [&] {
    if (text.empty()) return;
    if (++count > most) throw InputError(path + " has more than " + std::to_string(most) + " numbers");
    try {
      use(parse(text));
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
  if (file.bad()) refuse_to_read(path, std::strerror(errno));
  end_of_text();
  if (count == 0) throw InputError(path + " has no numbers");
}

/// Shortest text that reads as the same double, and as a double.
std::string text_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string shortest(text.data(), end);
  if (shortest.find_first_of(".e") == std::string::npos) shortest += ".0";
  return shortest;
}

/// A link is followed, so that it stays one.
std::string place_of(const std::string& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) && fs::exists(path, ignored) ? fs::canonical(path).string() : path;
}

}  // namespace

std::uint64_t count_numbers(const std::string& path, std::uint64_t most) {
  std::uint64_t count = 0;
  for_each_number(path, most, [&](const Number&) { ++count; });
  return count;
}

Numbers read_numbers(const std::string& path, std::uint64_t most) {
  Numbers numbers;
  std::uint64_t count = 0;
  for_each_number(path, most, [&](const Number& number) {
    ++count;
    if (number.type == NumberType::float64) numbers.type = NumberType::float64;
  });
  numbers.words.reserve(count);
  for_each_number(path, most, [&](const Number& number) { numbers.words.push_back(number.word(numbers.type)); });
  return numbers;
}

void check_writable(const std::string& path) {
  if (path.empty()) refuse_to_write(path, "the name is empty");
  if (path == "-") refuse_to_write(path, "numbers go to a file with a name, not to standard output");
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse_to_write(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse_to_write(path, "it is no regular file");
  const fs::path directory = fs::path(place_of(path)).parent_path();
  // The file is replaced by a new one, for which the directory has to take one.
  if (access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) != 0) {
    refuse_to_write(path, std::strerror(errno));
  }
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) refuse_to_write(path, std::strerror(errno));
}

void write_numbers(const std::string& path, std::span<const Word> words, NumberType type) {
  check_writable(path);
  const std::string place = place_of(path);
  const std::string fresh = place + "." + std::to_string(getpid()) + ".new";
  errno = 0;
  std::ofstream file(fresh, std::ios::binary);
  for (const Word word : words) {
    file << (type == NumberType::int64 ? std::to_string(std::bit_cast<std::int64_t>(word))
                                       : text_of(std::bit_cast<double>(word)))
         << '\n';
  }
  file.close();
  if (file && std::rename(fresh.c_str(), place.c_str()) == 0) return;
  const int reason = errno;
  unlink(fresh.c_str());
  refuse_to_write(path, std::strerror(reason));
}

}  // namespace lockstep
