#include "number_reader.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep::data {
namespace {

bool is_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

/// Shortest text that reads as the same double, and as a double.
std::string shortest_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string shortest(text.data(), end);
  if (std::isfinite(value) && shortest.find_first_of(".e") == std::string::npos) shortest += ".0";
  return shortest;
}

}  // namespace

Word FileNumber::word(NumberType as) const {
  if (as == NumberType::float64) return std::bit_cast<Word>(value);
  return std::bit_cast<Word>(whole);
}

std::string number_text(Word word, NumberType type) {
  return type == NumberType::int64 ? std::to_string(std::bit_cast<std::int64_t>(word))
                                   : shortest_text(std::bit_cast<double>(word));
}

void refuse_line(const std::string& path, std::uint64_t line, const std::string& what) {
  throw InputError(input_name(path) + ", line " + std::to_string(line) + ": " + what);
}

NumberReader::NumberReader(std::istream& file, const std::string& path, std::uint64_t line)
    : file_(file), path_(path), line_(line) {}

bool NumberReader::next() {
  text_.clear();
  for (char letter = 0; file_.get(letter);) {
    if (!is_space(letter)) {
      text_ += letter;
    } else if (!text_.empty()) {
      file_.unget();  // the line end counts from the next text on
      return true;
    } else if (letter == '\n') {
      ++line_;
    }
  }
  if (file_.bad()) refuse_to_read(path_);
  return !text_.empty();
}

FileNumber NumberReader::number() const {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  std::int64_t whole = 0;
  const auto as_whole = std::from_chars(begin, end, whole);
  if (as_whole.ptr == end) {
    if (as_whole.ec == std::errc()) return {NumberType::int64, whole, static_cast<double>(whole)};
    if (as_whole.ec == std::errc::result_out_of_range) refuse(quoted(text_) + " does not fit 64 bits");
  }
  double value = 0;
  const auto as_double = std::from_chars(begin, end, value);
  if (as_double.ptr != end || as_double.ec == std::errc::invalid_argument) {
    refuse(quoted(text_) + " is no number, such as -7 or 1.5e3");
  }
  if (as_double.ec != std::errc()) refuse(quoted(text_) + " is out of a double's range");
  if (!std::isfinite(value)) refuse(quoted(text_) + " is not finite");
  return {NumberType::float64, 0, value};
}

}  // namespace lockstep::data
