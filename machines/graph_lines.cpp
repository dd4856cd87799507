// Graphs that are lines of names: edge lists and adjacency lists.
#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "graph_draft.hpp"
#include "graph_readers.hpp"

namespace lockstep {

namespace {

constexpr std::string_view spaces = " \t\r\f\v";

std::string at_line(std::uint64_t line) { return "line " + std::to_string(line); }

/// The graph of a file, line by line; it knows which line said what.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  /// Goes on to the next line that is not empty without its comment; false at the end.
  bool next() {
    do {
      if (text_.empty()) return false;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      rest_ = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      rest_ = rest_.substr(0, rest_.find('#'));
      ++line_;
    } while (rest_.find_first_not_of(spaces) == std::string_view::npos);
    return true;
  }

  /// The next word of the line; empty behind the last.
  std::string_view word() {
    const std::string_view begin = behind_spaces();
    const std::size_t end = std::min(begin.find_first_of(spaces), begin.size());
    rest_ = begin.substr(end);
    return begin.substr(0, end);
  }

  /// What is left of the line, without spaces around it.
  std::string_view behind_spaces() const {
    const std::size_t begin = rest_.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return rest_.substr(begin, rest_.find_last_not_of(spaces) + 1 - begin);
  }

  /// The name, of a node that is added if it is new.
  GraphDraft::Name name(std::string_view word) {
    if (word.find('\0') != std::string_view::npos) refuse("it is no text: a byte is 0");
    const GraphDraft::Name name = draft_.number_or_word(word);
    if (draft_.add({.name = name})) node_lines_.push_back(line_);
    return name;
  }

  void link(GraphDraft::Name a, GraphDraft::Name b) {
    draft_.link(a, b);
    link_lines_.push_back(line_);
  }

  Graph graph() {
    return draft_.graph([this](std::size_t node) { return at_line(node_lines_[node]) + ": a node"; },
                        [this](std::size_t link) { return at_line(link_lines_[link]); });
  }

  [[noreturn]] void refuse(const std::string& what) const { throw std::invalid_argument(at_line(line_) + ": " + what); }

 private:
  std::string_view text_;  // behind the line
  std::string_view rest_;  // of the line
  std::uint32_t line_ = 0;
  GraphDraft draft_;
  std::vector<std::uint32_t> node_lines_;  // on which each was first named
  std::vector<std::uint32_t> link_lines_;
};

}  // namespace

Graph read_edge_list(const std::string& text) {
  LineReader reader(text);
  while (reader.next()) {
    const std::string_view a = reader.word();
    const std::string_view b = reader.word();
    if (b.empty()) reader.refuse("it has one name, but a link joins two nodes");
    const std::string_view data = reader.behind_spaces();
    if (!data.empty() && !(data.starts_with('{') && data.ends_with('}'))) {
      reader.refuse("behind the names of two nodes comes nothing or {..}");
    }
    const GraphDraft::Name from = reader.name(a);
    reader.link(from, reader.name(b));
  }
  return reader.graph();
}

Graph read_adjacency_list(const std::string& text) {
  LineReader reader(text);
  while (reader.next()) {
    const GraphDraft::Name node = reader.name(reader.word());
    for (std::string_view word = reader.word(); !word.empty(); word = reader.word()) {
      reader.link(node, reader.name(word));
    }
  }
  return reader.graph();
}

}  // namespace lockstep
