#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graphs/graph_draft.hpp"
#include "graphs/number_in.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

inline std::string at_line(std::uint64_t line) { return "line " + std::to_string(line); }

/// The graph of a file, read line by line; remembers the line of every link.
class LineReader {
 public:
  LineReader(std::string_view text, const GraphReading& reading) : text_(text), draft_(reading) {}

  /// Moves to the next line that is not empty without its comment, from # on, or all of it after %; false at the end.
  bool next() {
    do {
      if (text_.empty()) return false;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      rest_ = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      rest_ = rest_.substr(0, rest_.find('#'));
      if (behind_spaces().starts_with('%')) rest_ = {};
      ++line_;
    } while (rest_.find_first_not_of(spaces) == std::string_view::npos);
    return true;
  }

  /// The next word of the line; empty after the last.
  std::string_view word() {
    const std::string_view begin = behind_spaces();
    const std::size_t end = std::min(begin.find_first_of(spaces), begin.size());
    rest_ = begin.substr(end);
    return begin.substr(0, end);
  }

  /// The next name of the line, up to a blank, comma or semicolon; a text in quotes without them, or a tuple without
  /// its blanks and quotes. Empty after the last, or before {.
  std::string field() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(between_names), rest_.size()));
    if (rest_.starts_with('{')) return {};
    if (rest_.starts_with('(')) return tuple();
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      const std::size_t end = rest_.find(rest_.front(), 1);
      if (end == std::string_view::npos) refuse("a quotation mark is not closed");
      std::string text(rest_.substr(1, end - 1));
      rest_.remove_prefix(end + 1);
      return text;
    }
    const std::size_t end = std::min(rest_.find_first_of(between_names), rest_.size());
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (const std::size_t odd = text.find_first_of("=[]{}<>*"); odd != std::string::npos) {
      refuse(quoted(text) + " is no name of a node");
    }
    return text;
  }

  /// The rest of the line, without spaces around it.
  std::string_view behind_spaces() const {
    const std::size_t begin = rest_.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return rest_.substr(begin, rest_.find_last_not_of(spaces) + 1 - begin);
  }

  /// The node's name; adds the node if it is new.
  GraphDraft::Name name(std::string_view word) {
    if (word.find('\0') != std::string_view::npos) refuse("it is not text: a byte is 0");
    const GraphDraft::Name name = draft_.number_or_word(word);
    draft_.add({.name = name});
    return name;
  }

  void link(GraphDraft::Name a, GraphDraft::Name b) { link_of(line_, a, b, 1); }
  void link_of(std::uint32_t line, GraphDraft::Name a, GraphDraft::Name b, std::uint32_t cables) {
    draft_.link(a, b, cables);
    link_lines_.push_back(line);
  }

  Graph graph() {
    return draft_.graph([this](std::size_t link) { return at_line(link_lines_[link]); });
  }
  GraphDraft& draft() { return draft_; }

  std::uint32_t line() const { return line_; }

  /// The next field, which is to be a whole number from `least` to `most`.
  std::uint64_t number(const std::string& what, std::uint64_t least, std::uint64_t most) {
    const std::string text = field();
    const auto found = number_in<std::uint64_t>(text);
    if (!found || *found < least || *found > most) {
      refuse(what + " is " +
             (text.empty() ? "missing"
                           : quoted(text) + ", not a whole number from " + std::to_string(least) + " to " +
                                 std::to_string(most)));
    }
    return *found;
  }

  [[noreturn]] void refuse(const std::string& what) const { throw std::invalid_argument(at_line(line_) + ": " + what); }

 private:
  std::string tuple() {
    std::string text;
    std::size_t open = 0;
    std::size_t place = 0;
    do {
      if (place == rest_.size()) refuse("a bracket is not closed");
      const char letter = rest_[place++];
      if (letter == '(') ++open;
      if (letter == ')') --open;
      if (spaces.find(letter) == std::string_view::npos && letter != '\'' && letter != '"') text += letter;
    } while (open > 0);
    rest_.remove_prefix(place);
    return text;
  }

  static constexpr std::string_view spaces = " \t\r\f\v";
  static constexpr std::string_view between_names = " \t\r\f\v,;";

  std::string_view text_;  // after the line
  std::string_view rest_;  // of the line
  std::uint32_t line_ = 0;
  GraphDraft draft_;
  std::vector<std::uint32_t> link_lines_;
};

}  // namespace lockstep
