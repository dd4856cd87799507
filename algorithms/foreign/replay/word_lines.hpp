#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::replay {

/// A text, line by line, each as its words.
class WordLines {
 public:
  /// Reads the file that messages call `name`; both must outlive this.
  WordLines(const std::string& name, const std::string& text) : name_(name), rest_(text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  /// Advances to the next line that has a word; false at the end.
  bool next() {
    do {
      if (rest_.empty()) return false;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      split(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
    } while (words_.empty());
    return true;
  }

  std::uint64_t line() const { return line_; }
  const std::vector<std::string_view>& words() const { return words_; }

  [[noreturn]] void refuse(const std::string& wrong) const {
    throw InputError(name_ + ": line " + std::to_string(line_) + ": " + wrong);
  }

  /// The number in a word, which must be in [least, most].
  std::int64_t number(const std::string& what, std::string_view word, std::int64_t least, std::int64_t most) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < least || value > most) {
      refuse(what + " is " + quoted(word) + ", not a whole number from " + std::to_string(least) + " to " +
             std::to_string(most));
    }
    return value;
  }

 private:
  void split(std::string_view line) {
    constexpr std::string_view spaces = " \t\r\f\v";
    words_.clear();
    for (std::size_t begin = line.find_first_not_of(spaces); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(spaces, begin), line.size());
      words_.push_back(line.substr(begin, end - begin));
      begin = line.find_first_not_of(spaces, end);
    }
  }

  const std::string& name_;
  std::string_view rest_;
  std::uint64_t line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace lockstep::replay
