// GML: keys with values, which are numbers, texts, or lists of keys with values in brackets.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/number_in.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

/// The words of the file, with their lines.
class GmlWords {
 public:
  explicit GmlWords(std::string_view text) : text_(text) {}

  /// A key, a number, [ or ], or a text with its opening quotation mark; empty at the end.
  std::string_view next() {
    while (!text_.empty()) {
      if (text_.front() == '#') {
        take(std::min(text_.find('\n'), text_.size()));
      } else if (std::string_view(" \t\r\n\f\v").find(text_.front()) != std::string_view::npos) {
        take(1);
      } else {
        break;
      }
    }
    line_of_word_ = line_;
    if (text_.empty()) return {};
    if (text_.front() == '[' || text_.front() == ']') return take(1);
    if (text_.front() == '"') {
      const std::size_t end = text_.find('"', 1);
      if (end == std::string_view::npos) refuse("a quotation mark is not closed");
      return take(end + 1).substr(0, end);
    }
    return take(std::min(text_.find_first_of(" \t\r\n\f\v[]\""), text_.size()));
  }

  std::uint64_t line() const { return line_of_word_; }
  [[noreturn]] void refuse(const std::string& what) const {
    refuse_graph("line " + std::to_string(line_of_word_) + ": " + what);
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = text_.substr(0, size);
    line_ += static_cast<std::uint64_t>(std::ranges::count(taken, '\n'));
    text_.remove_prefix(size);
    return taken;
  }

  std::string_view text_;
  std::uint64_t line_ = 1;
  std::uint64_t line_of_word_ = 1;
};

class GmlReader {
 public:
  GmlReader(std::string_view text, const GraphReading& reading) : words_(text), draft_(reading) {}

  Graph graph() {
    bool has_graph = false;
    for (std::string_view key = words_.next(); !key.empty(); key = words_.next()) {
      const std::string_view value = value_of(key);
      if (key == "graph" && value == "[") {
        if (has_graph) words_.refuse("another graph follows the first; only one is read");
        has_graph = true;
        read_graph();
      } else if (value == "[") {
        skip_list();
      }
    }
    if (!has_graph) refuse_graph("there is no graph [ .. ]");
    return draft_.graph([this](std::size_t link) { return "line " + std::to_string(link_lines_[link]); });
  }

 private:
  std::string_view value_of(std::string_view key) {
    if (key == "[" || key == "]" || key.starts_with('"'))
      words_.refuse(quoted(key) + " stands where a key is to stand");
    const std::string_view value = words_.next();
    if (value.empty() || value == "]") words_.refuse("the key " + quoted(key) + " has no value");
    return value;
  }

  /// Calls take(key, value) for every key of a list, whose opening bracket has been read.
  template <class Take>
  void read_list(const Take& take) {
    for (std::string_view key = words_.next(); key != "]"; key = words_.next()) {
      if (key.empty()) words_.refuse("a bracket is not closed");
      take(key, value_of(key));
    }
  }

  void skip_list() {
    for (unsigned open = 1; open > 0;) {
      const std::string_view word = words_.next();
      if (word.empty()) words_.refuse("a bracket is not closed");
      if (word == "[") ++open;
      if (word == "]") --open;
    }
  }

  void read_graph() {
    read_list([&](std::string_view key, std::string_view value) {
      if (value == "[" && key == "node") {
        read_node();
      } else if (value == "[" && key == "edge") {
        read_edge();
      } else if (value == "[") {
        skip_list();
      } else if (key == "directed" && value == "1") {
        draft_.set_directed();
      }
    });
  }

  void read_node() {
    const std::uint64_t line = words_.line();
    std::optional<GraphDraft::Name> id;
    GraphDraft::Node node;
    read_list([&](std::string_view key, std::string_view value) {
      if (key == "id") id = draft_.number_or_word(value);
      if (key == "label" && value.starts_with('"')) node.label = printable(value.substr(1));
      if (key == "graphics" && value == "[") {
        read_list([&](std::string_view inner, std::string_view at) {
          if (inner == "x") node.x = number_in<double>(at);
          if (inner == "y") node.y = number_in<double>(at);
          if (at == "[") skip_list();
        });
      } else if (value == "[") {
        skip_list();
      }
    });
    if (!id) refuse_graph("line " + std::to_string(line) + ": the node has no id");
    node.name = *id;
    if (!draft_.add(node)) refuse_graph("line " + std::to_string(line) + ": its id is also that of another node");
  }

  void read_edge() {
    link_lines_.push_back(words_.line());
    std::optional<GraphDraft::Name> source;
    std::optional<GraphDraft::Name> target;
    read_list([&](std::string_view key, std::string_view value) {
      if (key == "source") source = draft_.number_or_word(value);
      if (key == "target") target = draft_.number_or_word(value);
      if (value == "[") skip_list();
    });
    if (!source || !target) {
      refuse_graph("line " + std::to_string(link_lines_.back()) + ": the edge has no " +
                   (source ? "target" : "source"));
    }
    draft_.link(*source, *target);
  }

  GmlWords words_;
  GraphDraft draft_;
  std::vector<std::uint64_t> link_lines_;
};

}  // namespace

Graph read_gml(const std::string& text, const GraphReading& reading) { return GmlReader(text, reading).graph(); }

}  // namespace lockstep
